public import AdaptiveReading
import ImageCodec
public import LibraryStore
import Raster
import ScanningPolicies
public import TextRecognition

/// The reader on the device, with what a session has to know of it.
public struct LocalReader: Sendable {
    private enum Source {
        case fixed(any SpineTextReader, LibraryBook.Tier)
        case adaptive(AdaptiveReader)
    }

    /// A reading, with what a session notes of it.
    struct Result: Sendable {
        var reading: SpineReading
        /// Around the reading alone (S0-C06).
        var duration: Duration
        /// From the file to pixels; nil for a frame.
        var decoding: Duration?
        var tier: LibraryBook.Tier
    }

    private var source: Source
    /// A picture whose short side has more pixels than this is decoded smaller.
    public var sufficientShortSide: Int

    /// - Parameters:
    ///   - reader: finds and reads the lines.
    ///   - tier: that its readings count as.
    ///   - sufficientShortSide: in pixels; a larger picture is decoded smaller.
    public init(_ reader: any SpineTextReader, tier: LibraryBook.Tier = .fast, sufficientShortSide: Int = 384) {
        source = .fixed(reader, tier)
        self.sufficientShortSide = sufficientShortSide
    }

    /// A reader whose quality goes with the device's state; its readings count as the tier that they were read at.
    ///
    /// - Parameters:
    ///   - reader: switches, unloads and loads by itself.
    ///   - sufficientShortSide: in pixels; a larger picture is decoded smaller.
    public init(_ reader: AdaptiveReader, sufficientShortSide: Int = 384) {
        source = .adaptive(reader)
        self.sufficientShortSide = sufficientShortSide
    }

    /// nil when the quality is fixed.
    var adaptive: AdaptiveReader? { if case .adaptive(let reader) = source { reader } else { nil } }

    /// Reads a picture's file.
    ///
    /// - Parameters:
    ///   - bytes: the whole PNG, JPEG or HEIC file.
    ///   - name: what errors call the file.
    /// - Throws: when the bytes or the engine fail, and when the reader is unloaded.
    /// - Returns: the reading, with quads in the picture's pixels as it stands upright; how long reading took without
    ///   decoding.
    func read(_ bytes: [UInt8], name: String) async throws -> Result {
        let options = DecodingOptions(minimumShortSide: sufficientShortSide)
        let (decoded, decoding) = try await ReaderQueue.run {
            let start = ContinuousClock.now
            let decoded = try ImageCodec.decode(bytes, name: name, options: options)
            return (decoded, start.duration(to: .now))
        }
        var result = try await read(decoded.image)
        result.decoding = decoding
        for index in result.reading.lines.indices where decoded.scale != 1 {
            result.reading.lines[index].quad = result.reading.lines[index].quad.mapped {
                Point(x: $0.x / decoded.scale, y: $0.y / decoded.scale)
            }
        }
        return result
    }

    /// Reads a frame.
    func read(_ image: RasterImage) async throws -> Result {
        switch source {
        case .fixed(let reader, let tier):
            try await ReaderQueue.run {
                let clock = ContinuousClock()
                let start = clock.now
                let reading = try reader.read(image)
                return Result(reading: reading, duration: start.duration(to: clock.now), tier: tier)
            }
        case .adaptive(let reader):
            if let result = try await reader.read(image) {
                Result(
                    reading: result.reading,
                    duration: result.duration,
                    tier: LibraryBook.Tier(rawValue: ReadingLevel(result.quality).tier) ?? .fast
                )
            } else {
                throw ScanningError.readerUnloaded
            }
        }
    }
}
