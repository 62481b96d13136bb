import Testing

@testable import ScanningPolicies

@Suite struct PerformanceWindowTests {
    private let pose = ModelTarget.pose

    private func metrics(_ second: Double, _ milliseconds: Int, memory: Int? = nil) -> InferenceMetrics {
        InferenceMetrics(
            model: pose.name,
            time: .seconds(second),
            latency: .milliseconds(milliseconds),
            memoryBytes: memory
        )
    }

    @Test func anAlertIsRaisedOnceAndRecoversAfterAQuietTime() {
        var window = PerformanceWindow(target: pose, limits: .init(count: 20, settling: .seconds(5)))
        var changes: [(Int, AlertChange)] = []
        for second in 0..<80 {
            // Twenty slow ones from the 20th second on.
            let new = window.add(metrics(Double(second), (20..<40).contains(second) ? 120 : 30))
            changes += new.filter { if case .raised(let alert) = $0 { alert.kind == .latency } else { true } }
                .map { (second, $0) }
        }
        // Two of twenty are slow at 21 s, so that the 19th of them is; one is at 58 s, and that for five seconds at
        // 63 s.
        #expect(changes.first?.0 == 21)
        guard case .raised(let raised)? = changes.first?.1 else {
            Issue.record("nothing was raised")
            return
        }
        #expect(raised.severity == .critical && raised.message.hasSuffix("120ms exceeds target 50ms"))
        let recovered = changes.compactMap { change -> Int? in
            if case .recovered(let alert) = change.1, alert.kind == .latency { change.0 } else { nil }
        }
        #expect(recovered == [63])
        #expect(changes.count { if case .raised = $0.1 { true } else { false } } == 1)
        #expect(window.alerts.isEmpty)
    }

    @Test func aWorseAlertIsRaisedAtOnceAndALesserOneAfterItsTime() {
        var window = PerformanceWindow(target: pose, limits: .init(count: 20, settling: .seconds(5)))
        var raised: [String] = []
        for second in 0..<100 {
            let memory = second < 30 ? 55 : second < 50 ? 100 : 61
            for change in window.add(metrics(Double(second), 30, memory: memory * 1_000_000)) {
                if case .raised(let alert) = change { raised.append("\(second) \(alert.severity.rawValue)") }
            }
        }
        // The peak of twenty inferences: the last 100 MB leave the window at 69 s, and it takes five seconds more.
        #expect(raised == ["0 info", "30 critical", "74 warning"])
    }

    @Test func whatIsTooOldDoesNotCount() {
        var window = PerformanceWindow(target: pose, limits: .init(count: 100, time: .seconds(10)))
        for second in 0..<50 { _ = window.add(metrics(Double(second), second)) }
        // Those of 39 s to 49 s.
        #expect(window.count == 11 && window.statistics.minimumMilliseconds == 39)
        window.expire(at: .seconds(55))
        #expect(window.count == 5)
        window.expire(at: .seconds(1000))
        #expect(window.count == 0 && window.statistics.averageMilliseconds == nil)
    }

    @Test func afterForgettingAnAlertWaitsForEnoughInferencesAndThenHoldsOrEnds() {
        func window(after milliseconds: Int) -> (PerformanceWindow, [AlertChange]) {
            var window = PerformanceWindow(target: pose)
            for second in 0..<20 { _ = window.add(metrics(Double(second), 120)) }
            #expect(window.alerts.map(\.kind) == [.latency, .compliance])
            window.forget()
            #expect(window.alerts.isEmpty && window.count == 0)
            var changes: [AlertChange] = []
            for second in 20..<40 {
                #expect(changes.isEmpty)
                changes += window.add(metrics(Double(second), milliseconds))
            }
            return (window, changes)
        }
        let (still, raised) = window(after: 120)
        #expect(still.alerts.map(\.time) == [.seconds(39), .seconds(39)])
        #expect(raised == still.alerts.map(AlertChange.raised))
        let (over, recovered) = window(after: 30)
        #expect(over.alerts.isEmpty)
        #expect(
            recovered.count { if case .recovered(let alert) = $0 { alert.time == .seconds(39) } else { false } } == 2
        )
    }

    /// Running sums and the sorted list, compared with recomputed statistics of the same inferences.
    @Test func theFiguresAreThoseOfTheInferencesThatCount() {
        var window = PerformanceWindow(target: pose, limits: .init(count: 37, time: .seconds(20)))
        var all: [InferenceMetrics] = []
        var random = UInt64(1)
        for step in 0..<2000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            all.append(metrics(Double(step) * 0.7, Int(random >> 57), memory: Int(random >> 40)))
            _ = window.add(all[step])
            let counted = all.suffix(37).filter { all[step].time - $0.time <= .seconds(20) }
            #expect(window.statistics == PerformanceStatistics(of: Array(counted), target: pose))
        }
    }

    @Test func ofAHundredThousandInferencesItHoldsNoMoreThanItsWindow() {
        var window = PerformanceWindow(target: pose)
        for step in 0..<100_000 {
            _ = window.add(metrics(Double(step) / 1000, step % 97))
            if step % 1000 == 0 { #expect(window.count <= 100) }
        }
        #expect(window.count == 100 && window.statistics.sampleCount == 100)
    }

    /// Latencies alternate between the P95 limit's two sides: an alert may change once in its settling time, not with
    /// every inference.
    @Test func aFigureThatSwaysAboutItsLimitDoesNotFloodTheReader() {
        var window = PerformanceWindow(target: pose, limits: .init(count: 20, settling: .seconds(5)))
        var count = 0
        for step in 0..<1000 {
            count += window.add(metrics(Double(step) * 0.1, 30, memory: 49_000_000 + step / 21 % 2 * 2_000_000)).count
        }
        #expect(count <= 2)
    }
}
