import Foundation
import Testing

@testable import DeviceSimulation

@Suite struct ExactSumTests {
    private func sum(_ numbers: [Double]) -> ExactSum {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum
    }

    @Test func meanAndDeviationByHand() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squared differences 32, 32/7.
        let sum = sum([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(sum.mean == 5)
        #expect(abs((sum.standardDeviation ?? 0) - (32.0 / 7).squareRoot()) < 1e-12)
        #expect(sum.smallest == 2_000_000)
        #expect(sum.largest == 9_000_000)
    }

    @Test func noneAndOneHaveNoDeviation() {
        #expect(ExactSum().mean == nil)
        #expect(ExactSum().smallest == nil)
        #expect(sum([3]).standardDeviation == nil)
    }

    @Test func squaresBeyond64BitsAreExact() {
        // A million pairs of 10,000 ± 1, squares of 10²⁰: mean 10,000, deviation √(2·10⁶/(2·10⁶ − 1)).
        var sum = ExactSum()
        for _ in 0..<1_000_000 {
            sum.add(9_999)
            sum.add(10_001)
        }
        #expect(sum.mean == 10_000)
        #expect(abs((sum.standardDeviation ?? 0) - (2e6 / (2e6 - 1)).squareRoot()) < 1e-9)
    }

    @Test func mergingIsAddingInAnyOrder() {
        let numbers = (0..<100).map { Double($0) * 1e6 + 0.25 }
        var odd = sum(numbers.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
        let even = sum(numbers.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        odd.merge(even)
        #expect(odd == sum(numbers))
        #expect(odd == sum(numbers.reversed()))
        var none = ExactSum()
        none.merge(odd)
        #expect(none == odd)
    }

    @Test func temperaturesBelowZeroCount() {
        #expect(sum([-5, -7]).mean == -6)
        #expect(sum([-5, -7]).smallest == -7_000_000)
    }
}
