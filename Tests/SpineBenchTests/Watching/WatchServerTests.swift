import Foundation
import HTTPTypes
import Hummingbird
import ServerSupport
import TestSupport
import Testing

@testable import Composition
@testable import Harness
@testable import spinebench_tools

@Suite(.inTurns) struct WatchServerTests {
    private func withRun(
        isFinished: Bool,
        _ body: @Sendable (PatientClient, RunFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let run = try RunFolder.create(folder("run"), WatchedRun.configuration())
        try run.append(WatchedRun.event(.runStarted, planned: ["fast": 2]))
        try run.append(WatchedRun.record(0))
        if isFinished { try run.append(WatchedRun.event(.runFinished)) }
        let server = WatchServer(follower: try RunFollower(folder("run")), port: 0, onRunning: { _ in })
        try await server.application().serve { client in try await body(client, run) }
    }

    @Test(arguments: [
        ("/", HTTPRequest.Method.get, 200, "text/html; charset=utf-8"),
        ("/watch.css", .get, 200, "text/css; charset=utf-8"),
        ("/watch.js", .get, 200, "text/javascript; charset=utf-8"),
        ("/state", .get, 200, "application/json"),
        ("/none", .get, 404, "text/plain; charset=utf-8"),
        ("/../config.json", .get, 404, "text/plain; charset=utf-8"),
        ("/", .post, 405, "text/plain; charset=utf-8"),
        ("/", .head, 200, "text/html; charset=utf-8"),
        ("/state", .head, 200, "application/json"),
    ])
    func everythingIsSafeToOpen(path: String, method: HTTPRequest.Method, status: Int, type: String) async throws {
        try await withRun(isFinished: true) { client, _ in
            let response = try await client.executeRequest(uri: path, method: method, headers: [:], body: nil)
            #expect(response.status.code == status)
            #expect(response.headers[.contentType] == type)
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(
                response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'") == true
            )
            if method == .head { #expect(response.body.readableBytes == 0) }
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:8765", true), ("localhost", true), ("LOCALHOST:1", true), ("[::1]:80", true),
            ("evil.example:8765", false), ("127.0.0.1.evil.example", false), ("", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func onlyThisMachineIsAnswered(authority: String?, isLocal: Bool) {
        #expect(LocalPage.isLocal(authority) == isLocal)
    }

    @Test func aPageFollowsARunToItsEnd() async throws {
        try await withRun(isFinished: false) { client, run in
            func state() async throws -> String {
                String(
                    buffer: try await client.executeRequest(uri: "/state", method: .get, headers: [:], body: nil).body
                )
            }
            let first = try await state()
            #expect(first.contains(#""done":1"#) && first.contains(#""phase":"running""#) && first.hasSuffix("\n"))
            try run.append(WatchedRun.record(1))
            try run.append(WatchedRun.event(.runFinished))
            let last = try await state()
            #expect(last.contains(#""done":2"#) && last.contains(#""phase":"finished""#))
        }
    }
}
