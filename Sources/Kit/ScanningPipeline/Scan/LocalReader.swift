public import BookCatalogue
import Imaging
import ScanningPolicies
public import TextRecognition

/// The reader on the device, with its properties for a session.
public struct LocalReader: Sendable {
    /// A reading, with a session's notes about it.
    struct Result: Sendable {
        var reading: SpineReading
        /// Around the reading alone (S0-C06).
        var duration: Duration
        /// Time from the file to pixels; nil for a frame.
        var decoding: Duration?
        var tier: LibraryBook.Tier
        /// Assumed subject of the picture, by its shape.
        var subject = NamingPolicy.Subject.spine
    }

    /// Scanner of a fixed quality; nil if the quality depends on the device's state.
    let scanner: SpineScanner?
    /// Adaptive reader; nil if the quality is fixed.
    let adaptive: AdaptiveReader?
    /// The tier that readings of a fixed quality count as.
    let tier: LibraryBook.Tier
    /// A picture whose short side has more pixels than this is decoded smaller.
    private let sufficientShortSide: Int
    /// Reader of photos of shelves; nil without one, or if the quality depends on the device's state.
    let shelf: ShelfReader?

    /// Creates a reader of one quality, which its readings count as.
    public init(_ scanner: SpineScanner, tier: LibraryBook.Tier = .fast, shelf: ShelfReader? = nil) {
        (self.scanner, adaptive, self.tier, self.shelf) = (scanner, nil, tier, shelf)
        sufficientShortSide = scanner.sufficientShortSide
    }

    /// Creates a reader of one quality, which its readings count as.
    public init(_ reader: any SpineTextReader, tier: LibraryBook.Tier = .fast) {
        self.init(SpineScanner(reader: reader), tier: tier)
    }

    /// Creates a reader whose quality goes with the device's state; its readings count as the tier that they were
    /// read at.
    public init(_ reader: AdaptiveReader, sufficientShortSide: Int = SpineScanner.sufficientShortSide) {
        (scanner, adaptive, tier, shelf) = (nil, reader, .fast, nil)
        self.sufficientShortSide = sufficientShortSide
    }

    /// Reads a picture's file.
    ///
    /// - Throws: when the bytes or the engine fail, and when the reader is unloaded.
    /// - Returns: the reading, with quads in the pixels of the upright picture; the duration of reading without
    ///   decoding.
    func read(_ bytes: [UInt8], name: String) async throws -> Result {
        let picture = try await ReaderQueue.run { [sufficientShortSide] in
            try SpinePicture(bytes, name: name, sufficientShortSide: sufficientShortSide)
        }
        var result = try await read(picture.image)
        result.decoding = picture.decoding
        result.reading = picture.placed(result.reading)
        if ShelfReader.isLikely(width: picture.width, height: picture.height) { result.subject = .cover }
        return result
    }

    func read(_ image: RasterImage) async throws -> Result {
        if let scanner {
            return try await ReaderQueue.run { [tier] in
                let clock = ContinuousClock()
                let start = clock.now
                let reading = try scanner.reader.read(image)
                return Result(reading: reading, duration: start.duration(to: clock.now), tier: tier)
            }
        }
        guard let result = try await adaptive?.read(image) else { throw ScanningError.readerUnloaded }
        let tier = LibraryBook.Tier(rawValue: ReadingLevel(result.quality).tier) ?? .fast
        return Result(reading: result.reading, duration: result.duration, tier: tier)
    }
}
