import Foundation
public import HTTPServer
public import HTTPTypes

/// Client of a server under test: a connection a request, and an answer however long it takes.
public struct TestClient: Sendable {
    /// Answer of the server.
    public struct Response: Sendable {
        /// The answer's status.
        public var status: HTTPResponse.Status
        /// Header fields.
        public var headers: HTTPFields
        package var body: [UInt8]

        /// Text; nil for any other value.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The answer is not one of HTTP, or ends early.
    public struct BrokenAnswer: Error {
        package var text: String
    }

    /// Port of the server on this machine.
    public let port: Int

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: `POSIXError` without a listener, ``BrokenAnswer`` when the connection ends early.
    public func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> Response {
        var head = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for field in headers { head += "\(field.name.rawName): \(field.value)\r\n" }
        if !body.isEmpty || method == .post || method == .put { head += "Content-Length: \(body.count)\r\n" }
        let request = Array("\(head)\r\n".utf8) + body
        let bytes = try await RawConnection(port: port).onThread { connection in
            connection.send(request)
            return connection.receive()
        }
        guard let response = Self.response(bytes[...], hasBody: method != .head) else {
            throw BrokenAnswer(text: String(decoding: bytes, as: UTF8.self))
        }
        return response
    }

    private static func response(_ bytes: ArraySlice<UInt8>, hasBody: Bool) -> Response? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count > 1, words[0] == "HTTP/1.1", let code = Int(words[1]) else { return nil }
        if code < 200 { return response(bytes[end.upperBound...], hasBody: hasBody) }
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let name = HTTPField.Name(parts[0]) else { return nil }
            headers.append(HTTPField(name: name, value: parts[1]))
        }
        var body: [UInt8]? = Array(bytes[end.upperBound...])
        if headers[.transferEncoding] == "chunked", hasBody { body = chunks(bytes[end.upperBound...]) }
        if let length = headers[.contentLength], hasBody, "\(body?.count ?? 0)" != length { return nil }
        return body.map { Response(status: .init(code: code), headers: headers, body: $0) }
    }

    /// Returns the body of chunks; nil when the last one is missing.
    private static func chunks(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var (rest, body) = (bytes, [UInt8]())
        while let end = rest.firstRange(of: [13, 10]),
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16)
        {
            if size == 0 { return body }
            rest = rest[end.upperBound...]
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }
}

extension HTTPServer {
    /// Runs the server on a free port while `test` talks to it.
    ///
    /// - Throws: the errors of `test` and the server.
    public func serve(_ test: @escaping @Sendable (TestClient) async throws -> Void) async throws {
        let shutdown = Shutdown()
        try await serving(until: shutdown, run: { try await run(until: shutdown, onRunning: $0) }, test)
    }
}

/// Runs a server while `test` talks to it, and ends it.
///
/// - Throws: the errors of `test` and `run`.
public func serving(
    until shutdown: Shutdown,
    run: @escaping @Sendable (_ onRunning: @escaping @Sendable (_ port: Int) async -> Void) async throws -> Void,
    _ test: @escaping @Sendable (TestClient) async throws -> Void
) async throws {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { port.finish() }
            try await run { port.yield($0) }
        }
        group.addTask {
            defer { shutdown.begin() }
            for await number in ports { return try await test(TestClient(port: number)) }
        }
        // Either one ends the other: a server that fails has no port.
        try await group.waitForAll()
    }
}
