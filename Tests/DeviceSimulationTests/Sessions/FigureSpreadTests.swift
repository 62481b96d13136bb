import Foundation
import Testing

@testable import DeviceSimulation

@Suite struct FigureSpreadTests {
    private func spread(_ numbers: [Double]) -> FigureSpread {
        var spread = FigureSpread()
        for number in numbers { spread.add(number) }
        return spread
    }

    @Test func meanAndDeviationByHand() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squared differences 32, 32/7.
        let spread = spread([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(spread.mean == 5)
        #expect(abs((spread.standardDeviation ?? 0) - (32.0 / 7).squareRoot()) < 1e-12)
        #expect(spread.smallest == 2)
        #expect(spread.largest == 9)
    }

    @Test func noneAndOneHaveNoDeviation() {
        #expect(FigureSpread().mean == nil)
        #expect(FigureSpread().smallest == nil)
        #expect(spread([3]).standardDeviation == nil)
    }

    @Test func aSmallDeviationOfLargeNumbersIsKept() {
        // A million pairs of 10,000 ± 1, mean 10,000, deviation √(2·10⁶/(2·10⁶ − 1)).
        var spread = FigureSpread()
        for _ in 0..<1_000_000 {
            spread.add(9_999)
            spread.add(10_001)
        }
        #expect(abs((spread.mean ?? 0) - 10_000) < 1e-6)
        #expect(abs((spread.standardDeviation ?? 0) - (2e6 / (2e6 - 1)).squareRoot()) < 1e-9)
    }

    @Test func temperaturesBelowZeroCount() {
        #expect(spread([-5, -7]).mean == -6)
        #expect(spread([-5, -7]).smallest == -7)
    }
}
