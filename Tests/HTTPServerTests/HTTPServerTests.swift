import Foundation
import HTTPTypes
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// What a client may send, and what becomes of the connection.
@Suite(.inTurns, .endsWhatHangs) struct HTTPServerTests {
    /// Answers with the request's body, or with what is wrong with it.
    private static let echo = HTTPServer(port: 0, name: "test") { request in
        do {
            return Response(status: .ok, body: .bytes(try await request.body.collect(upTo: 100)))
        } catch {
            return Response(status: .badRequest, body: .bytes(Array("\(error)".utf8)))
        }
    }

    /// Two framings of one request are how requests are smuggled past a proxy (RFC 9112, section 11.2).
    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: a\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\n\n", "G\u{7F}T / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nName : b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nName: b\rc\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nName: \0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    ])
    func anAmbiguousRequestIsRefused(_ request: String) async throws {
        try await Self.echo.serve { client in
            let connection = try RawConnection(port: client.port)
            connection.send(request)
            let answer = await connection.text()
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            #expect(answer.contains("Connection: close\r\n"))
        }
    }

    @Test func aLongHeadIsRefused() async throws {
        try await Self.echo.serve { client in
            for fields in [
                String(repeating: "A: b\r\n", count: 7_000), "A: \(String(repeating: "b", count: 40_000))\r\n",
            ] {
                let connection = try RawConnection(port: client.port)
                connection.send("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
                #expect(await connection.text().hasPrefix("HTTP/1.1 431 "))
            }
        }
    }

    /// Requests that arrive together are answered in turn; empty lines before one are passed over (section 2.2).
    @Test func requestsOfOneConnectionAreAnsweredInTurn() async throws {
        try await Self.echo.serve { client in
            let connection = try RawConnection(port: client.port)
            connection.send(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc\r\n"
                    + "POST http://b/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3;x=y\r\nde\n\r\nA\r\n0123456789\r\n0\r\nTrailer: z\r\n\r\n"
                    + "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            let bodies = await connection.text().components(separatedBy: "\r\n\r\n").dropFirst()
            #expect(bodies.map { $0.components(separatedBy: "HTTP/1.1")[0] } == ["abc", "de\n0123456789", ""])
        }
    }

    @Test func aBodyIsAskedForWhenItIsWanted() async throws {
        try await Self.echo.serve { client in
            func ask(_ length: Int) throws -> RawConnection {
                let connection = try RawConnection(port: client.port)
                connection.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\nExpect: 100-continue\r\n\r\n"
                )
                return connection
            }
            let wanted = try ask(3)
            #expect(await wanted.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            wanted.send("abc")
            #expect(await wanted.text(until: "abc").hasPrefix("HTTP/1.1 200 OK\r\n"))
            // Refused by its header alone, and closed: the body may never arrive.
            let refused = try await ask(101).text(until: "\r\n\r\n")
            #expect(refused.hasPrefix("HTTP/1.1 400 "))
            #expect(refused.contains("Connection: close\r\n"))
        }
    }

    @Test func aBodyThatNobodyReadsDoesNotBecomeARequest() async throws {
        let server = HTTPServer(port: 0, name: "test") { _ in Response(status: .ok) }
        try await server.serve { client in
            let smuggled = "GET /second HTTP/1.1\r\nHost: a\r\n\r\n"
            for (length, isKept) in [(smuggled.utf8.count, true), (1 << 20, false)] {
                let connection = try RawConnection(port: client.port)
                connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(smuggled)")
                if isKept { connection.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") }
                let answers = await connection.text(until: isKept ? nil : "\r\n\r\n")
                #expect(answers.components(separatedBy: "HTTP/1.1 200 OK").count == (isKept ? 3 : 2))
                #expect(answers.contains("Connection: close\r\n"))
            }
        }
    }

    @Test func workEndsWhenItsClientHangsUp() async throws {
        let begun = Mutex(0)
        let ended = Mutex(0)
        let server = HTTPServer(port: 0, name: "test") { request in
            let work: @Sendable () async throws -> Void = {
                begun.withLock { $0 += 1 }
                defer { ended.withLock { $0 += 1 } }
                try await Task.sleep(for: .seconds(86_400))
            }
            if request.path == "/stream" { return Response(status: .ok, body: .stream { _ in try await work() }) }
            await #expect(throws: HangUp.self) { try await request.whileConnected(work) }
            return Response(status: .ok)
        }
        try await server.serve { client in
            for (number, path) in ["/", "/stream"].enumerated() {
                let connection = try RawConnection(port: client.port)
                connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                while begun.withLock({ $0 }) == number { try await Task.sleep(for: .milliseconds(1)) }
                #expect(ended.withLock { $0 } == number)
                connection.end()
                while ended.withLock({ $0 }) == number { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
    }

    @Test func aStreamThatFailsIsBrokenOff() async throws {
        let server = HTTPServer(port: 0, name: "test") { _ in
            Response(
                status: .ok,
                body: .stream { writer in
                    try await writer.write("first")
                    // The server's thread now waits for the client to hang up.
                    try await Task.sleep(for: .milliseconds(50))
                    throw CancellationError()
                }
            )
        }
        try await server.serve { client in
            await #expect(throws: TestClient.BrokenAnswer.self) { try await client.send(.get, "/") }
        }
    }

    @Test func noMoreConnectionsThanAllowedAreOpen() async throws {
        var server = Self.echo
        server.limits.connections = 2
        try await server.serve { client in
            let open = try (0..<2).map { _ in try RawConnection(port: client.port) }
            for connection in open {
                connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await connection.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            }
            let third = Task { try await client.send(.get, "/").status }
            open[0].end()
            #expect(try await third.value == .ok)
        }
    }

    @Test func slowHeadsAndSilentConnectionsAreEnded() async throws {
        var server = Self.echo
        (server.limits.bodyTimeout, server.limits.idleTimeout) = (.milliseconds(100), .milliseconds(100))
        try await server.serve { client in
            let slow = try RawConnection(port: client.port)
            slow.send("GET / HT")
            #expect(await slow.text().hasPrefix("HTTP/1.1 408 "))
            #expect(await (try RawConnection(port: client.port)).text().isEmpty)
        }
    }

    @Test func anAddressInUseIsAnError() async throws {
        try await Self.echo.serve { client in
            var second = Self.echo
            second.port = client.port
            await #expect { try await second.run(until: Shutdown()) { _ in } } throws: { error in
                (error as? SocketError)?.number == EADDRINUSE
            }
            second.host = "no.such.host.invalid"
            await #expect { try await second.run(until: Shutdown()) { _ in } } throws: { error in
                (error as? SocketError)?.number == nil
            }
        }
    }
}
