import Testing

@testable import ScanningPolicies

@Suite struct AlertRulesTests {
    private typealias Kind = PerformanceAlert.Kind

    /// Returns the alert about inferences with a target of 50 ms, 50 MB and 5 %.
    private func alert(_ kind: Kind, _ inferences: [InferenceMetrics]) -> PerformanceAlert? {
        let statistics = PerformanceStatistics(of: inferences, target: .pose)
        return AlertRules.alerts(for: statistics, target: .pose, at: .seconds(3)).first { $0.kind == kind }
    }

    /// Returns 20 inferences of 30 ms, but with a kind's figure.
    private func inferences(_ kind: Kind, _ figure: Double) -> [InferenceMetrics] {
        let one = InferenceMetrics(
            latency: .microseconds(kind == .latency ? Int((figure * 1000).rounded()) : 30_000),
            memoryBytes: kind == .memory ? Int(figure) : nil,
            batteryPercentPer30Minutes: kind == .battery ? figure : nil
        )
        return Array(repeating: one, count: 20)
    }

    private func share(_ met: Int, of count: Int) -> [InferenceMetrics] {
        (0..<count).map { InferenceMetrics(latency: .milliseconds($0 < met ? 50 : 51)) }
    }

    /// Figures on a limit are not above it; warnings about the battery begin at 12 and 15 % for any target.
    @Test(
        arguments: [
            (.latency, 50, nil), (.latency, 50.001, .info), (.latency, 70, .info), (.latency, 75, .info),
            (.latency, 75.001, .warning), (.latency, 80, .warning), (.latency, 100, .warning),
            (.latency, 100.001, .critical), (.latency, 105, .critical), (.memory, 50_000_000, nil),
            (.memory, 50_000_001, .info), (.memory, 60_000_000, .info), (.memory, 60_000_001, .warning),
            (.memory, 75_000_000, .warning), (.memory, 75_000_001, .critical), (.battery, 5, nil),
            (.battery, 5.01, .info), (.battery, 12, .info), (.battery, 12.01, .warning), (.battery, 15, .warning),
            (.battery, 15.01, .critical), (.battery, 108, .critical),
        ] as [(PerformanceAlert.Kind, Double, PerformanceAlert.Severity?)]
    )
    func limits(_ kind: PerformanceAlert.Kind, _ figure: Double, _ expected: PerformanceAlert.Severity?) {
        #expect(alert(kind, inferences(kind, figure))?.severity == expected)
    }

    /// Numbers of readings that meet 50 ms: 80 and 90 % are not below themselves.
    @Test(
        arguments: [
            (100, 100, nil), (90, 100, nil), (89, 100, .warning), (80, 100, .warning), (79, 100, .critical),
            (0, 100, .critical), (18, 20, nil), (16, 20, .warning), (15, 20, .critical), (0, 19, nil),
        ] as [(Int, Int, PerformanceAlert.Severity?)]
    )
    func compliance(_ met: Int, _ count: Int, _ expected: PerformanceAlert.Severity?) {
        #expect(alert(.compliance, share(met, of: count))?.severity == expected)
    }

    @Test func noRoundingMakesAShareOnItsLimitFallBelowIt() {
        for count in stride(from: 20, through: 2000, by: 10) {
            #expect(alert(.compliance, share(count * 9 / 10, of: count)) == nil)
            #expect(alert(.compliance, share(count * 8 / 10, of: count))?.severity == .warning)
        }
    }

    @Test func theMessagesAreTheDocuments() throws {
        let latency = try #require(alert(.latency, inferences(.latency, 120)))
        #expect(latency.severity == .critical && latency.model == "Pose Detection" && latency.time == .seconds(3))
        let others = [
            alert(.memory, inferences(.memory, 80_500_000)), alert(.battery, inferences(.battery, 16)),
            alert(.compliance, share(75, of: 100)), alert(.compliance, share(85, of: 100)),
        ]
        #expect(
            [latency.message] + others.compactMap(\.?.message) == [
                "Pose Detection P95 latency 120ms exceeds target 50ms",
                "Pose Detection memory 81MB exceeds requirement 50MB",
                "Pose Detection battery impact 16% per 30min exceeds target 5%",
                "Pose Detection target compliance 75% is below 80%",
                "Pose Detection target compliance 85% is below 90%",
            ]
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
        for kind in Kind.allCases { #expect(alert(kind, [InferenceMetrics(latency: .seconds(9))]) == nil) }
    }
}
