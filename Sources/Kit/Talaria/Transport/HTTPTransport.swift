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
    nonisolated(nonsending) public func exchange<Value>(
        _ request: TransportRequest,
        _ endpoint: Transfer.Endpoint,
        _ contentClass: Transfer.ContentClass,
        onTransfer: @Sendable (Transfer) -> Void,
        _ read: nonisolated(nonsending) (TransportResponse) async throws -> Value
    ) async throws -> Value {
        let meter = TransferMeter()
        let host = request.url.host() ?? request.url.absoluteString
        var transfer = Transfer(endpoint: endpoint, host: host, contentClass: contentClass, at: Date())
        defer {
            (transfer.bytesUp, transfer.bytesDown) = (meter.bytesUp, meter.bytesDown)
            onTransfer(transfer)
        }
        let response = try await send(request, meter: meter)
        transfer.status = response.status
        return try await read(response)
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
    public var body = ByteStream { $0.finish() }

    /// Returns the value of the first header of this name, whatever the case of its letters.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Bytes that come in pieces, none of them empty, to be read once.
public typealias ByteStream = AsyncThrowingStream<[UInt8], any Error>
