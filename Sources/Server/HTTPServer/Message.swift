public import HTTPTypes

/// Request of HTTP, whose body may still be on its way.
public struct Request: Sendable {
    /// Name in logs and answers.
    public let id: String
    public var method: HTTPRequest.Method
    /// Host and port that the client asks for.
    public let authority: String?
    /// Path without the query, percent-encoded.
    public let path: String
    /// Query, percent-encoded; empty without one.
    public let queryText: String
    public let headers: HTTPFields
    /// Numbers of the client's host.
    public let remoteAddress: String
    public let body: RequestBody
    /// Variable parts of the path, set by who routes the request.
    public var parameters: [String: String] = [:]

    init(_ head: RequestHead, id: String, from remoteAddress: String, _ connection: HTTPConnection) {
        (self.id, method, authority, headers) = (id, head.method, head.authority, head.fields)
        self.remoteAddress = remoteAddress
        body = RequestBody(connection: connection, announced: head.contentLength)
        let parts = head.target.prefix { $0 != "#" }.split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        (path, queryText) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    /// The query's values, the first of each name.
    public var query: [String: String] {
        let pairs = queryText.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns a text without its percent-encoding; bytes that are not UTF-8 become U+FFFD.
    private static func decoded(_ text: Substring) -> String {
        var (bytes, rest) = ([UInt8](), text.utf8[...])
        while let first = rest.popFirst() {
            let digits = String(rest.prefix(2)) ?? ""
            if first == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit) {
                bytes.append(UInt8(digits, radix: 16) ?? first)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
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
public struct RequestBody: AsyncSequence, Sendable {
    let connection: HTTPConnection
    /// Length in the request's header, in bytes; nil without one.
    public let announced: Int?

    /// Bytes that have arrived.
    public var received: Int { get async { await connection.received } }

    /// Returns all of the body.
    ///
    /// - Throws: ``BodyError``, ``HangUp``.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        if let announced, announced > limit { throw BodyError.tooLong }
        var bytes: [UInt8] = []
        for try await piece in self {
            bytes += piece
            if bytes.count > limit { throw BodyError.tooLong }
        }
        return bytes
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let connection: HTTPConnection

        public mutating func next() async throws -> [UInt8]? { try await connection.nextPiece() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connection) }
}

/// Reason why a body cannot be used.
public enum BodyError: Error, Sendable {
    case malformed, timedOut, tooLong
}

/// Answer to a request.
public struct Response: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Written while it is sent; an error breaks the connection off.
        case stream(@Sendable (ResponseWriter) async throws -> Void)
    }

    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: Body

    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Writer of a body that is sent piece by piece, each at once.
public struct ResponseWriter: Sendable {
    let send: @Sendable ([UInt8]) async throws -> Void

    /// - Throws: ``HangUp``.
    public func write(_ text: some StringProtocol) async throws { try await write(Array(text.utf8)) }

    public func write(_ bytes: [UInt8]) async throws { if !bytes.isEmpty { try await send(bytes) } }
}
