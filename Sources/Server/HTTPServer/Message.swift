import Foundation
public import HTTPTypes

/// Request of HTTP, whose body may still be on its way.
public struct Request: Sendable {
    /// Name in logs and answers.
    public let id: String
    /// GET, POST and so on.
    public var method: HTTPRequest.Method
    /// Host and port that the client asks for.
    public let authority: String?
    /// Path without the query, percent-encoded.
    public let path: String
    /// Query, percent-encoded; empty without one.
    public let queryText: String
    /// Header fields.
    public let headers: HTTPFields
    /// The bytes.
    public let body: RequestBody
    /// Variable parts of the path, set by who routes the request.
    public var parameters: [String: String] = [:]
    let isChunked: Bool

    /// The query's values, the first of each name; empty where the percent-encoding is invalid.
    public var query: [String: String] {
        let pairs = queryText.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Performs work that is cancelled once the client has hung up.
    ///
    /// - Throws: the errors of `work`; ``HangUp``.
    public func whileConnected<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await body.connection.whileConnected(work)
    }
}

/// Body of a request, in pieces as they arrive.
public struct RequestBody: Sendable {
    let connection: HTTPConnection
    /// Length in the request's header, in bytes; nil without one.
    public let announced: Int?

    /// Bytes that have arrived.
    public var received: Int { get async { await connection.received } }

    /// Returns all of the body.
    ///
    /// - Throws: ``RequestError``, ``HangUp``.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        if let announced, announced > limit { throw RequestError.tooLong }
        var bytes: [UInt8] = []
        while let piece = try await connection.nextPiece() {
            bytes += piece
            if bytes.count > limit { throw RequestError.tooLong }
        }
        return bytes
    }
}

/// Reason why the head or the body of a request cannot be used.
public enum RequestError: Error, Sendable {
    case malformed, timedOut, tooLong
}

/// Answer to a request.
public struct Response: Sendable {
    /// Bytes, or parts as they come.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Written while it is sent; an error breaks the connection off.
        case stream(@Sendable (ResponseWriter) async throws -> Void)
    }

    package var status: HTTPResponse.Status
    /// Header fields.
    public var headers: HTTPFields
    /// The bytes.
    public var body: Body

    /// Creates an answer.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Writer of a body that is sent piece by piece, each at once.
public struct ResponseWriter: Sendable {
    let send: @Sendable ([UInt8]) async throws -> Void

    /// - Throws: ``HangUp``.
    public func write(_ text: some StringProtocol) async throws { try await write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) async throws { if !bytes.isEmpty { try await send(bytes) } }
}
