import Testing

@testable import ScanningPolicies

@Suite struct AlertRulesTests {
    private let pose = ModelTarget.pose

    /// Returns 20 inferences, all of equal duration.
    private func statistics(
        milliseconds: Double = 30,
        memory: Int? = nil,
        battery: Double? = nil
    ) -> PerformanceStatistics {
        let one = InferenceMetrics(
            model: pose.name,
            time: .zero,
            latency: .microseconds(Int((milliseconds * 1000).rounded())),
            memoryBytes: memory,
            batteryPercentPer30Minutes: battery
        )
        return PerformanceStatistics(of: Array(repeating: one, count: 20), target: pose)
    }

    private func alert(
        _ kind: PerformanceAlert.Kind,
        _ statistics: PerformanceStatistics
    ) -> PerformanceAlert? {
        AlertRules().alerts(for: statistics, target: pose, at: .seconds(3)).first { $0.kind == kind }
    }

    @Test func theMessageIsTheDocuments() {
        let alert = alert(.latency, statistics(milliseconds: 120))
        #expect(
            alert
                == PerformanceAlert(
                    severity: .critical,
                    kind: .latency,
                    message: "Pose Detection P95 latency 120ms exceeds target 50ms",
                    model: "Pose Detection",
                    time: .seconds(3)
                )
        )
    }

    /// The target is 50 ms; on a limit is not above it.
    @Test(
        "P95 against a target of 50 ms",
        arguments: [
            (50, nil), (50.001, .info), (70, .info), (75, .info), (75.001, .warning), (80, .warning), (100, .warning),
            (100.001, .critical), (105, .critical),
        ] as [(Double, PerformanceAlert.Severity?)]
    )
    func latency(_ milliseconds: Double, _ expected: PerformanceAlert.Severity?) {
        #expect(alert(.latency, statistics(milliseconds: milliseconds))?.severity == expected)
    }

    @Test(
        "memory against a requirement of 50 MB",
        arguments: [
            (50_000_000, nil), (50_000_001, .info), (60_000_000, .info), (60_000_001, .warning),
            (75_000_000, .warning), (75_000_001, .critical),
        ] as [(Int, PerformanceAlert.Severity?)]
    )
    func memory(_ bytes: Int, _ expected: PerformanceAlert.Severity?) {
        #expect(alert(.memory, statistics(memory: bytes))?.severity == expected)
    }

    /// Warnings begin at 12 and 15 % for any target of the model, here 5 %.
    @Test(
        "battery in half an hour",
        arguments: [
            (5, nil), (5.01, .info), (12, .info), (12.01, .warning), (15, .warning), (15.01, .critical),
            (108, .critical),
        ] as [(Double, PerformanceAlert.Severity?)]
    )
    func battery(_ percent: Double, _ expected: PerformanceAlert.Severity?) {
        #expect(alert(.battery, statistics(battery: percent))?.severity == expected)
    }

    /// Numbers of readings that meet 50 ms: 80 and 90 % are not below themselves, at any size of the group.
    @Test(
        "the share that meets the target",
        arguments: [
            (100, 100, nil), (90, 100, nil), (89, 100, .warning), (80, 100, .warning), (79, 100, .critical),
            (0, 100, .critical), (18, 20, nil), (16, 20, .warning), (15, 20, .critical), (0, 19, nil),
        ] as [(Int, Int, PerformanceAlert.Severity?)]
    )
    func compliance(_ met: Int, _ count: Int, _ expected: PerformanceAlert.Severity?) {
        #expect(alert(.compliance, shares(met, of: count))?.severity == expected)
    }

    @Test func noRoundingMakesAShareOnItsLimitFallBelowIt() {
        for count in stride(from: 20, through: 2000, by: 10) {
            #expect(alert(.compliance, shares(count * 9 / 10, of: count)) == nil)
            #expect(alert(.compliance, shares(count * 8 / 10, of: count))?.severity == .warning)
        }
    }

    private func shares(_ met: Int, of count: Int) -> PerformanceStatistics {
        let metrics = (0..<count).map {
            InferenceMetrics(model: pose.name, time: .zero, latency: .milliseconds($0 < met ? 50 : 51))
        }
        return PerformanceStatistics(of: metrics, target: pose)
    }

    @Test func theOtherMessagesAreInTheSameStyle() {
        #expect(
            alert(.memory, statistics(memory: 80_500_000))?.message
                == "Pose Detection memory 81MB exceeds requirement 50MB"
        )
        #expect(
            alert(.battery, statistics(battery: 16))?.message
                == "Pose Detection battery impact 16% per 30min exceeds target 5%"
        )
        #expect(
            alert(.compliance, shares(75, of: 100))?.message == "Pose Detection target compliance 75% is below 80%"
        )
        #expect(
            alert(.compliance, shares(85, of: 100))?.message == "Pose Detection target compliance 85% is below 90%"
        )
    }

    @Test func aFigureNextToItsLimitIsWrittenSoThatItDiffers() {
        #expect(DecimalText.apart(50.2, 50) == ("50.2", "50"))
        #expect(DecimalText.apart(50.004, 50) == ("50.004", "50"))
        #expect(DecimalText.apart(62, 62.5) == ("62", "62.5"))
        #expect(DecimalText.apart(0.05, 0) == ("0.1", "0"))
        #expect(DecimalText.apart(1e300, 1).0 == "1e+300")
    }

    @Test func whatIsNotKnownGivesNoAlert() {
        let one = InferenceMetrics(model: pose.name, time: .zero, latency: .seconds(9))
        let few = PerformanceStatistics(of: [one], target: pose)
        #expect(AlertRules().alerts(for: few, target: pose, at: .zero).isEmpty)
    }
}
