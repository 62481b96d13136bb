package import HTTPTypes

/// Request of HTTP, whose body may still be on its way.
package struct Request: Sendable {
    /// Name in logs and answers.
    package let id: String
    package var method: HTTPRequest.Method
    /// Host and port that the client asks for.
    package let authority: String?
    /// Path without the query, percent-encoded.
    package let path: String
    /// Query, percent-encoded; empty without one.
    package let queryText: String
    package let headers: HTTPFields
    /// Numbers of the client's host.
    package let remoteAddress: String
    package let body: RequestBody
    /// Variable parts of the path, set by who routes the request.
    package var parameters: [String: String] = [:]

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
    package var query: [String: String] {
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
    package func whileConnected<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await body.connection.whileConnected(work)
    }
}

/// Body of a request, in pieces as they arrive.
package struct RequestBody: AsyncSequence, Sendable {
    let connection: HTTPConnection
    /// Length in the request's header, in bytes; nil without one.
    package let announced: Int?

    /// Bytes that have arrived.
    package var received: Int { get async { await connection.received } }

    /// Returns all of the body.
    ///
    /// - Throws: ``BodyError``, ``HangUp``.
    package func collect(upTo limit: Int) async throws -> [UInt8] {
        if let announced, announced > limit { throw BodyError.tooLong }
        var bytes: [UInt8] = []
        for try await piece in self {
            bytes += piece
            if bytes.count > limit { throw BodyError.tooLong }
        }
        return bytes
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        let connection: HTTPConnection

        package mutating func next() async throws -> [UInt8]? { try await connection.nextPiece() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connection) }
}

/// Reason why a body cannot be used.
package enum BodyError: Error, Sendable {
    case malformed, timedOut, tooLong
}

/// Answer to a request.
package struct Response: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Written while it is sent; an error breaks the connection off.
        case stream(@Sendable (ResponseWriter) async throws -> Void)
    }

    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: Body

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Writer of a body that is sent piece by piece, each at once.
package struct ResponseWriter: Sendable {
    let send: @Sendable ([UInt8]) async throws -> Void

    /// - Throws: ``HangUp``.
    package func write(_ text: some StringProtocol) async throws { try await write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) async throws { if !bytes.isEmpty { try await send(bytes) } }
}
