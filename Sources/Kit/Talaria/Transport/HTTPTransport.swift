import Basics
public import Foundation

/// Transport of requests to a server and of its answers, streaming both ways.
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
    public var body: ByteStream?

    /// Creates a request from its parts: see the properties.
    public init(method: Method, url: URL, headers: [(name: String, value: String)] = [], body: ByteStream? = nil) {
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

/// Bytes that come in pieces; each pass over it requests them again.
public struct ByteStream: AsyncSequence, Sendable {
    /// A piece, not empty.
    public typealias Element = [UInt8]

    /// All bytes; nil where that is not known.
    public let length: Int?
    private let makeNext: @Sendable () -> () async throws -> [UInt8]?

    /// Bytes that each pass requests again.
    init(_ makeNext: @escaping @Sendable () -> () async throws -> [UInt8]?) {
        length = nil
        self.makeNext = makeNext
    }

    /// Bytes that `chunks` brings.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int? = nil)
    where Chunks.Element == [UInt8] {
        self.length = length
        makeNext = {
            var iterator = chunks.makeAsyncIterator()
            return { try await iterator.next() }
        }
    }

    /// Creates a body of known bytes, in pieces of at most `chunkSize`.
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

        /// Returns the next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await produce() }
    }

    /// Begins a pass.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(produce: makeNext()) }
}

/// The key that a server must show: SHA-256 of its certificate's SubjectPublicKeyInfo (RFC 7469, section 2.4).
public struct CertificatePin: Sendable, Hashable {
    /// The digest as base64.
    public let base64: String

    /// Creates the pin of a digest, base64 of 32 bytes.
    ///
    /// - Throws: `TalariaError.badConfiguration` for anything else.
    public init(base64: String) throws(TalariaError) {
        guard Data(base64Encoded: base64)?.count == SHA256.byteCount else {
            throw .badConfiguration(
                "invalid pin '\(base64)': expected the SHA-256 of the server's SubjectPublicKeyInfo as base64, 44 characters"
            )
        }
        self.base64 = base64
    }

    /// Creates the pin of a key.
    ///
    /// - Parameter subjectPublicKeyInfo: The key in DER.
    public init(subjectPublicKeyInfo: [UInt8]) {
        base64 = Data(SHA256.digest(of: subjectPublicKeyInfo)).base64EncodedString()
    }
}
