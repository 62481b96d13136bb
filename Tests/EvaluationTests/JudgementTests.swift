import Testing

@testable import Evaluation

@Suite struct JudgementTests {
    private let accuracy = Target(source: "test", metric: .titleRead, comparator: .atLeast, limit: 0.85)
    private let latency = Target(source: "test", metric: .latencyP95, comparator: .below, limit: 50)

    @Test func aNumberIsOnOneSideOfItsTarget() {
        #expect(Judgement.of(.value(49.9), against: latency).verdict == .pass)
        #expect(Judgement.of(.value(50), against: latency).verdict == .fail)
        var atMost = latency
        atMost.comparator = .atMost
        #expect(Judgement.of(.value(50), against: atMost).verdict == .pass)
    }

    @Test func anAbsentNumberIsInconclusiveForItsReason() {
        #expect(Judgement.of(.absent("n too small"), against: latency) == Judgement(.inconclusive, note: "n too small"))
    }

    // The intervals with statsmodels 0.15.0: 85/100 [0.767, 0.907], 84/100 [0.756, 0.899], 98/100 [0.930, 0.994],
    // 50/100 [0.404, 0.596], 20/21 [0.773, 0.992], 5/21 [0.106, 0.451], 22/22 [0.851, 1].
    @Test(arguments: [
        (85, 100, Judgement(.pass, note: "interval includes the target")),
        (84, 100, Judgement(.fail, note: "interval includes the target")),
        (98, 100, Judgement(.pass)),
        (50, 100, Judgement(.fail)),
        (20, 21, Judgement(.inconclusive, note: "n too small (needs ≥ 22)")),
        (5, 21, Judgement(.fail)),
        (22, 22, Judgement(.pass)),
        (0, 0, Judgement(.inconclusive, note: "no samples")),
    ])
    func aShareIsJudgedByItsPointUnlessThereAreTooFew(successes: Int, trials: Int, expected: Judgement) {
        let proportion = Proportion(successes: successes, trials: trials)
        #expect(Judgement.of(proportion, against: accuracy) == expected)
    }

    @Test func oneFailureFailsAndOneDoubtLeavesItOpen() {
        #expect(Verdict.overall([.pass, .inconclusive, .fail]) == .fail)
        #expect(Verdict.overall([.pass, .inconclusive]) == .inconclusive)
        #expect(Verdict.overall([.pass]) == .pass)
        #expect(Verdict.overall([Verdict]()) == nil)
    }
}
