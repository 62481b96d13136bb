import Basics
import ScanningPolicies
import Testing

@testable import DeviceSimulation

/// Random devices and plans of all kinds.
@Suite struct SessionPropertyTests {
    /// Returns figures anywhere in their ranges, then put right where they depend on each other.
    static func values(_ random: inout SplitMix64) -> DeviceValues {
        var numbers: [DeviceFigure: Double] = [:]
        for figure in DeviceFigure.allCases {
            let range = figure.meaning.range
            numbers[figure] = range.lowerBound + random.nextDouble() * (range.upperBound - range.lowerBound)
        }
        var values = DeviceValues(numbers)
        let thresholds = [values[.fairAt], values[.seriousAt], values[.criticalAt]].sorted()
        (values[.fairAt], values[.seriousAt], values[.criticalAt]) = (thresholds[0], thresholds[1], thresholds[2])
        let speeds = [values[.fairSpeed], values[.seriousSpeed], values[.criticalSpeed]].sorted(by: >)
        (values[.fairSpeed], values[.seriousSpeed], values[.criticalSpeed]) = (speeds[0], speeds[1], speeds[2])
        return values
    }

    static func plan(_ random: inout SplitMix64) -> SessionPlan {
        func maybe<Value>(_ value: Value) -> Value? { random.below(2) == 0 ? nil : value }
        var plan = SessionPlan()
        plan.seconds = 0.001 + 40 * random.nextDouble()
        plan.framesPerSecond = 1 + random.below(120)
        plan.strategy = ScanStrategy.allCases[random.below(4)]
        plan.thermalPolicy = ThermalPolicy.allCases[random.below(4)]
        plan.minimumInterval = maybe(random.nextDouble())
        plan.gate = maybe(
            .init(
                truePositive: random.nextDouble(),
                falsePositive: random.nextDouble(),
                seconds: 0.05 * random.nextDouble()
            )
        )
        plan.idleLimit = maybe(0.1 + 10 * random.nextDouble())
        plan.user.aimSeconds = 3 * random.nextDouble()
        plan.user.holdSeconds = 0.02 + 3 * random.nextDouble()
        plan.user.moveSeconds = 3 * random.nextDouble()
        plan.user.againShare = random.nextDouble()
        plan.user.restEvery = maybe(1 + random.below(4))
        plan.user.restSeconds = 20 * random.nextDouble()
        plan.unit = ComputeUnit.allCases[random.below(3)]
        plan.link = SessionPlan.Link.allCases[random.below(3)]
        plan.uplink = maybe(0.01 + 50 * random.nextDouble())
        plan.downlink = maybe(0.01 + 50 * random.nextDouble())
        plan.offlineShare = random.below(3) == 0 ? 0 : random.nextDouble()
        plan.offlineSeconds = 0.1 + 10 * random.nextDouble()
        plan.rateLimit = maybe(.init(requests: random.below(10), windowSeconds: 0.5 + 10 * random.nextDouble()))
        plan.memory = 1_000 * random.nextDouble()
        plan.ambient = -10 + 60 * random.nextDouble()
        plan.startTemperature = maybe(100 * random.nextDouble())
        plan.isLowPower = random.below(2) == 0
        plan.startCharge = 0.001 + 0.999 * random.nextDouble()
        plan.backgroundLoad = 3 * random.nextDouble()
        return plan
    }

    static func costs(_ random: inout SplitMix64) -> [ReadingCost] {
        (0...random.below(5)).map { _ in
            ReadingCost(
                imageSeconds: random.below(4) == 0 ? 0 : 0.2 * random.nextDouble(),
                inferenceSeconds: random.below(4) == 0 ? 0 : 0.5 * random.nextDouble(),
                waitSeconds: random.below(4) == 0 ? 0 : 3 * random.nextDouble(),
                bytesUp: random.below(2_000_000),
                bytesDown: random.below(20_000),
                isIdentified: random.below(2) == 0
            )
        }
    }

    /// Ten tests of a hundred random devices and plans each.
    @Test(arguments: 0..<10)
    func figuresAreNumbersAndCountsAddUp(hundred: UInt64) throws {
        for number in 0..<100 {
            let seed = hundred * 100 + UInt64(number)
            var random = SplitMix64(state: seed)
            let (values, plan, costs) = (
                Self.values(&random), Self.plan(&random), Self.costs(&random)
            )
            let outcome = try SessionSimulator(plan: plan, values: values, costs: costs).run(seed: seed, pointsEvery: 5)
            #expect(outcome.isBalanced, "seed \(seed)")
            #expect(Self.faults(in: outcome).isEmpty, "seed \(seed)")
        }
    }

    private static func faults(in outcome: SessionOutcome) -> [String] {
        var faults: [String] = []
        func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
        let energy = outcome.energy
        let parts = [
            energy.base, energy.display, energy.camera, energy.cpu, energy.gpu, energy.neuralEngine, energy.radio,
        ]
        check(parts.allSatisfy { $0.isFinite && $0 >= 0 }, "a negative energy, or none")
        let figures = [
            outcome.heat, outcome.percent, outcome.seedPercent, outcome.chip, outcome.skin, outcome.percentPerMinute,
        ]
        check(figures.allSatisfy(\.isFinite), "a figure that is not a number")
        check(outcome.percent >= 0 && outcome.seedPercent >= 0, "a negative drain")
        let counts = outcome.counts
        let fates =
            counts.paused + counts.noReader + counts.shutterClosed + counts.thermal + counts.tooSoon + counts.noSpine
            + counts.moving + counts.read
        check(fates == counts.arrived, "frames without a fate")
        let examined = counts.noSpine + counts.moving + counts.read
        check(outcome.plan.gate == nil || counts.examined == examined, "examined frames")
        check(counts.noNews <= counts.read, "more readings without news than readings")
        check(outcome.dropped >= 0, "fewer frames than none")
        if outcome.scans.pauses == 0 {
            let due = (outcome.seconds * Double(outcome.plan.framesPerSecond)).rounded(.up)
            check(abs(Double(outcome.offered) - due) <= 1, "frames that were not due")
        }
        check(outcome.latencies.allSatisfy { $0 >= 0 }, "a negative latency")
        check(outcome.scans.waiting <= outcome.scans.queued, "more that wait than were queued")
        check(outcome.books <= outcome.scans.news, "more books than news")
        let states = outcome.stateSeconds
        let stateSeconds = states.nominal + states.fair + states.serious + states.critical
        check(abs(stateSeconds - outcome.seconds) < 1e-5, "seconds without a state")
        check(outcome.minutes.map(\.reads).reduce(0, +) == counts.read, "minutes")
        let percents = outcome.timeline.map(\.percent)
        check(zip(percents, percents.dropFirst()).allSatisfy { $0 <= $1 }, "a battery that fills")
        return faults
    }

    /// Returns the same session, with all decisions unchanged: policy none, and states that change neither speed nor
    /// power.
    private func outcome(
        seed: UInt64,
        _ change: (inout DeviceValues, inout SessionPlan) -> Void
    ) throws -> SessionOutcome {
        var random = SplitMix64(state: seed)
        var (values, plan, costs) = (Self.values(&random), Self.plan(&random), Self.costs(&random))
        plan.thermalPolicy = .none
        plan.startCharge = 1
        plan.startTemperature = nil
        plan.ambient = 20
        for figure in [DeviceFigure.fairSpeed, .seriousSpeed, .criticalSpeed] { values[figure] = 1 }
        change(&values, &plan)
        return try SessionSimulator(plan: plan, values: values, costs: costs).run(seed: seed, pointsEvery: nil)
    }

    @Test(arguments: 0..<100)
    func morePowerTakesNoLessEnergyAndEndsNoCooler(seed: UInt64) throws {
        let before = try outcome(seed: seed) { _, _ in }
        let powers: [DeviceFigure] = [
            .basePower, .displayPower, .cameraPower, .cpuPower, .gpuPower, .neuralEnginePower, .wifiPower,
            .cellularPower,
        ]
        for power in powers {
            let after = try outcome(seed: seed) { values, _ in values[power] *= 1.5 }
            #expect(after.counts == before.counts)
            #expect(after.energy.total >= before.energy.total)
            #expect(after.skin >= before.skin)
            #expect(after.chip >= before.chip)
        }
    }

    @Test(arguments: 0..<100)
    func warmerAirMakesNothingCooler(seed: UInt64) throws {
        let before = try outcome(seed: seed) { _, _ in }
        let after = try outcome(seed: seed) { _, plan in plan.ambient = 35 }
        #expect(after.counts == before.counts)
        #expect(after.energy == before.energy)
        #expect(after.skin >= before.skin)
        #expect(after.chip >= before.chip)
        // Linear: all temperatures are 15 K higher.
        #expect(abs(after.skin - before.skin - 15) < 1e-5)
    }
}
