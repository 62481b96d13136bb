import Dispatch
import ImageCodec
public import LibraryStore
import Raster
public import TextRecognition

/// The reader on the device, with what a session has to know of it.
public struct LocalReader: Sendable {
    /// Finds and reads the lines.
    public var reader: any SpineTextReader
    /// The tier that its readings count as: fast or accurate.
    public var tier: LibraryBook.Tier
    /// A picture whose short side has more pixels than this is decoded smaller.
    public var sufficientShortSide: Int

    /// - Parameters:
    ///   - reader: finds and reads the lines.
    ///   - tier: that its readings count as.
    ///   - sufficientShortSide: in pixels; a larger picture is decoded smaller.
    public init(_ reader: any SpineTextReader, tier: LibraryBook.Tier = .fast, sufficientShortSide: Int = 384) {
        self.reader = reader
        self.tier = tier
        self.sufficientShortSide = sufficientShortSide
    }

    /// Reads a picture's file.
    ///
    /// - Parameters:
    ///   - bytes: the whole PNG, JPEG or HEIC file.
    ///   - name: what errors call the file.
    /// - Throws: when the bytes or the engine fail.
    /// - Returns: the reading, with quads in the picture's pixels as it stands upright; how long reading took without
    ///   decoding.
    func read(_ bytes: [UInt8], name: String) async throws -> (reading: SpineReading, duration: Duration) {
        try await Self.offThePool {
            let options = DecodingOptions(minimumShortSide: sufficientShortSide)
            let decoded = try ImageCodec.decode(bytes, name: name, options: options)
            var (reading, duration) = try timed(decoded.image)
            for index in reading.lines.indices where decoded.scale != 1 {
                reading.lines[index].quad = reading.lines[index].quad.mapped {
                    Point(x: $0.x / decoded.scale, y: $0.y / decoded.scale)
                }
            }
            return (reading, duration)
        }
    }

    /// Reads a frame.
    func read(_ image: RasterImage) async throws -> (reading: SpineReading, duration: Duration) {
        try await Self.offThePool { try timed(image) }
    }

    /// Around the reading alone (S0-C06).
    private func timed(_ image: RasterImage) throws -> (reading: SpineReading, duration: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let reading = try reader.read(image)
        return (reading, start.duration(to: clock.now))
    }

    /// Runs what blocks for tens of milliseconds outside of Swift's own few threads, one piece of work after the other.
    static func offThePool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    private static let queue = DispatchQueue(label: "spine reader", qos: .userInitiated)
}
