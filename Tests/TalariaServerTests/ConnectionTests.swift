import Foundation
import HTTPServer
import HTTPTypes
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns, .endsWhatHangs) struct ConnectionTests {
    private static let enrichment = """
        POST /v3/jobs/enrich HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n\
        {"raw_text": "Dune Frank Herbert", "device_id": "\(TestServer.device)"}
        """

    @Test(arguments: [
        ("GET /health HTTP/1.1\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
        ("GET /health HTTP/1.0\r\nConnection: close\r\n\r\n", 200),
        ("POST /health HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ])
    func aRequestNamesItsHostOnce(_ request: String, _ status: Int) async throws {
        try await TestServer.run { client in
            let connection = try RawConnection(port: client.client.port)
            connection.send(request)
            let answer = await connection.text(until: "\r\n\r\n")
            #expect(answer.split(separator: " ").dropFirst().first == "\(status)")
        }
    }

    /// RFC 9112, 6.1 and 9.3: no transfer coding, and the connection ends behind the answer.
    @Test(arguments: [
        "GET /health HTTP/1.0\r\n\r\n", "GET /health HTTP/1.0\r\nHost: x\r\n\r\n", "HEAD /health HTTP/1.0\r\n\r\n",
        "GET /health HTTP/1.0\r\nConnection: close\r\n\r\n", "GET /nowhere HTTP/1.0\r\n\r\n",
        "GET /openapi.json HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n",
        "POST /v3/jobs/enrich HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}",
        // Requests behind it are not answered.
        "GET /health HTTP/1.0\r\n\r\nGET /health HTTP/1.0\r\n\r\n",
    ])
    func anOldClientReadsToTheEnd(_ request: String) async throws {
        try await TestServer.run { client in
            let connection = try RawConnection(port: client.client.port)
            connection.send(request)
            let answer = await connection.text()
            let head = answer.components(separatedBy: "\r\n\r\n")[0].lowercased()
            #expect(head.hasPrefix("http/1.0 "))
            #expect(!head.contains("transfer-encoding") && !head.contains("keep-alive"))
            #expect(head.contains("connection: close"))
            #expect(answer.components(separatedBy: "HTTP/1.0 ").count == 2)
        }
    }

    @Test func anOldClientMayKeepItsConnection() async throws {
        try await TestServer.run { client in
            let connection = try RawConnection(port: client.client.port)
            for _ in 0..<3 {
                connection.send("GET /health HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
                let answer = await connection.text(until: "}").lowercased()
                #expect(answer.hasPrefix("http/1.0 200 ok"))
                #expect(answer.contains("connection: keep-alive\r\n") && answer.contains("content-length: "))
            }
            connection.send("GET /health HTTP/1.0\r\n\r\n")
            #expect(await connection.text().lowercased().contains("connection: close\r\n"))
        }
    }

    /// A stream has no length: its bytes arrive unchanged, and its end is the connection's.
    @Test func anOldClientReadsAStream() async throws {
        try await TestServer.run { client in
            let job = try client.accepted(try await client.upload())
            let connection = try RawConnection(port: client.client.port)
            connection.send(
                "GET /v3/jobs/scans/\(job.jobID)/stream HTTP/1.0\r\nAccept: text/event-stream\r\nConnection: keep-alive\r\n"
                    + "X-Device-ID: \(TestServer.device)\r\nAuthorization: Bearer \(job.token ?? "")\r\n\r\n"
            )
            let parts = await connection.text().components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 2)
            #expect(parts[0].hasPrefix("HTTP/1.0 200 OK"))
            #expect(!parts[0].lowercased().contains("transfer-encoding"))
            #expect(parts[1].hasPrefix(": connection established\nretry: 5000\n\n"))
            #expect(StreamedEvent.events(in: parts[1]).map(\.name).suffix(2) == ["completed", "completed"])
        }
    }

    /// RFC 9110, 15.5.16.
    @Test(arguments: [("gzip", true), ("br", true), ("GZIP, identity", true), ("identity", false), ("", false)])
    func anEncodedBodyIsRefusedAsSuch(encoding: String, isRefused: Bool) async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            let headers = ["Content-Encoding": encoding]
            let answers = [
                try await client.enrich("Dune", headers: headers), try await client.upload(headers: headers),
            ]
            for (answer, usual) in zip(answers, [200, 202]) {
                #expect(answer.status.code == (isRefused ? 415 : usual))
                guard isRefused else { continue }
                #expect(answer.headers[.acceptEncoding] == "identity")
                #expect(try answer.problem().code == .unsupportedEncoding)
            }
            #expect(!isRefused || server.pictures.isEmpty)
        }
    }

    @Test func aBodyIsAskedForWhenItIsWanted() async throws {
        try await TestServer.run { client in
            var parts = Self.enrichment.components(separatedBy: "\r\n\r\n")
            parts[1] = parts[1].padding(toLength: 100, withPad: " ", startingAt: 0)
            let connection = try RawConnection(port: client.client.port)
            connection.send(parts[0] + "\r\nExpect: 100-continue\r\n\r\n")
            #expect(await connection.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            connection.send(parts[1])
            #expect(await connection.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))

            // Refused by its header alone, and closed: the body may never arrive.
            let refused = try RawConnection(port: client.client.port)
            refused.send(
                "POST /v3/jobs/enrich HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n"
            )
            let answer = await refused.text(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
    }

    @Test func unknownMethodsAreToldTheKnownOnes() async throws {
        try await TestServer.run { client in
            let id = UUID().uuidString.lowercased()
            for (method, path, allowed) in [
                (HTTPRequest.Method.post, "/health", "GET, HEAD"), (.get, "/v3/jobs/enrich", "POST"),
                (.put, "/v3/jobs/scans/\(id)", "DELETE, GET, HEAD"), (.get, "/v3/jobs/scans/\(id)/cleanup", "DELETE"),
            ] {
                let answer = try await client.send(method, path, body: method == .get ? [] : Array("{}".utf8))
                #expect(answer.status == .methodNotAllowed)
                #expect(answer.headers[.allow] == allowed)
                #expect(try answer.problem().code == .methodNotAllowed)
            }
            #expect(try await client.send(.post, "/nowhere", body: Array("{}".utf8)).status == .notFound)
            let connection = try RawConnection(port: client.client.port)
            connection.send("HEAD /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let head = await connection.text()
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.hasSuffix("\r\n\r\n"))
        }
    }

    /// Its client's doing, not the server's failure.
    @Test func aClientThatHangsUpIsCountedAsSuch() async throws {
        try await TestServer.run { client in
            let connection = try RawConnection(port: client.client.port)
            connection.send("POST /v3/jobs/enrich HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
            connection.end()
            try await until {
                let figures = try await client.send(.get, "/metrics").text
                #expect(!figures.contains("status=\"500\""))
                return figures.contains("route=\"/v3/jobs/enrich\",status=\"499\"} 1.0\n")
            }
        }
    }

    @Test func silentBodiesAreGivenUp() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.connection.bodyIdleTimeout = .milliseconds(100)
        try await server.run { client in
            let connection = try RawConnection(port: client.client.port)
            connection.send("POST /v3/jobs/enrich HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
            #expect(await connection.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 408 "))
        }
    }

    /// Asks for answers until the server has closed: data after its end causes the reset that shows the end to a
    /// client that does not read.
    private func ask(_ connection: RawConnection) {
        let requests = String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", count: 100)
        Thread.detachNewThread { while connection.send(requests) {} }
    }

    @Test func clientsThatDoNotReadAreGivenUp() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.connection.writeTimeout = .milliseconds(200)
        try await server.run { client in
            let connection = try RawConnection(port: client.client.port)
            ask(connection)
            await connection.untilClosed()
        }
    }

    @Test func clientsThatDoNotReadDoNotKeepTheServerFromEnding() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.connection.shutdownTimeout = .milliseconds(200)
        let kept = Kept()
        try await server.run { client in
            let connection = try RawConnection(port: client.client.port)
            kept.add(connection)
            ask(connection)
            // The socket is full when answers no longer finish.
            try await until { try await client.send(.get, "/metrics").text.contains("/openapi.json") }
        }
    }

    @Test func descriptorsBoundTheConnections() {
        #expect((4...10_000).contains(DescriptorLimit.connections))
    }
}

/// Connections that stay open for longer than a test's closure.
private final class Kept: Sendable {
    private let state = Mutex<[RawConnection]>([])

    func add(_ connection: RawConnection) { state.withLock { $0.append(connection) } }
}
