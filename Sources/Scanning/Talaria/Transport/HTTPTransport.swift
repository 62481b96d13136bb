public import Foundation

/// Transport of requests to a server and of its answers, streaming both ways.
public protocol HTTPTransport: Sendable {
    /// Sends a request, and returns when the head of the answer has come; the body comes as it is read.
    ///
    /// The bytes that cross the wire, for this request and its answer, are added to `meter` as they do. Cancelling the
    /// task, or letting go of the body before its end, closes the connection.
    ///
    /// - Throws: `TalariaError.unreachable`, `.untrusted` or `.wrongPin`; `CancellationError`.
    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse
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
    public var headers: [(name: String, value: String)]
    /// The body; nil for none.
    public var body: ByteStream?

    /// A request.
    public init(
        method: Method,
        url: URL,
        headers: [(name: String, value: String)] = [],
        body: ByteStream? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An answer: its head, and its body as it comes.
public struct TransportResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Names and values in order.
    public var headers: [(name: String, value: String)]
    /// The body, decompressed.
    public var body: ByteStream

    /// An answer.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: ByteStream = ByteStream([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first header of this name, whatever the case of its letters.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
