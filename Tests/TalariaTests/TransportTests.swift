import Foundation
import TestSupport
import Testing

@testable import Talaria

/// What goes over the network beside what the client says.
@Suite(.inTurns, .endsWhatHangs) struct TransportTests {
    private func send(_ request: TransportRequest, _ transport: NetworkTransport) async throws -> [UInt8] {
        var body: [UInt8] = []
        for try await piece in try await transport.send(request, meter: TransferMeter()).body { body += piece }
        return body
    }

    /// No header of the library's is sent, and a large body is sent at once.
    @Test func onlyWhatIsAskedForIsSent() async throws {
        try await LoopbackServer.serve { _, reply in
            try await reply.answer(200, "x", ["Set-Cookie": "a=b"])
        } test: { url, server in
            let transport = try NetworkTransport()
            var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
            parts.percentEncodedPath = "/a/../%62"
            let body = [UInt8](repeating: 7, count: 2_000_000)
            let address = try #require(parts.url)
            let post = TransportRequest(method: .post, url: address, headers: [("X-Empty", "")], body: body)
            _ = try await send(post, transport)
            _ = try await send(TransportRequest(method: .get, url: url), transport)
            _ = try await send(TransportRequest(method: .post, url: url), transport)
            let requests = server.requests
            #expect(requests[0].target == "/a/../%62")
            #expect(requests[0].headers.map(\.name).sorted() == ["Content-Length", "Host", "X-Empty"])
            #expect(requests[0].body == body)
            #expect(requests[1].headers.map(\.name) == ["Host"])
            #expect(requests[2].headers.map(\.name).sorted() == ["Content-Length", "Host"])
            #expect(server.connections == 1)
        }
    }

    /// The server has the request and closes an open connection: whether it is sent again is not for the library.
    @Test(arguments: [TransportRequest.Method.get, .post])
    func nothingIsSentTwice(_ method: TransportRequest.Method) async throws {
        let request = Counter()
        try await LoopbackServer.serve { _, reply in
            request.next() == 1 ? try await reply.answer(200, "x") : .close
        } test: { url, server in
            let transport = try NetworkTransport()
            let body: [UInt8]? = method == .post ? [1] : nil
            _ = try await send(TransportRequest(method: method, url: url, body: body), transport)
            let error = await #expect(throws: TalariaError.self) {
                try await send(TransportRequest(method: method, url: url, body: body), transport)
            }
            #expect(error == .unreachable(host: "localhost", reason: NetworkTransport.closed))
            #expect(server.requests.count == 2)
        }
    }

    /// Far more than waits for its reader.
    @Test func aBodyThatIsReadSlowlyIsWhole() async throws {
        let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try await LoopbackServer.serve { _, reply in
            try await reply.answer(200, sent)
        } test: { url, _ in
            let transport = try NetworkTransport()
            let answer = try await transport.send(TransportRequest(method: .get, url: url), meter: TransferMeter())
            var body: [UInt8] = []
            for try await piece in answer.body {
                body += piece
                for _ in 0..<100 { await Task.yield() }
            }
            #expect(body == sent)
        }
    }

    @Test func aHostThatWasResolvedBeforeIsNotResolvedAgain() async throws {
        try await LoopbackServer.serve { request, reply in
            #expect(request.header("Host")?.hasPrefix("books.invalid:") == true)
            return try await reply.answer(200, "x")
        } test: { url, _ in
            let address = try #require(URL(string: "http://books.invalid:\(url.port ?? 0)/"))
            var configuration = NetworkTransport.Configuration()
            let request = TransportRequest(method: .get, url: address)
            let error = await #expect(throws: TalariaError.self) {
                try await send(request, NetworkTransport(configuration))
            }
            #expect(error == .unreachable(host: "books.invalid", reason: NetworkTransport.unknownHost))
            configuration.addresses = ["books.invalid": "127.0.0.1"]
            let body = try await send(request, NetworkTransport(configuration))
            #expect(body == Array("x".utf8))
        }
    }

    /// A line break would begin another header.
    @Test(arguments: [
        ("ftp://localhost/", ""), ("http:///a", ""), ("http://localhost:70000/", ""), ("http://me@localhost/", ""),
        ("http://localhost/", "b\r\nX-C: d"),
    ]) func aRequestThatIsNoneIsRefused(_ address: String, _ header: String) async throws {
        let url = try #require(URL(string: address))
        let request = TransportRequest(method: .get, url: url, headers: [("X-A", header)])
        let error = await #expect(throws: TalariaError.self) { try await send(request, NetworkTransport()) }
        guard case .badConfiguration = error else { return unexpected(error) }
    }

    /// "hello" made with `gzip -9n`, with a byte after it, with a wrong sum, and not compressed.
    @Test(arguments: [
        ("H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==", true), ("H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAAE=", false),
        ("H4sIAAAAAAACA8tIzcnJBwABAQEBAQEBAQ==", false), ("aGVsbG8=", false),
    ]) func damagedCompressionIsAnError(_ base64: String, _ isRight: Bool) async throws {
        let sent = [UInt8](try #require(Data(base64Encoded: base64)))
        try await LoopbackServer.serve { _, reply in
            try await reply.answer(200, sent, ["Content-Encoding": "gzip"])
        } test: { url, _ in
            let request = TransportRequest(method: .get, url: url)
            let reason = "it is damaged"
            let error = TalariaError.malformed(operation: "decompressing an answer of localhost", reason: reason)
            do {
                let body = try await send(request, NetworkTransport())
                #expect(isRight && body == Array("hello".utf8))
            } catch let thrown as TalariaError {
                #expect(!isRight && thrown == error)
            }
        }
    }

    /// Expected by `openssl x509 -pubkey | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64`.
    @Test func theKeyOfACertificateIsFound() throws {
        func text(_ name: String) throws -> String {
            let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
            return try String(contentsOf: url, encoding: .utf8).trimmingCharacters(in: .newlines)
        }
        for (file, pin) in [
            ("localhost.pem", "server.pin"), ("expired.pem", "server.pin"), ("stranger.pem", "stranger.pin"),
        ] {
            let certificates = try #require(Certificate.all(inPEM: text(file)))
            #expect(certificates.map(\.pin.base64) == [try text(pin)])
            let der = certificates[0].der
            for count in 0..<der.count { #expect(Certificate(der: Array(der.prefix(count))) == nil) }
        }
        let two = try #require(Certificate.all(inPEM: text("localhost.pem") + "\n" + text("root.pem")))
        #expect(two.count == 2)
    }
}
