import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

@Suite struct SplitPlanTests {
    private let shares = [
        SplitPlan.Share(name: "train", share: 0.7), .init(name: "dev", share: 0.1), .init(name: "test", share: 0.2),
    ]

    private func counts(_ splits: [String]) -> [String: Int] { Dictionary(splits.map { ($0, 1) }, uniquingKeysWith: +) }

    @Test func samplesWithoutGroupsMeetTheSharesInEveryCategory() {
        let samples = (0..<100).map { Sample.made("v\($0)") } + (0..<50).map { Sample.made("s\($0)", .stylized) }
        for seed in [1, 2, 3] as [UInt64] {
            let plan = SplitPlan(samples, shares: shares, seed: seed)
            #expect(counts(Array(plan.splits[..<100])) == ["train": 70, "dev": 10, "test": 20])
            #expect(counts(Array(plan.splits[100...])) == ["train": 35, "dev": 5, "test": 10])
        }
    }

    @Test func aGroupStaysTogether() {
        let samples = (0..<120).map { Sample.made("\($0)", $0 % 3 == 0 ? .inverted : .vertical, group: "g\($0 / 6)") }
        let plan = SplitPlan(samples, shares: shares, seed: 1)
        for group in 0..<20 { #expect(Set(plan.splits[(6 * group)..<(6 * group + 6)]).count == 1) }
        // 20 groups of equal make: 14, 2 and 4.
        #expect(counts(plan.splits) == ["train": 84, "dev": 12, "test": 24])
    }

    @Test func aSampleThatIsCalledAsAGroupIsNotInIt() {
        let samples = [Sample.made("g"), Sample.made("a", group: "g")]
        let plan = SplitPlan(samples, shares: [.init(name: "x", share: 0.5), .init(name: "y", share: 0.5)], seed: 1)
        #expect(Set(plan.splits) == ["x", "y"])
    }

    @Test func theSeedDecidesAndOneMoreSampleMovesFewOthers() {
        let samples = (0..<200).map { Sample.made("v\($0)") }
        let plan = SplitPlan(samples, shares: shares, seed: 1)
        #expect(plan == SplitPlan(samples, shares: shares, seed: 1))
        #expect(plan.splits != SplitPlan(samples, shares: shares, seed: 2).splits)
        let longer = SplitPlan([Sample.made("new")] + samples, shares: shares, seed: 1)
        let moved = zip(plan.splits, longer.splits.dropFirst()).count { $0 != $1 }
        #expect(moved <= 4, "\(moved)")
    }

    @Test func oneGroupAndNoneArePlansToo() {
        #expect(SplitPlan([], shares: shares, seed: 1).splits.isEmpty)
        let one = SplitPlan((0..<3).map { Sample.made("\($0)", group: "g") }, shares: shares, seed: 1)
        #expect(Set(one.splits).count == 1)
        #expect(SplitPlan([.made("a")], shares: [.init(name: "all", share: 1)], seed: 1).splits == ["all"])
    }
}
