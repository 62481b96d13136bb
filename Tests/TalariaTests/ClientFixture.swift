import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Talaria

let device = UUID()

/// Client of a loopback server, on a stopped clock, with a ledger.
struct ClientFixture: Sendable {
    let client: TalariaClient
    let server: LoopbackServer
    let clock: ManualClock
    let ledger: Ledger

    /// Transfers that the client reported.
    final class Ledger: Sendable {
        private let lines = Mutex<[Transfer]>([])
        var transfers: [Transfer] { lines.withLock { $0 } }
        func add(_ transfer: Transfer) { lines.withLock { $0.append(transfer) } }
    }

    /// Events of a running scan.
    final class Events: Sendable {
        private let list = Mutex<[ScanEvent]>([])
        var all: [ScanEvent] { list.withLock { $0 } }
        var names: [String] { all.map(\.name) }
        func add(_ event: ScanEvent) { list.withLock { $0.append(event) } }
    }

    /// A setting that is not the usual one.
    struct Change: Sendable {
        let apply: @Sendable (inout ClientConfiguration) -> Void

        static func set<Value: Sendable>(
            _ setting: any WritableKeyPath<ClientConfiguration, Value> & Sendable,
            _ value: Value
        ) -> Change {
            Change { $0[keyPath: setting] = value }
        }
    }

    static func run(
        _ changes: [Change] = [],
        answer handler: @escaping LoopbackServer.Handler,
        test: @Sendable (ClientFixture) async throws -> Void
    ) async throws {
        try await LoopbackServer.serve(handler) { url, server in
            var configuration = ClientConfiguration(baseURL: url, deviceID: device)
            for change in changes { change.apply(&configuration) }
            let transport = try NetworkTransport()
            let clock = ManualClock()
            let ledger = Ledger()
            let client = TalariaClient(
                configuration: configuration,
                transport: transport,
                clock: clock,
                onTransfer: ledger.add
            )
            try await test(ClientFixture(client: client, server: server, clock: clock, ledger: ledger))
        }
    }
}

/// Photo, which the server does not read.
let photo = Photo(jpeg: [0xFF, 0xD8, 0xFF, 0xD9])

/// Answers of a server that accepts a scan as job `j` and has it cleaned up; `stream` is its stream.
func scanServer(
    accepted: String = #"{"jobId":"j","streamUrl":"/v3/jobs/scans/j/stream"}"#,
    results: String = #"{"data":{"results":[{"title":"From results"}]}}"#,
    status: String = #"{"data":{"jobId":"j","status":"completed"}}"#,
    stream: @escaping LoopbackServer.Handler = { _, reply in try await reply.answer(404) }
) -> LoopbackServer.Handler {
    { request, reply in
        switch (request.method, request.path) {
        case ("POST", "/v3/jobs/scans"): try await reply.answer(202, accepted)
        case ("GET", "/v3/jobs/scans/j/stream"): try await stream(request, reply)
        case ("GET", "/v3/jobs/scans/j/results"): try await reply.answer(200, results)
        case ("GET", "/v3/jobs/scans/j"): try await reply.answer(200, status)
        case ("DELETE", "/v3/jobs/scans/j/cleanup"): try await reply.answer(204)
        default: try await reply.answer(404, #"{"code":"NOT_FOUND"}"#)
        }
    }
}

/// Stream with these events, which ends, or is left open for the client to close.
func scanStream(_ text: String, type: String = "text/event-stream", isOpen: Bool = false) -> LoopbackServer.Handler {
    { _, reply in
        try await reply.stream(type: type)
        try await reply.chunk(text)
        return isOpen ? .untilClientCloses : try await reply.end()
    }
}

/// Records a result that a test did not expect.
func unexpected(_ result: some Any) { Issue.record("\(result)") }

/// Counter of calls.
final class Counter: Sendable {
    private let count = Mutex(0)
    /// Returns the number of this call, from 1.
    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}
