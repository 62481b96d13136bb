import Basics
import Evaluation
import Testing

@testable import Harness

@Suite struct DrawsTests {
    private func draws(_ ranges: [DeviceFigure: (Double, Double)], seed: UInt64 = 1) -> Draws {
        Draws(
            ExampleDevice.profile(ranges: ranges).figures,
            relevant: DeviceFigure.ofProfiles,
            seed: seed
        )
    }

    /// SciPy 1.17.1: stats.triang.ppf at 0, 0.05, 0.25, 0.5 and 0.95.
    @Test(arguments: [
        (0.5, 1.0, 1.8, [0.5, 0.6802775637731995, 0.9031128874149275, 1.0788897449072021, 1.5719649149801722]),
        (2, 2, 5, [2, 2.075961696557311, 2.401923788646684, 2.878679656440357, 4.329179606750063]),
        (1, 4, 4, [1, 1.670820393249937, 2.5, 3.121320343559643, 3.924038303442689]),
    ])
    func quantilesAreThoseOfSciPy(low: Double, value: Double, high: Double, expected: [Double]) {
        let estimate = Estimate(value, low: low, high: high, source: "made up", kind: .assumed)
        for (share, quantile) in zip([0, 0.05, 0.25, 0.5, 0.95], expected) {
            #expect(estimate.quantile(share).isNear(quantile, 1e-12))
        }
    }

    @Test func drawsFillTheRangeAndHaveTheTrianglesMean() {
        let values = draws([.cameraPower: (0.5, 3)]).settings.map { $0[.cameraPower] }
        #expect(values.count == 400 && values.allSatisfy { (0.5...3).contains($0) })
        // (0.5 + 1 + 3) / 3, with a standard deviation of 0.54 and a standard error of 0.027.
        #expect((values.reduce(0, +) / 400).isNear(1.5, 0.08))
    }

    @Test func aSeedIsAPhoneForEveryVariantAndDevice() {
        let ranges: [DeviceFigure: (Double, Double)] = [.cameraPower: (0.5, 3), .cpuSpeed: (0.3, 0.9)]
        let (first, other) = (draws(ranges), draws(ranges, seed: 2))
        #expect(first.settings == draws(ranges).settings && first.settings != other.settings)
        // A further figure leaves the others as they were.
        let more = draws(ranges.merging([.basePower: (0.1, 1)]) { $1 })
        #expect(more.settings.map { $0[.cpuSpeed] } == first.settings.map { $0[.cpuSpeed] })
        #expect(first.nominal == DeviceValues(ExampleDevice.numbers))
    }

    @Test func statesStayInTheirOrder() {
        let settings = draws([
            .fairAt: (30, 50), .seriousAt: (35, 55), .criticalAt: (36, 56), .fairSpeed: (0.3, 1),
            .seriousSpeed: (0.2, 0.9), .criticalSpeed: (0.1, 0.8),
        ]).settings
        for values in settings {
            #expect(values[.fairAt] <= values[.seriousAt] && values[.seriousAt] <= values[.criticalAt])
            #expect(values[.fairSpeed] >= values[.seriousSpeed] && values[.seriousSpeed] >= values[.criticalSpeed])
        }
    }

    @Test func theFigureThatDecidesMostIsNamed() throws {
        let draws = draws([.cameraPower: (0.5, 3), .cpuPower: (1, 3), .batteryCapacity: (9, 11)])
        let power = draws.settings.map { $0[.cameraPower] + 0.1 * $0[.cpuPower] }
        #expect(draws.mostDeciding(power) == "camera power")
        #expect(draws.mostDeciding(draws.settings.map { -$0[.batteryCapacity] }) == "battery capacity")
        #expect(draws.mostDeciding(power.map { _ in nil }) == nil)
        let correlations = draws.correlations(with: draws.settings.map { $0[.cpuPower] })
        let place = try #require(draws.uncertain.firstIndex { $0.figure == .cpuPower })
        #expect(try #require(correlations[place]).isNear(1))
        #expect(correlations.enumerated().allSatisfy { $0 == place || abs($1 ?? 0) < 0.2 })
        #expect(draws.uncertain.count == 3)
    }

    /// Nearest rank: of 1 to 400 the 20th and the 380th.
    @Test func aSpreadIsTheFifthToTheNinetyFifthPercentile() {
        let drawn = Drawn(nominal: .value(7), draws: (1...400).map(Double.init))
        #expect(drawn.spread == Spread(nominal: .value(7), range: 20...380))
        #expect(Drawn(nominal: .value(7), draws: [7, 7]).spread.range == nil)
        #expect(Drawn(nominal: .value(7), draws: [1, nil]).spread.range == nil)
        #expect(Drawn(absent: "not measured").spread == Spread(nominal: .absent("not measured")))
    }

    @Test(arguments: [
        (400, Verdict.pass, ""), (0, .fail, ""),
        (399, .inconclusive, "met by 99.8 % of plausible phones, depends most on camera power"),
    ])
    func aVerdictIsOfTheShareOfPhones(met: Int, verdict: Verdict, note: String) {
        let claim = Claim(device: .joulesPerBook, comparator: .below, limit: 2)
        var answer = Answer(open: claim, "fast", device: "Phone", because: "")
        let draws = (0..<400).map { $0 < met ? 1.0 : 3 }
        answer.take(Drawn(nominal: .value(1), draws: draws), evidence: .modelled) { _ in "camera power" }
        #expect(answer.judgement == Judgement(verdict, note: note) && answer.share == Double(met) / 400)
    }
}
