import Basics
import Evaluation
import TestSupport
import Testing

@testable import Harness

/// False alarms of `compare` and the regressions that it finds, by the code for real readings on drawn ones.
///
/// `SPINEBENCH_SIZE` times 25 comparisons of each kind; `research/false-alarms.sh` compares for real.
@Suite struct FalseAlarmTests {
    /// A comparison of 240 samples, or of 48 where processes differ by 15 %.
    struct Kind: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault = SimulatedComparison.Fault.none
        var isNoisy = false
    }

    @Test(arguments: [
        Kind(testDescription: "no change"), Kind(testDescription: "slower by 10 %", fault: .slowdown(0.1)),
        Kind(testDescription: "slower by 250 %", fault: .slowdown(2.5)),
        Kind(testDescription: "no change, noisy", isNoisy: true),
        Kind(testDescription: "slower by 250 %, noisy", fault: .slowdown(2.5), isNoisy: true),
        Kind(testDescription: "5 points of titles lost", fault: .loss(0.05)),
    ])
    func twoPerCentFalseAlarmsAndNinetyFiveFound(_ kind: Kind) {
        var quality = Quality()
        for index in 0..<UInt64(25 * TestSize.factor) {
            let comparison = SimulatedComparison(
                seed: 1 &+ index &* 0x9e37_79b9_7f4a_7c15,
                samples: kind.isNoisy ? 48 : 240,
                luck: kind.isNoisy ? 0.15 : 0.01,
                fault: kind.fault
            ).result()
            let impossible = (comparison.rows + comparison.categories).filter(\.isImpossible)
            #expect(impossible.isEmpty, "impossible bounds, comparison \(index): \(impossible)")
            quality.add((comparison.verdict == .fail) != kind.fault.isNone, "comparison \(index)")
        }
        quality.expect(kind.testDescription, atLeast: kind.fault.isNone ? 98 : 95)
    }
}

extension SimulatedComparison.Fault {
    fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
