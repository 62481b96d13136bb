import SpineDatasets
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct ComparisonPlanTests {
    private let samples = (0..<130).map { Sample.made("s\($0)") }

    @Test func everyRoundReadsAllSamplesOnceInStintsOfAboutSixty() {
        let plan = ComparisonPlan(samples: samples, rounds: 2, seed: 1, sides: [.a, .b, .control])
        #expect(plan.stints.map(\.count) == [65, 65, 65, 65])
        for round in 1...2 {
            let steps = plan.stints.joined().filter { $0.round == round }
            #expect(Set(steps.map(\.sample.id)).count == 130 && steps.count == 130)
            #expect(steps.map(\.position) == Array(0..<130))
        }
        #expect(plan == ComparisonPlan(samples: samples, rounds: 2, seed: 1, sides: [.a, .b, .control]))
        #expect(plan != ComparisonPlan(samples: samples, rounds: 2, seed: 2, sides: [.a, .b, .control]))
    }

    @Test func everyOrderOfTheSidesComesEquallyOften() {
        let plan = ComparisonPlan(samples: Array(samples.prefix(60)), rounds: 1, seed: 1, sides: [.a, .b, .control])
        let orders = Dictionary(grouping: plan.stints[0], by: { $0.order.map(\.rawValue).joined() })
        #expect(orders.count == 6 && orders.values.allSatisfy { $0.count == 10 })
    }

    @Test func manySidesTakeEachPlaceEquallyOften() {
        let sides = (0..<8).map(ComparisonPlan.Side.init) + [.control]
        let plan = ComparisonPlan(samples: Array(samples.prefix(54)), rounds: 1, seed: 1, sides: sides)
        #expect(sides.map(\.rawValue) == ["A", "B", "C", "D", "E", "F", "G", "H", "A′"])
        for place in sides.indices {
            let there = Dictionary(grouping: plan.stints[0], by: { $0.order[place] })
            // 54 samples, nine sides.
            #expect(there.count == 9 && there.values.allSatisfy { $0.count == 6 })
        }
        #expect(plan.stints[0].allSatisfy { Set($0.order) == Set(sides) })
    }

    @Test func noSamplesMakeNoSteps() {
        let plan = ComparisonPlan(samples: [], rounds: 2, seed: 1, sides: [.a, .b])
        #expect(plan.stints == [[], []])
    }
}
