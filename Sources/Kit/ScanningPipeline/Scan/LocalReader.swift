public import BookCatalogue
import Imaging
import ScanningPolicies
public import TextRecognition

/// The reader on the device, with its properties for a session.
public struct LocalReader: Sendable {
    /// Scanner of a fixed quality; nil if the quality depends on the device's state.
    let scanner: SpineScanner?
    /// Adaptive reader; nil if the quality is fixed.
    let adaptive: AdaptiveReader?
    /// The tier that readings of a fixed quality count as.
    let tier: LibraryBook.Tier
    /// Reader of photos of shelves; nil without one, or if the quality depends on the device's state.
    let shelf: ShelfReader?

    /// Creates a reader of one quality, which its readings count as.
    public init(_ scanner: SpineScanner, tier: LibraryBook.Tier = .fast, shelf: ShelfReader? = nil) {
        (self.scanner, adaptive, self.tier, self.shelf) = (scanner, nil, tier, shelf)
    }

    /// Creates a reader of one quality, which its readings count as.
    public init(_ reader: any SpineTextReader, tier: LibraryBook.Tier = .fast) {
        self.init(SpineScanner(reader: reader), tier: tier)
    }

    /// Creates a reader whose quality goes with the device's state; its readings count as the tier that they were
    /// read at.
    public init(_ reader: AdaptiveReader) { (scanner, adaptive, tier, shelf) = (nil, reader, .fast, nil) }

    /// A picture whose short side has more pixels than this is decoded smaller.
    var sufficientShortSide: Int { scanner?.sufficientShortSide ?? SpineScanner.sufficientShortSide }

    /// Reads one spine; the duration is that of the reading alone (S0-C06).
    ///
    /// - Throws: when the engine fails, and when the reader is unloaded.
    func read(_ image: RasterImage) async throws -> (reading: SpineReading, duration: Duration, tier: LibraryBook.Tier)
    {
        if let scanner {
            return try await ReaderQueue.run { [tier] in
                let clock = ContinuousClock()
                let start = clock.now
                let reading = try scanner.reader.read(image)
                return (reading, start.duration(to: clock.now), tier)
            }
        }
        guard let result = try await adaptive?.read(image) else { throw ScanningError.readerUnloaded }
        let tier = LibraryBook.Tier(rawValue: ReadingLevel(result.quality).tier) ?? .fast
        return (result.reading, result.duration, tier)
    }
}
