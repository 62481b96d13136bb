public import Foundation

/// Transport of requests to a server and of its answers, which arrive as a stream.
public protocol HTTPTransport: Sendable {
    /// Sends a request, and returns when the head of the answer has arrived; the body arrives as it is read.
    ///
    /// The bytes on the wire, for this request and its answer, are added to `meter` as they pass. Cancelling the
    /// task, or releasing the body before its end, closes the connection.
    ///
    /// - Throws: `TalariaError.unreachable`, `.untrusted` or `.wrongPin`; `CancellationError`.
    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse
}

extension HTTPTransport {
    /// Sends a request, reads its answer, and reports the moved bytes to the ledger, however it ended.
    ///
    /// - Throws: the errors of ``send(_:meter:)`` and `read`.
    nonisolated(nonsending) package func exchange<Value>(
        _ request: TransportRequest,
        _ note: TransferNote,
        _ read: nonisolated(nonsending) (TransportResponse) async throws -> Value
    ) async throws -> Value {
        let meter = TransferMeter()
        let start = Date()
        var status: Int?
        defer {
            note.onTransfer(
                Transfer(
                    endpoint: note.endpoint,
                    host: request.url.host() ?? request.url.absoluteString,
                    contentClass: note.contentClass,
                    bytesUp: meter.bytesUp,
                    bytesDown: meter.bytesDown,
                    at: start,
                    status: status
                )
            )
        }
        let response = try await send(request, meter: meter)
        status = response.status
        return try await read(response)
    }
}

/// The ledger entry of a request, with its receiver.
package struct TransferNote: Sendable {
    package var endpoint: Transfer.Endpoint
    package var contentClass: Transfer.ContentClass
    /// Called with each transfer when it has ended.
    package var onTransfer: @Sendable (Transfer) -> Void

    package init(
        endpoint: Transfer.Endpoint,
        contentClass: Transfer.ContentClass,
        onTransfer: @escaping @Sendable (Transfer) -> Void
    ) {
        (self.endpoint, self.contentClass, self.onTransfer) = (endpoint, contentClass, onTransfer)
    }
}

/// A request: method, address, headers and body.
public struct TransportRequest: Sendable {
    /// The method.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    /// The method.
    public var method: Method
    /// The address.
    public var url: URL
    /// Names and values in order.
    public var headers: [(name: String, value: String)] = []
    /// The body; nil for none.
    public var body: [UInt8]?

    /// Creates a request from its parts: see the properties.
    public init(method: Method, url: URL, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

/// An answer: its head, and its body as it arrives.
public struct TransportResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Names and values in order.
    public var headers: [(name: String, value: String)] = []
    /// The body, decompressed.
    public var body = ByteStream([])

    /// Returns the value of the first header of this name, whatever the case of its letters.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Bytes that come in pieces.
public struct ByteStream: AsyncSequence, Sendable {
    /// A piece, not empty.
    public typealias Element = [UInt8]

    private let makeNext: @Sendable () -> () async throws -> [UInt8]?

    /// Bytes of which each pass is made by `makeNext`.
    init(_ makeNext: @escaping @Sendable () -> () async throws -> [UInt8]?) { self.makeNext = makeNext }

    /// Bytes that `chunks` brings.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        makeNext = {
            var iterator = chunks.makeAsyncIterator()
            return { try await iterator.next() }
        }
    }

    /// Bytes that are known.
    public init(_ parts: [[UInt8]]) {
        makeNext = {
            var iterator = parts.makeIterator()
            return { iterator.next() }
        }
    }

    /// A pass over the bytes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let produce: () async throws -> [UInt8]?

        /// Returns the next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await produce() }
    }

    /// Begins a pass.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(produce: makeNext()) }
}
