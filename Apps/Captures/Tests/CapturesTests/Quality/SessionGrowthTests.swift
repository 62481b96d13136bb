import Foundation
import TestSupport
import Testing

@testable import Captures

/// Lists of a store of many items.
@Suite struct SessionGrowthTests {
    /// P95 by the clock, at 2,000 items times `SPINEBENCH_SIZE`, a tenth of them in one session; 10,000 have 3.2 ms at most.
    @Test(.measured) func listsTakeThirtyMilliseconds() throws {
        let folder = try TemporaryFolder()
        let store = try CaptureStore(path: folder("sessions.sqlite"))
        let items = 2_000 * TestSize.factor
        var sessions: [UUID] = []
        for number in 0..<items {
            let time = 1_790_000_000 + Double(number) * 60
            var new = NewCapture(kind: .text, capturedAt: Date(timeIntervalSince1970: time))
            new.text = "Note \(number) of a long day"
            if number % 10 == 0 { new.sessionID = sessions.first }
            if number % 10 != 0, number % 5 != 1 { new.sessionID = sessions.last }
            let item = try store.capture(new)
            if new.sessionID == nil { sessions.append(item.sessionID) }
        }
        let lists: [(name: String, call: () throws -> Int)] = [
            ("first page of sessions", { try store.sessions(limit: 50).count }),
            ("last page of sessions", { try store.sessions(limit: 50, offset: max(0, sessions.count - 50)).count }),
            (
                "first page of the largest session",
                { try store.summaries(of: sessions[0], captures: 100).lines.count }
            ),
            ("counts", { try store.counts().items }),
        ]
        for (name, call) in lists {
            var times = CallTimes()
            for _ in 0..<200 {
                let count = try times.measure(call)
                #expect(count > 0)
            }
            print("\(name) of \(items) items: P95 \(times.wall(95)) ms")
            #expect(times.wall(95) <= 30, "\(name)")
        }
    }
}
