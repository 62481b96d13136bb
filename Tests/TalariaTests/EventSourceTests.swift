import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Talaria

/// Streams of events other than a scan's.
@Suite(.inTurns, .endsWhatHangs) struct EventSourceTests {
    /// Stream that is read from a server, and its result.
    private struct Fixture: Sendable {
        let source: EventSource
        let server: LoopbackServer
        let clock: ManualClock
        let ledger: ClientFixture.Ledger
        private let kept = Kept()

        init(_ source: EventSource, _ server: LoopbackServer, _ clock: ManualClock, _ ledger: ClientFixture.Ledger) {
            (self.source, self.server, self.clock, self.ledger) = (source, server, clock, ledger)
        }

        /// Texts of the events that came.
        var texts: [String] { kept.texts.withLock { $0 } }

        /// Reads to the end; "last" is the last one, and "noise" means nothing.
        func read() async throws -> EventSource.End {
            try await source.run { event in
                kept.texts.withLock { $0.append(event.text) }
                switch event.text {
                case "last": return .last
                case "noise": return .passedOver
                case "wrong": throw CocoaError(.coderInvalidValue)
                default: return .taken
                }
            }
        }
    }

    private final class Kept: Sendable {
        let texts = Mutex<[String]>([])
    }

    private func run(
        _ configuration: EventSource.Configuration = .init(),
        answer handler: @escaping LoopbackServer.Handler,
        test: @escaping @Sendable (Fixture) async throws -> Void
    ) async throws {
        try await LoopbackServer.serve(handler) { url, server in
            let transport = try NetworkTransport()
            let (clock, ledger) = (ManualClock(), ClientFixture.Ledger())
            let source = EventSource(
                url.appending(path: "events"),
                headers: [("Authorization", "Bearer t")],
                operation: "the events",
                over: transport,
                note: TransferNote(endpoint: .stream, contentClass: .control, onTransfer: ledger.add),
                configuration: configuration,
                clock: clock
            )
            try await test(Fixture(source, server, clock, ledger))
        }
    }

    private static func endWord(_ end: EventSource.End) -> String {
        switch end {
        case .finished: "finished"
        case .closed: "closed"
        case .unreadable(let error): "unreadable: \(error)"
        case .lost(let error): "lost: \(error)"
        }
    }

    @Test func itGoesOnAfterTheLastEventThatCame() async throws {
        let connection = Counter()
        try await run { request, reply in
            #expect(request.header("Accept") == "text/event-stream")
            #expect(request.header("Authorization") == "Bearer t")
            try await reply.stream()
            guard connection.next() > 1 else {
                #expect(request.header("Last-Event-ID") == nil)
                try await reply.chunk("id: 7\ndata: one\n\nid: 8\ndata: cut o")
                return .close
            }
            #expect(request.header("Last-Event-ID") == "7")
            try await reply.chunk("id: 8\ndata: two\n\ndata: last\n\ndata: never read\n\n")
            return try await reply.end()
        } test: { fixture in
            async let end = fixture.read()
            await fixture.clock.advance(whenSomebodySleeps: .seconds(5))
            let word = Self.endWord(try await end)
            #expect(word == "finished")
            #expect(fixture.texts == ["one", "two", "last"])
            let reconnects = await fixture.source.reconnects
            #expect(reconnects == 1)
            let lastID = await fixture.source.lastEventID
            #expect(lastID == "8")
            #expect(fixture.ledger.transfers.map(\.status) == [200, 200])
            #expect(fixture.ledger.transfers.allSatisfy { $0.contentClass == .control && $0.bytesDown > 0 })
        }
    }

    /// The policy's wait is the minimum, and 30 s the maximum, for any wait of the server; it holds for later waits
    /// too.
    @Test(arguments: [("", 5), ("retry: 1\n", 5), ("retry: 12000\n", 12), ("retry: 86400000\n", 30)])
    func theServersWaitIsHeededWithinBounds(line: String, seconds: Int) async throws {
        let connection = Counter()
        try await run { _, reply in
            try await reply.stream()
            switch connection.next() {
            case 1: try await reply.chunk("\(line)data: one\n\n")
            case 2: try await reply.chunk("data: two\n\n")
            default: try await reply.chunk("data: last\n\n")
            }
            return .close
        } test: { fixture in
            async let end = fixture.read()
            await fixture.clock.advance(whenSomebodySleeps: .seconds(seconds))
            await fixture.clock.advance(whenSomebodySleeps: .seconds(seconds))
            let word = Self.endWord(try await end)
            #expect(word == "finished")
            #expect(fixture.texts == ["one", "two", "last"])
        }
    }

    @Test func noContentMeansNotToComeBack() async throws {
        try await run { _, reply in
            try await reply.answer(204)
        } test: { fixture in
            let word = Self.endWord(try await fixture.read())
            #expect(word == "closed")
            #expect(fixture.server.requests.count == 1)
        }
    }

    /// Waits of the policy: 5, 10, 20, 30 and 30 s; unknown events are not a sign that the stream works.
    @Test func aStreamOfNothingIsGivenUp() async throws {
        try await run { _, reply in
            try await reply.stream()
            try await reply.chunk("data: noise\n\n")
            return .close
        } test: { fixture in
            async let end = fixture.read()
            for seconds in [5, 10, 20, 30, 30] { await fixture.clock.advance(whenSomebodySleeps: .seconds(seconds)) }
            let word = Self.endWord(try await end)
            #expect(word.hasPrefix("lost: "))
            #expect(fixture.server.requests.count == 6)
        }
    }

    /// A server that is silent for two heartbeats counts as lost, and its connection is closed.
    @Test func silenceEndsAConnection() async throws {
        try await run(EventSource.Configuration(retry: .never, heartbeat: .seconds(15))) { _, reply in
            try await reply.stream()
            try await reply.chunk("data: one\n\n")
            return .untilClientCloses
        } test: { fixture in
            let end = Task { try await fixture.read() }
            while fixture.texts.isEmpty { await Task.yield() }
            // More than once where the clock was moved before the event had been noted.
            while fixture.server.closedByClient == 0 {
                if fixture.clock.sleepers.contains(.seconds(30)) { fixture.clock.advance(by: .seconds(30)) }
                await Task.yield()
            }
            let word = Self.endWord(try await end.value)
            #expect(word.contains("no data"))
        }
    }

    @Test(arguments: ["text/html", "application/json; charset=utf-8", "text/event-streams"])
    func anotherTypeIsNoStream(type: String) async throws {
        try await run { _, reply in
            try await reply.stream(type: type)
            try await reply.chunk("data: last\n\n")
            return try await reply.end()
        } test: { fixture in
            let word = Self.endWord(try await fixture.read())
            #expect(word.contains("not a stream"))
            #expect(fixture.texts.isEmpty)
        }
    }

    @Test func boundsOfBytes() async throws {
        var configuration = EventSource.Configuration(maximumEventBytes: 1_000)
        try await run(configuration) { _, reply in
            try await reply.stream()
            try await reply.chunk("data: \(String(repeating: "x", count: 2_000))\n\n")
            return .untilClientCloses
        } test: { fixture in
            let word = Self.endWord(try await fixture.read())
            #expect(word.contains("larger than 1000 bytes"))
        }
        configuration = EventSource.Configuration(maximumStreamBytes: 1_000)
        try await run(configuration) { _, reply in
            try await reply.stream()
            for _ in 0..<200 { try await reply.chunk("data: taken\n\n") }
            return .untilClientCloses
        } test: { fixture in
            let word = Self.endWord(try await fixture.read())
            #expect(word.contains("larger than 1000 bytes"))
            #expect(fixture.texts.count <= 77)
        }
    }

    /// 503 may pass, and its `Retry-After` is waited for; 401 does not.
    @Test func refusals() async throws {
        let connection = Counter()
        try await run { _, reply in
            if connection.next() == 1 { return try await reply.answer(503, "{}", ["Retry-After": "9"]) }
            return try await reply.answer(401, #"{"code":"UNAUTHORIZED"}"#)
        } test: { fixture in
            async let end = fixture.read()
            await fixture.clock.advance(whenSomebodySleeps: .seconds(9))
            do {
                _ = try await end
                Issue.record("it was no refusal")
            } catch TalariaError.refused(_, let problem) {
                #expect(problem.status == 401)
            }
        }
    }

    @Test func whatTheListenerThrowsEndsIt() async throws {
        try await run { _, reply in
            try await reply.stream()
            try await reply.chunk("data: wrong\n\n")
            return .untilClientCloses
        } test: { fixture in
            await #expect(throws: CocoaError.self) { try await fixture.read() }
            await fixture.server.clientClosed()
        }
    }
}
