import Foundation
import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct SessionSimulatorTests {
    /// Returns a plan of ten frames a second, no gate, and a spine in sight all the time.
    private func plan(_ change: (inout SessionPlan) -> Void = { _ in }) -> SessionPlan {
        .with { plan in
            plan.seconds = 1
            plan.framesPerSecond = 10
            plan.gate = nil
            plan.user = UserScript(spineShare: 1, holdSeconds: 10_000)
            plan.user.spread = .fixed
            change(&plan)
        }
    }

    /// Returns a spine for two seconds of three, and a gate that is always right and takes no time.
    private func walking(_ change: (inout SessionPlan) -> Void = { _ in }) -> SessionPlan {
        plan { plan in
            plan.gate = .init(truePositive: 1, falsePositive: 0, seconds: 0)
            (plan.user.aimSeconds, plan.user.holdSeconds) = (1, 2)
            change(&plan)
        }
    }

    private func run(
        _ plan: SessionPlan,
        values: DeviceValues = .plain(),
        costs: [ReadingCost] = [.quick]
    ) throws -> SessionOutcome {
        try SessionSimulator(plan: plan, values: values, costs: costs).run(seed: 1)
    }

    @Test func oneSecondByHand() throws {
        let outcome = try run(plan())
        #expect(outcome.counts.arrived == 10)
        #expect(outcome.counts.read == 10)
        #expect(outcome.counts.noNews == 9)
        #expect(outcome.dropped == 0)
        #expect(outcome.books == 1)
        #expect(outcome.latencies == Array(repeating: 30, count: 10))
        // 1 s of 0.25, 0.5 and 1 W; ten times 10 ms of 2 W and 20 ms of 0.5 W.
        #expect(outcome.energy.base == 0.25)
        #expect(outcome.energy.display == 0.5)
        #expect(outcome.energy.camera == 1)
        #expect(outcome.energy.cpu == 0.2)
        #expect(outcome.energy.neuralEngine == 0.1)
        #expect(outcome.heat == 2.05)
        // Share of 10 Wh: 2.05 / 36,000.
        #expect(outcome.percent == 0.005694)
        // 100 ms of the CPU at 0.03 % and 200 ms of the Neural Engine at 0.01 % for 100 ms.
        #expect(outcome.seedPercent == 0.05)
        #expect(outcome.isBalanced)
        #expect(outcome.minutes.count == 1)
        #expect(outcome.minutes[0].reads == 10)
        #expect(outcome.minutes[0].p95 == 30)
        #expect(abs((outcome.booksPerPercent ?? 0) - 1 / 0.005694) < 1e-9)
    }

    @Test func framesThatAreDueWhileTheReaderIsBusyAreDroppedForTheNewest() throws {
        // 250 ms a reading: 0 is read, 1 dropped, 2 read, 3 and 4 dropped, 5 read (due as the reader is free), 6
        // dropped, 7 read until the end, 8 and 9 dropped.
        let outcome = try run(plan(), costs: [ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.24)])
        #expect(outcome.counts.arrived == 4)
        #expect(outcome.dropped == 6)
        #expect(outcome.offered == 10)
        #expect(outcome.latencies == [250, 250, 250])
        #expect(outcome.cpuSeconds == 0.04)
        #expect(outcome.unitSeconds == 0.96)
    }

    @Test func aReadingWithoutASpineIsNoBook() throws {
        let outcome = try run(
            plan {
                $0.user.holdSeconds = 0
                $0.user.aimSeconds = 1
            }
        )
        #expect(outcome.counts.read == 10)
        #expect(outcome.counts.noNews == 10)
        #expect(outcome.books == 0)
        #expect(outcome.scans.news == 0)
    }

    @Test func aSpineIsOneBookHoweverOftenItIsRead() throws {
        // Spines at 1, 4 and 7 s, of nine.
        #expect(try run(walking { $0.seconds = 9 }).books == 3)
        #expect(
            try run(
                walking {
                    $0.seconds = 9
                    $0.user.againShare = 1
                }
            ).books == 1
        )
        let misread = ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.02, isIdentified: false)
        #expect(try run(walking { $0.seconds = 9 }, costs: [misread]).books == 0)
    }

    @Test func aSpineThatIsBackAfterAMinuteIsReadAsNew() throws {
        // Held at 61 s and 124 s: the last reading is older than a minute. At 30 s and 62 s it is not.
        let far = try run(
            walking { ($0.seconds, $0.user.aimSeconds, $0.user.againShare, $0.idleLimit) = (126, 61, 1, nil) }
        )
        #expect(far.scans.news == 2)
        let near = try run(
            walking { ($0.seconds, $0.user.aimSeconds, $0.user.againShare, $0.idleLimit) = (64, 30, 1, nil) }
        )
        #expect(near.scans.news == 1)
    }

    @Test func theGateDecidesAndCosts() throws {
        let outcome = try run(
            walking {
                $0.seconds = 3
                $0.gate?.seconds = 0.01
            }
        )
        // Frames from 1.0 to 2.9 s have a spine.
        #expect(outcome.counts.examined == 30)
        #expect(outcome.counts.noSpine == 10)
        #expect(outcome.counts.read == 20)
        #expect(outcome.latencies == Array(repeating: 40, count: 20))
        // 30 × 10 ms and 20 × 10 ms of one thread.
        #expect(outcome.cpuSeconds == 0.5)
    }

    @Test func minimumIntervalLeavesFramesOut() throws {
        // 0, 0.3, 0.6 and 0.9 s.
        let outcome = try run(plan { $0.minimumInterval = 0.25 })
        #expect(outcome.counts.read == 4)
        #expect(outcome.counts.tooSoon == 6)
    }

    @Test(
        arguments: [
            // 300 frames in 10 s. Policy, skin at the start, frames that are read, and those left out.
            (ThermalPolicy.seedCode, 42.0, 100, 200), (.seedCode, 38, 300, 0), (.seedCode, 60, 0, 300),
            (.proactive, 38, 150, 150), (.proactive, 42, 100, 200), (.proactive, 60, 0, 300),
            // Every fifth frame is the first that is 150 ms after the last one, every eighth 250 ms, every fifteenth
            // 500 ms.
            (.interval, 25, 60, 240), (.interval, 38, 38, 262), (.interval, 42, 20, 280), (.interval, 60, 0, 300),
            (.none, 60, 300, 0),
        ]
    )
    func thermalPoliciesByHand(policy: ThermalPolicy, skin: Double, read: Int, leftOut: Int) throws {
        let outcome = try run(
            plan { ($0.seconds, $0.framesPerSecond, $0.thermalPolicy, $0.startTemperature) = (10, 30, policy, skin) },
            // The device cools so slowly that the state stays.
            values: .plain([.skinCapacity: 1_000, .chipCapacity: 100]),
            costs: [ReadingCost(imageSeconds: 0.001, inferenceSeconds: 0.001)]
        )
        #expect(outcome.counts.read == read)
        #expect(outcome.counts.thermal == leftOut)
        #expect(outcome.dropped == 0)
    }

    @Test func aWarmDeviceIsSlowerAndTakesLessPower() throws {
        let outcome = try run(plan { ($0.thermalPolicy, $0.startTemperature, $0.framesPerSecond) = (.none, 42, 1) })
        // Serious: 30 ms at a speed of 0.75, at 0.75² of the power.
        #expect(outcome.latencies == [40])
        #expect(outcome.energy.cpu == (2 * 0.5625 * 0.010 / 0.75 * 1e6).rounded() / 1e6)
        #expect(outcome.worstState == .serious)
        #expect(outcome.stateSeconds.serious == 1)
    }

    @Test func lowPowerModeIsSlowerAndTakesLessPower() throws {
        let outcome = try run(plan { ($0.isLowPower, $0.framesPerSecond) = (true, 1) })
        // Half the speed at a quarter of the power: 20 ms of 0.5 W, 40 ms of 0.125 W.
        #expect(outcome.latencies == [60])
        #expect(outcome.energy.cpu == 0.01)
        #expect(outcome.energy.neuralEngine == 0.005)
    }

    @Test func moreMemoryThanTheBudgetSlowsInference() throws {
        // 200 MB is the budget; then inference takes three times as long.
        #expect(try run(plan { ($0.memory, $0.framesPerSecond) = (200, 1) }).latencies == [30])
        #expect(try run(plan { ($0.memory, $0.framesPerSecond) = (201, 1) }).latencies == [70])
    }

    @Test(arguments: ComputeUnit.allCases)
    func inferenceIsThePlansUnits(unit: ComputeUnit) throws {
        let energy = try run(plan { ($0.unit, $0.framesPerSecond) = (unit, 1) }).energy
        // 10 ms of the CPU at 2 W, and 20 ms of the unit.
        #expect(energy.cpu == (unit == .cpu ? 0.06 : 0.02))
        #expect(energy.gpu == (unit == .gpu ? 0.08 : 0))
        #expect(energy.neuralEngine == (unit == .neuralEngine ? 0.01 : 0))
    }

    @Test func anEmptyBatteryEndsTheSession() throws {
        // A thousandth of 36,000 J at 2.05 W lasts 17.6 s, and full seconds are examined.
        let outcome = try run(plan { ($0.seconds, $0.startCharge) = (60, 0.001) })
        #expect(outcome.seconds == 18)
        #expect(outcome.counts.arrived == 180)
        #expect(outcome.minutes.map(\.seconds) == [18])
    }

    @Test func timelineAndMinutesAddUp() throws {
        let outcome = try run(walking { $0.seconds = 150 })
        #expect(outcome.timeline.map(\.second) == Array(stride(from: 0, through: 150, by: 10)))
        #expect(outcome.minutes.map(\.seconds) == [60, 60, 30])
        #expect(outcome.minutes.map(\.reads).reduce(0, +) == outcome.counts.read)
        #expect(outcome.minutes.map(\.books).reduce(0, +) == outcome.books)
        #expect(abs(outcome.minutes.map(\.energy).reduce(0, +) - outcome.energy.total) < 1e-5)
        let last = try #require(outcome.timeline.last)
        #expect(last.offered == outcome.offered)
        #expect(last.read == outcome.counts.read)
        #expect(last.skipped == outcome.offered - outcome.counts.read)
        #expect(last.skin == outcome.skin)
        #expect(last.percent == outcome.percent)
    }

    @Test func aSessionOfOneFrameHasOne() throws {
        let outcome = try run(plan { $0.seconds = 0.001 })
        #expect(outcome.counts.arrived == 1)
        #expect(outcome.latencies.isEmpty)
        #expect(outcome.minutes.count == 1)
        #expect(outcome.minutes[0].p50 == nil)
    }

    @Test func withoutCostsThereIsNoSession() {
        #expect(throws: SessionError.noCosts) {
            try SessionSimulator(plan: SessionPlan(), values: .plain(), costs: [])
        }
    }

    @Test(arguments: [-1_000, Double.nan, .infinity, 1e12])
    func aPlanOutOfRangeIsRefused(value: Double) {
        let keys: [WritableKeyPath<SessionPlan, Double>] = [
            \.seconds, \.ambient, \.memory, \.backgroundLoad, \.startCharge, \.offlineShare, \.offlineSeconds,
            \.user.aimSeconds, \.user.holdSeconds, \.user.moveSeconds, \.user.restSeconds, \.user.againShare,
        ]
        for key in keys {
            var plan = SessionPlan()
            plan[keyPath: key] = value
            #expect(throws: SessionError.self) {
                try SessionSimulator(plan: plan, values: .plain(), costs: [.quick])
            }
        }
    }

    @Test(arguments: [-1, Double.nan, .infinity])
    func aCostOutOfRangeIsRefused(seconds: Double) {
        let cost = ReadingCost(imageSeconds: 0, inferenceSeconds: seconds)
        #expect(throws: SessionError.self) {
            try SessionSimulator(plan: SessionPlan(), values: .plain(), costs: [.quick, cost])
        }
    }

    @Test func anOwnerWhoDoesNothingIsRefused() {
        var plan = SessionPlan()
        (plan.user.aimSeconds, plan.user.holdSeconds, plan.user.moveSeconds) = (0, 0, 0)
        #expect(throws: SessionError.outOfRange("aim, hold and move seconds", 0, 0.01...259_200)) {
            try SessionSimulator(plan: plan, values: .plain(), costs: [.quick])
        }
    }

    @Test func theSameSeedGivesTheSameBytes() throws {
        let plan = SessionPlan.with { ($0.strategy, $0.link, $0.offlineShare) = (.hybrid, .cellular, 0.2) }
        let costs = (1...50).map {
            ReadingCost(imageSeconds: Double($0) * 1e-4, inferenceSeconds: Double($0) * 1e-3, waitSeconds: 0.3)
        }
        let simulator = try SessionSimulator(plan: plan, values: .plain(), costs: costs)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let first = try encoder.encode(simulator.run(seed: 7))
        #expect(try encoder.encode(simulator.run(seed: 7)) == first)
        #expect(try encoder.encode(simulator.run(seed: 8)) != first)
        #expect(try JSONDecoder().decode(SessionOutcome.self, from: first) == simulator.run(seed: 7))
    }
}
