import Foundation
import HTTPTypes
import Hummingbird
import ServerSupport
import TestSupport
import Testing

@testable import Composition
@testable import Harness
@testable import spinebench

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
        ("/events", .head, 200, "text/event-stream"),
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

    @Test func aFinishedRunIsOneStateAndTheEnd() async throws {
        try await withRun(isFinished: true) { client, _ in
            let response = try await client.executeRequest(uri: "/events", method: .get, headers: [:], body: nil)
            let text = String(buffer: response.body)
            #expect(text.hasPrefix("retry: 2000\n\nid: "))
            #expect(text.hasSuffix("event: end\ndata: {}\n\n"))
            #expect(text.components(separatedBy: "event: state\n").count == 2)
            #expect(text.contains(#""phase":"finished""#))
        }
    }

    /// Two pages at once get all of it up to the end, which the run's last event brings.
    @Test func pagesFollowARunToItsEnd() async throws {
        try await withRun(isFinished: false) { client, run in
            async let first = client.executeRequest(uri: "/events", method: .get, headers: [:], body: nil)
            async let second = client.executeRequest(uri: "/events", method: .get, headers: [:], body: nil)
            try run.append(WatchedRun.record(1))
            try run.append(WatchedRun.event(.runFinished))
            for response in try await [first, second] {
                let text = String(buffer: response.body)
                #expect(text.contains(#""done":2"#))
                #expect(text.hasSuffix("event: end\ndata: {}\n\n"))
            }
        }
    }

    @Test func whoHasTheNewestIsSentNothingTwice() {
        let frame = WatchHub.Frame(version: 3, json: "{}", isFinal: false)
        #expect(WatchResponder.text(frame, id: "7-3", sent: nil) == "id: 7-3\nevent: state\ndata: {}\n\n")
        #expect(WatchResponder.text(frame, id: "7-3", sent: "7-2") == "id: 7-3\nevent: state\ndata: {}\n\n")
        // File of an earlier server.
        #expect(WatchResponder.text(frame, id: "7-3", sent: "6-3") == "id: 7-3\nevent: state\ndata: {}\n\n")
        #expect(WatchResponder.text(frame, id: "7-3", sent: "7-3") == ": no update\n\n")
    }

    @Test func aSlowPageGetsTheNewestAlone() async {
        let hub = WatchHub(first: WatchHub.Frame(version: 1, json: "1", isFinal: false), epoch: 0)
        let (frames, close) = hub.open()
        for number in 2...50 { hub.publish("\(number)", isFinal: false) }
        #expect(hub.pageCount == 1)
        var iterator = frames.makeAsyncIterator()
        #expect(await iterator.next()?.json == "50")
        hub.beat()
        #expect(await iterator.next()?.version == 50)
        close()
        #expect(await iterator.next() == nil)
        #expect(hub.pageCount == 0)
    }
}
