import Basics
import Documents
import Evaluation
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// Ranges are ordered for any figures of a device, and modelled results never gate.
@Suite(.tags(.unit)) struct DeviceRangeTests {
    /// Devices whose figures are drawn at random, in air so warm that their worse sides are hot: there they read
    /// less, and take less of their batteries for it.
    private func assessment(seed: UInt64) async throws -> DeviceAssessment {
        var random = SplitMix64(state: seed)
        var profile = try PlantedRun.profile("Phone \(seed)")
        for figure in DeviceFigure.ofProfiles {
            guard let value = DeviceRun.numbers[figure] else { continue }
            let (range, isState) = (figure.meaning.range, [.fairAt, .seriousAt, .criticalAt].contains(figure))
            // States stay in their order.
            let (down, up) = isState ? (0.92, 1.04) : (0.4 + 0.6 * random.nextDouble(), 1 + random.nextDouble())
            profile.figures[figure] = PlantedRun.between(
                max(range.lowerBound, value * down),
                value,
                min(range.upperBound, value * up)
            )
        }
        var subject = PlantedRun.subject(
            "fast",
            tier: "fast",
            milliseconds: (0..<100).map { 20 + Double($0 % 10) * 30 * random.nextDouble() },
            unanswered: Int(random.next() % 3)
        )
        subject.plan.ambient = 36 + 4 * random.nextDouble()
        subject.targets = [
            Claim(source: "S0-T02", metric: .latencyP95, tier: "fast", comparator: .below, limit: 50),
            Claim(source: "S0-M04", metric: .peakFootprint, comparator: .below, limit: 200_000_000),
        ]
        var minutes = DeviceAssessor.Minutes()
        (minutes.short, minutes.long) = (0.5, 1)
        return try await DeviceAssessor(calibration: DeviceRun.calibration, minutes: minutes)
            .assess([subject], on: [profile])
    }

    @Test(arguments: UInt64(1)...4) func rangesGoFromLessToMore(_ seed: UInt64) async throws {
        let assessment = try await assessment(seed: seed)
        let tables = DeviceTables(assessment: assessment, gates: .none)
        var ranges = 0
        for cell in tables.tables.flatMap(\.rows).flatMap(\.self) {
            guard let match = cell.firstMatch(of: /\[(-?[0-9.]+)[^0-9–]*– (-?[0-9.]+)/) else { continue }
            ranges += 1
            #expect(try #require(Double(match.1)) <= #require(Double(match.2)), "\(cell)")
        }
        #expect(ranges > 10)
    }

    @Test func nothingModelledSaysThatItGatesUnlessItWasAsked() async throws {
        let assessment = try await assessment(seed: 1)
        func gates(_ asked: DeviceSelection.Gating) -> Set<String?> {
            Set(assessment.rows.flatMap(\.requirements).map { $0.gates ? DeviceTables.gates(asked, $0) : nil })
        }
        #expect(gates(.none) == [nil])
        #expect(gates(.all) == ["as asked", nil])
    }
}
