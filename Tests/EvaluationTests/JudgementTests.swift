import TestSupport
import Testing

@testable import Basics
@testable import Evaluation
@testable import Statistics

@Suite(.tags(.unit)) struct JudgementTests {
    private let accuracy = Bound(.atLeast, 0.85)
    private let latency = Bound(.below, 50)

    @Test func aNumberIsOnOneSideOfItsTarget() {
        #expect(Judgement.of(.value(49.9), isMet: latency.isMet).verdict == .pass)
        #expect(Judgement.of(.value(50), isMet: latency.isMet).verdict == .fail)
        var atMost = latency
        atMost.comparator = .atMost
        #expect(Judgement.of(.value(50), isMet: atMost.isMet).verdict == .pass)
    }

    @Test func anAbsentNumberIsInconclusiveForItsReason() {
        #expect(
            Judgement.of(.absent("n too small"), isMet: latency.isMet) == Judgement(.inconclusive, note: "n too small")
        )
    }

    // The intervals with statsmodels 0.15.0: 85/100 [0.767, 0.907], 84/100 [0.756, 0.899], 98/100 [0.930, 0.994],
    // 50/100 [0.404, 0.596], 20/21 [0.773, 0.992], 5/21 [0.106, 0.451], 22/22 [0.851, 1].
    @Test(arguments: [
        // At the target itself; and 1.959964² · 0.85 · 0.15 / 0.01² = 4897.9.
        (85, 100, Judgement(.pass, note: "interval includes the target; cannot be decided by more spines to be sure")),
        (84, 100, Judgement(.fail, note: "interval includes the target; needs ≈ 4898 spines, 4798 more to be sure")),
        (98, 100, Judgement(.pass)),
        (50, 100, Judgement(.fail)),
        (20, 21, Judgement(.inconclusive, note: "n = 21 is too small: needs ≥ 22")),
        (5, 21, Judgement(.fail)),
        (22, 22, Judgement(.pass)),
        (0, 0, Judgement(.inconclusive, note: "no samples")),
    ])
    func aShareIsJudgedByItsPointUnlessThereAreTooFew(successes: Int, trials: Int, expected: Judgement) {
        let rate = RateEstimate.of(successes, trials)
        #expect(Judgement.of(rate, against: accuracy, rule: .point) == expected)
    }

    // Wilson's upper end of 0 of n is z² / (n + z²): at 380 it is 0.010008, at 381 0.009982.
    @Test(arguments: [(0, 14, Verdict.inconclusive), (0, 380, .inconclusive), (0, 381, .pass), (30, 60, .fail)])
    func whatIsToBeRareIsNotShownByFew(successes: Int, trials: Int, expected: Verdict) {
        var rare = accuracy
        (rare.comparator, rare.limit) = (.atMost, 0.01)
        #expect(Judgement.of(.of(successes, trials), against: rare, rule: .point).verdict == expected)
        // The absence of any is a count.
        rare.limit = 0
        #expect(Judgement.of(.of(0, 14), against: rare, rule: .point).verdict == .pass)
    }

    @Test func byTheIntervalNothingIsDecidedWhileTheTargetIsInside() {
        let open = Judgement.of(.of(84, 100), against: accuracy, rule: .interval)
        #expect(open == Judgement(.inconclusive, note: "interval includes the target; needs ≈ 4898 spines, 4798 more"))
        #expect(Judgement.of(.of(98, 100), against: accuracy, rule: .interval) == Judgement(.pass))
        #expect(Judgement.of(.of(50, 100), against: accuracy, rule: .interval) == Judgement(.fail))
    }

    @Test func oneFailureFailsAndOneDoubtLeavesItOpen() {
        #expect(Verdict.overall([.pass, .inconclusive, .fail]) == .fail)
        #expect(Verdict.overall([.pass, .inconclusive]) == .inconclusive)
        #expect(Verdict.overall([.pass]) == .pass)
        #expect(Verdict.overall([Verdict]()) == nil)
    }
}

extension RateEstimate {
    /// Returns a share of samples that each come from elsewhere.
    fileprivate static func of(_ successes: Int, _ trials: Int) -> RateEstimate {
        RateEstimate((0..<trials).map { $0 < successes }, groups: [String?](repeating: nil, count: trials))
    }
}
