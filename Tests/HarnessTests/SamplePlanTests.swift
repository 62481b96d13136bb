import SpineDatasets
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct SamplePlanTests {
    private let samples = (0..<20).map { Sample.made("s\($0)") }

    @Test func everyRepetitionReadsEverySampleOnceInAnOrderOfItsOwn() {
        let steps = SamplePlan(samples: samples, repetitions: 3, seeds: [1]).first(60)
        #expect(steps.map(\.repetition) == [1, 2, 3].flatMap { Array(repeating: $0, count: 20) })
        let orders = (1...3).map { number in steps.filter { $0.repetition == number }.map(\.sample.id) }
        #expect(orders.allSatisfy { Set($0) == Set(samples.map(\.id)) })
        #expect(Set(orders).count == 3)
    }

    @Test func theSeedDecidesTheOrder() {
        let steps = SamplePlan(samples: samples, repetitions: 2, seeds: [7]).first(40)
        #expect(SamplePlan(samples: samples, repetitions: 2, seeds: [7]).first(40) == steps)
        #expect(SamplePlan(samples: samples, repetitions: 2, seeds: [8]).first(40) != steps)
    }
}
