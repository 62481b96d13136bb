import Statistics
import Testing

@testable import Realism

@Suite struct EngineOrderTests {
    /// Title read of 100 spines each.
    private func ranking(_ set: String, _ read: (a: Int, b: Int, c: Int)) -> EngineRanking {
        EngineRanking(
            set: set,
            rates: [("a", read.a), ("b", read.b), ("c", read.c)].map { name, count in
                (name, Proportion(successes: count, trials: 100))
            }
        )
    }

    // Wilson at n = 100: 90 is [82.6, 94.5], 85 is [76.7, 90.7], 50 is [40.4, 59.6] (statsmodels' proportion_confint).
    @Test(arguments: [
        ((a: 90, b: 85, c: 50), "a ≈ b > c"), ((a: 50, b: 90, c: 85), "b ≈ c > a"),
        ((a: 90, b: 90, c: 90), "a ≈ b ≈ c"),
    ])
    func neighboursAreApartOrNot(read: (a: Int, b: Int, c: Int), text: String) {
        #expect(ranking("set", read).text == text)
    }

    @Test func setsThatSayTheSameContradictNobody() {
        let order = EngineOrder([ranking("x", (90, 60, 20)), ranking("y", (95, 50, 10))], engines: ["a", "b", "c"])
        #expect(order.pairs.count == 3)
        #expect(order.contradictions.isEmpty)
        #expect(order.undecided.isEmpty)
    }

    @Test func overlapIsNoContradiction() {
        let order = EngineOrder([ranking("x", (90, 85, 20)), ranking("y", (85, 90, 10))], engines: ["a", "b", "c"])
        #expect(order.contradictions.isEmpty)
        #expect(order.undecided.map { "\($0.first) \($0.second)" } == ["a b"])
    }

    @Test func twoSetsThatBothDecideCanContradictEachOther() throws {
        let sets = [ranking("x", (90, 50, 20)), ranking("y", (50, 90, 20)), ranking("z", (50, 50, 20))]
        let order = EngineOrder(sets, engines: ["a", "b", "c"])
        let pair = try #require(order.contradictions.first)
        #expect(order.contradictions.count == 1)
        #expect((pair.first, pair.second) == ("a", "b"))
        #expect(pair.firstBetter == ["x"])
        #expect(pair.secondBetter == ["y"])
        #expect(pair.undecided == ["z"])
        #expect(order.undecided.isEmpty)
    }

    @Test func oneEngineAndNoSpinesHaveNoOrder() {
        let none = EngineRanking(set: "x", rates: [("a", Proportion(successes: 0, trials: 0))])
        #expect(none.text == "a")
        #expect(EngineOrder([none], engines: ["a"]).pairs.isEmpty)
        let two = EngineRanking(
            set: "x",
            rates: [("a", Proportion(successes: 0, trials: 0)), ("b", Proportion(successes: 0, trials: 9))]
        )
        #expect(two.text == "b ≈ a")
    }
}
