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
    /// RFC 9110, 15.5.16.
    @Test(arguments: [("gzip", true), ("br", true), ("GZIP, identity", true), ("identity", false), ("", false)])
    func anEncodedBodyIsRefusedAsSuch(encoding: String, isRefused: Bool) async throws {
        try await TestServer.run { client in
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
            if isRefused { #expect(try await client.pictures() == 0) }
        }
    }

    @Test func unknownAddressesAndMethodsAreProblems() async throws {
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
            let nowhere = try await client.client.send(.post, "/nowhere", body: Array("{}".utf8))
            #expect(nowhere.status == .notFound)
            #expect(nowhere.headers[.contentType] == "application/problem+json")
            let long = try await client.send(.get, "/v3/books/search?q=" + String(repeating: "a", count: 9_000))
            #expect(long.status == .uriTooLong)
            let connection = try RawConnection(port: client.client.port)
            connection.send("HEAD /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let head = await connection.text()
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.hasSuffix("\r\n\r\n"))
        }
    }

    /// Its client's doing, not the server's failure.
    @Test func aClientThatHangsUpIsLoggedAsSuch() async throws {
        var server = try TestServer()
        let log = server.keepLog()
        try await server.run { client in
            let connection = try RawConnection(port: client.client.port)
            connection.send("POST /v3/jobs/enrich HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
            connection.end()
            try await until { log.all.contains("route=/v3/jobs/enrich status=499") }
        }
    }

    @Test func silentBodiesAreGivenUp() async throws {
        var server = try TestServer()
        server.limits.connection.bodyTimeout = .milliseconds(100)
        try await server.run { client in
            let connection = try RawConnection(port: client.client.port)
            connection.send("POST /v3/jobs/enrich HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
            #expect(await connection.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 408 "))
        }
    }

    /// A client that asks for answers and does not read them is given up, and does not keep the server from ending.
    ///
    /// Data after the connection's end causes the reset that shows the end to it.
    @Test(arguments: [true, false]) func clientsThatDoNotReadAreGivenUp(isWaitedFor: Bool) async throws {
        var server = try TestServer()
        let log = server.keepLog()
        if isWaitedFor {
            server.limits.connection.writeTimeout = .milliseconds(200)
        } else {
            server.limits.connection.shutdownTimeout = .milliseconds(200)
        }
        let kept = Mutex<RawConnection?>(nil)
        try await server.run { client in
            let connection = try RawConnection(port: client.client.port)
            kept.withLock { $0 = connection }
            let requests = String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", count: 100)
            Thread.detachNewThread { while connection.send(requests) {} }
            if isWaitedFor { return await connection.untilClosed() }
            // The socket is full when answers no longer finish.
            try await until { log.all.contains("/openapi.json") }
        }
    }
}
