#if os(Linux)
internal import CZlib

/// Decompresses gzip or zlib (RFC 1952, RFC 1950) as it arrives; used by one task at a time.
final class Inflater {
    struct Failure: Error {
        /// The reason in plain words.
        let reason: String

        static let damaged = Failure(reason: "it is damaged")
        static let tooLarge = Failure(reason: "it expands beyond the limit")
    }

    /// zlib keeps its address.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let maximumFactor: Int
    private var compressed = 0
    private var inflated = 0
    private var isAtEnd = false

    /// Creates a decompressor of bytes that become at most `maximumFactor` times as many.
    init(maximumFactor: Int) {
        self.maximumFactor = maximumFactor
        stream.initialize(to: z_stream())
        spine_inflate_init(stream)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Returns what the next bytes add, which may be nothing.
    ///
    /// - Throws: `Failure`, also for bytes after the end.
    func push(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        compressed += bytes.count
        var bytes = bytes
        var output: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        var failure: Failure?
        bytes.withUnsafeMutableBufferPointer { input in
            (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, UInt32(input.count))
            repeat {
                let (code, count) = room.withUnsafeMutableBufferPointer { room in
                    (stream.pointee.next_out, stream.pointee.avail_out) = (room.baseAddress, UInt32(room.count))
                    return (inflate(stream, Z_NO_FLUSH), room.count - Int(stream.pointee.avail_out))
                }
                output += room[..<count]
                inflated += count
                isAtEnd = code == Z_STREAM_END
                if inflated > compressed * maximumFactor {
                    failure = .tooLarge
                } else if isAtEnd ? stream.pointee.avail_in > 0 : code != Z_OK && code != Z_BUF_ERROR {
                    failure = .damaged
                }
            } while failure == nil && !isAtEnd && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
        }
        if let failure { throw failure }
        return output
    }

    /// - Throws: `Failure` where the end has not come.
    func finish() throws(Failure) { if !isAtEnd { throw .damaged } }
}
#endif
