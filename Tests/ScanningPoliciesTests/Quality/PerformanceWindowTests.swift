import Testing

@testable import ScanningPolicies

@Suite struct PerformanceWindowTests {
    private var window = PerformanceWindow(target: .pose, limits: .init(count: 20, settling: .seconds(5)))

    /// Adds inferences, `step` seconds apart; returns changes such as "21 latency critical" and "63 latency over".
    private mutating func add(
        _ numbers: Range<Int>,
        every step: Double = 1,
        _ figures: (Int) -> (milliseconds: Int, megabytes: Int?)
    ) -> [String] {
        numbers.flatMap { number in
            let (milliseconds, megabytes) = figures(number)
            return window.add(
                InferenceMetrics(
                    time: .seconds(step * Double(number)),
                    latency: .milliseconds(milliseconds),
                    memoryBytes: megabytes.map { $0 * 1_000_000 }
                )
            ).map { change in
                switch change {
                case .raised(let alert): "\(number) \(alert.kind) \(alert.severity)"
                case .recovered(let alert): "\(number) \(alert.kind) over"
                }
            }
        }
    }

    /// Twenty slow ones from the 20th second on: two of twenty are slow at 21 s, so that the 19th of them is; one is at
    /// 58 s, and that for five seconds at 63 s.
    @Test mutating func anAlertIsRaisedOnceAndRecoversAfterAQuietTime() {
        let changes = add(0..<80) { ((20..<40).contains($0) ? 120 : 30, nil) }
        #expect(changes.filter { $0.contains("latency") } == ["21 latency critical", "63 latency over"])
        #expect(window.alerts.isEmpty)
    }

    /// The peak of twenty inferences: the last 100 MB leave the window at 69 s, and it takes five seconds more.
    @Test mutating func aWorseAlertIsRaisedAtOnceAndALesserOneAfterItsTime() {
        let changes = add(0..<100) { (30, $0 < 30 ? 55 : $0 < 50 ? 100 : 61) }
        #expect(changes == ["0 memory info", "30 memory critical", "74 memory warning"])
    }

    /// The peak sways between the limit's two sides every two seconds: an alert may change once in its settling time.
    @Test mutating func aFigureThatSwaysAboutItsLimitDoesNotFloodTheReader() {
        #expect(add(0..<1000, every: 0.1) { (30, 49 + $0 / 21 % 2 * 2) }.count <= 2)
    }

    @Test mutating func whatIsTooOldOrTooManyDoesNotCount() {
        window = PerformanceWindow(target: .pose, limits: .init(count: 12, time: .seconds(10)))
        _ = add(0..<50) { ($0, nil) }
        // Those of 39 s to 49 s.
        #expect(window.count == 11 && window.statistics.minimumMilliseconds == 39)
        window.expire(at: .seconds(55))
        #expect(window.count == 5)
        window.expire(at: .seconds(1000))
        #expect(window.count == 0 && window.statistics.averageMilliseconds == nil)
        _ = add(2000..<2050, every: 0.5) { ($0, nil) }
        #expect(window.count == 12 && window.statistics.minimumMilliseconds == 2038)
    }

    @Test(arguments: [
        (120, ["39 latency critical", "39 compliance critical"]), (30, ["39 latency over", "39 compliance over"]),
    ])
    mutating func afterForgettingAnAlertWaitsForEnoughInferences(milliseconds: Int, changes: [String]) {
        window = PerformanceWindow(target: .pose)
        _ = add(0..<20) { _ in (120, nil) }
        #expect(window.alerts.map(\.kind) == [.latency, .compliance])
        window.forget()
        #expect(window.alerts.isEmpty && window.count == 0)
        #expect(add(20..<40) { _ in (milliseconds, nil) } == changes)
        #expect(window.alerts.map(\.time) == (milliseconds == 120 ? [.seconds(39), .seconds(39)] : []))
    }
}
