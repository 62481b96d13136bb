/// Bytes that come in pieces; each pass over it asks for them anew.
public struct ByteStream: AsyncSequence, Sendable {
    /// A piece, not empty.
    public typealias Element = [UInt8]

    /// All bytes; nil where that is not known.
    public let length: Int?
    private let makeNext: @Sendable () -> () async throws -> [UInt8]?

    /// Bytes that `chunks` brings.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int? = nil)
    where Chunks.Element == [UInt8] {
        self.length = length
        makeNext = {
            var iterator = chunks.makeAsyncIterator()
            return { try await iterator.next() }
        }
    }

    /// Bytes that are there already, in pieces of at most `chunkSize`.
    public init(_ parts: [[UInt8]], chunkSize: Int = 65_536) {
        length = parts.reduce(0) { $0 + $1.count }
        makeNext = {
            var part = 0
            var offset = 0
            return {
                while part < parts.count, offset == parts[part].count { (part, offset) = (part + 1, 0) }
                guard part < parts.count else { return nil }
                let end = Swift.min(offset + chunkSize, parts[part].count)
                defer { offset = end }
                return Array(parts[part][offset..<end])
            }
        }
    }

    /// A pass over the bytes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let produce: () async throws -> [UInt8]?

        /// The next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await produce() }
    }

    /// Begins a pass.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(produce: makeNext()) }
}
