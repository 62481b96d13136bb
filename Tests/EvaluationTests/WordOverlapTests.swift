import Basics
import TestSupport
import Testing

@testable import Evaluation

@Suite(.tags(.unit)) struct WordOverlapTests {
    // Counted by hand.
    @Test func orderAndCaseDoNotCount() {
        let overlap = WordOverlap(reference: "TOLKIEN The Hobbit", hypothesis: "the hobbit tolkien")
        #expect(overlap == WordOverlap(shared: 3, referenceWords: 3, hypothesisWords: 3))
        #expect(overlap.f1 == .value(1))
    }

    @Test func aWordCountsAsOftenAsOnBothSides() {
        let overlap = WordOverlap(reference: "the the sea", hypothesis: "the the the sky")
        #expect(overlap == WordOverlap(shared: 2, referenceWords: 3, hypothesisWords: 4))
        #expect(overlap.precision == .value(0.5))
        #expect(overlap.recall == .value(2.0 / 3))
        // 2 · 0.5 · ⅔ / (0.5 + ⅔) = 4/7
        #expect(overlap.f1 == .value(4.0 / 7))
    }

    @Test func nothingReadScoresZeroAndHasNoPrecision() {
        let overlap = WordOverlap(reference: "the sea", hypothesis: "")
        #expect(overlap.precision == .absent("the hypothesis has no words"))
        #expect(overlap.recall == .value(0))
        #expect(overlap.f1 == .value(0))
    }

    @Test func noReferenceHasNoScore() {
        #expect(WordOverlap(reference: "", hypothesis: "sea").f1 == .absent("the reference has no words"))
    }

    @Test func overlapsAddUp() {
        let sum = WordOverlap(reference: "a b", hypothesis: "a") + WordOverlap(reference: "c", hypothesis: "c d")
        #expect(sum == WordOverlap(shared: 2, referenceWords: 3, hypothesisWords: 3))
    }
}
