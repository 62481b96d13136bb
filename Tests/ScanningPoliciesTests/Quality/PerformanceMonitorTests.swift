import TestSupport
import Testing

@testable import ScanningPolicies

@Suite struct PerformanceMonitorTests {
    @Test func alertsGoToTheStreamWithTheClocksTime() async {
        let clock = ManualClock()
        let monitor = PerformanceMonitor(targets: [.pose, .parent], clock: clock)
        for _ in 0..<20 {
            clock.advance(by: .seconds(1))
            await monitor.record("Pose Detection", latency: .milliseconds(120))
            await monitor.record("Parent Stress", latency: .milliseconds(120))
        }
        var alerts = monitor.alerts.makeAsyncIterator()
        guard case .raised(let first)? = await alerts.next(), case .raised(let second)? = await alerts.next() else {
            Issue.record("two alerts are expected")
            return
        }
        #expect(first.message == "Pose Detection P95 latency 120ms exceeds target 50ms")
        #expect(first.time == .seconds(20) && second.kind == .compliance)
        #expect(await monitor.activeAlerts == [first, second])
        #expect(await monitor.statistics(of: "Parent Stress")?.p95 == 120)
        clock.advance(by: .seconds(61))
        #expect(await monitor.statistics(of: "Parent Stress")?.sampleCount == 0)
        #expect(await monitor.record("none", latency: .seconds(1)).isEmpty)
        #expect(await monitor.statistics(of: "none") == nil)
    }

    @Test func theStreamEndsWithTheMonitor() async {
        var monitor: PerformanceMonitor? = PerformanceMonitor(targets: ModelTarget.tiers, clock: ManualClock())
        let alerts = monitor?.alerts
        monitor = nil
        var count = 0
        if let alerts { for await _ in alerts { count += 1 } }
        #expect(count == 0)
    }

    /// S3-23, S3-24: on a phone whose unit takes 18 % in half an hour, by how much of two minutes a model works.
    @Test(
        arguments: [
            (100, PerformanceAlert.Severity.critical), (75, .warning), (60, .info), (40, nil), (5, nil),
        ] as [(Int, PerformanceAlert.Severity?)]
    )
    func batteryAlertsFollowTheTimeThatAModelWorks(_ busy: Int, _ severity: PerformanceAlert.Severity?) async {
        let clock = ManualClock()
        let monitor = PerformanceMonitor(targets: ModelTarget.tiers, clock: clock) { 18 * $0 }
        for _ in 0..<1_200 {
            clock.advance(by: .milliseconds(100))
            await monitor.record("accurate", latency: .milliseconds(busy))
        }
        #expect(await monitor.activeAlerts.first { $0.kind == .battery }?.severity == severity)
    }

    /// Computed by hand: work since the first inference began, over that time and a minute at least.
    @Test(
        arguments: [
            ([(1.0, 1.0)], 1.0 / 60), ([(1, 1), (2, 1), (3, 1)], 3.0 / 60), ([(60, 60)], 1),
            ([(60, 60), (120, 0)], 0.5),
            ([(100, 300)], 1), ([(0.5, 0.5), (120, 29.5)], 0.25),
        ] as [([(Double, Double)], Double)]
    )
    func theShareOfTimeThatIsWorked(_ inferences: [(end: Double, latency: Double)], _ share: Double) {
        var reading = ReadingShare()
        var last = 0.0
        for (end, latency) in inferences { last = reading.add(.seconds(latency), endingAt: .seconds(end)) }
        #expect(abs(last - share) < 1e-9)
    }
}
