import ArgumentParser
import Basics
import Captures
import Foundation

struct SessionGrowthCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measure the time of listing and showing sessions in a store of many items.",
        discussion:
            "Times are wall-clock times of the calls. The exit code is 1 when the P95 of a list is above 30 ms."
    )

    @Option(help: "Items; a fifth as many sessions at most.")
    var items = 10_000

    @Option(help: "Items of the largest session, about. (default: a tenth of all)")
    var largest: Int?

    @Option(help: "Calls of each kind.")
    var calls = 200

    func validate() throws {
        try require(
            items >= 100 && calls >= 20,
            "Invalid --items or --calls: expected --items 100 or more, and --calls 20 or more."
        )
        try require((1...items).contains(largest ?? 1), "Invalid --largest: expected 1 to --items.")
    }

    func run() async throws { try await withTemporaryFolder("growth", check) }

    private func check(in folder: URL) async throws {
        let store = try ContextStore(path: folder.appending(path: "sessions.sqlite").path)
        var random = SplitMix64(state: 1)
        var capture: [Double] = []
        var sessions: [UUID] = []
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        let stride = items / (largest ?? items / 10)
        for number in 0..<items {
            var new = NewCapture(kind: .text, capturedAt: start.addingTimeInterval(Double(number) * 60))
            new.text = NumberedBook(number).title
            if number % stride == 0 { new.sessionID = sessions.first }
            if number % stride != 0, number % 5 != 1 { new.sessionID = sessions.last }
            let began = ContinuousClock.now
            guard let item = try store.capture(new) else { throw CheckFailure("item \(number) was not kept") }
            capture.append(began.duration(to: .now) / .milliseconds(1))
            if new.sessionID == nil { sessions.append(item.sessionID) }
        }
        func measure(_ name: String, _ call: () throws -> Int) async throws -> Double {
            var times: [Double] = []
            var count = 0
            for _ in 0..<calls { times.append(try await milliseconds { count = try call() }) }
            let latencies = Latencies(times)
            print(latencies.row("\(name), \(count) lines"))
            return latencies.percentile(95) ?? .infinity
        }
        let count = sessions.count
        print("\(items) items in \(count) sessions\n\n\(Latencies.head("call"))")
        print(Latencies(capture).row("capture of a text"))
        let first = try await measure("first page of sessions") { try store.sessions(limit: 50).count }
        let last = try await measure("last page of sessions") {
            try store.sessions(limit: 50, offset: max(0, count - 50)).count
        }
        let large = try await measure("first page of the largest session") {
            try store.summaries(of: sessions[0], captures: 100).lines.count
        }
        _ = try await measure("all lines of the largest session") { try store.summaries(of: sessions[0]).lines.count }
        _ = try await measure("first page of some session") {
            try store.summaries(of: sessions[Int.random(in: 0..<count, using: &random)], captures: 100).lines.count
        }
        let counts = try await measure("counts") { try store.counts().items }
        try end([], isGood: max(first, last, large, counts) <= 30)
    }
}
