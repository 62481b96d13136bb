import Basics
import Foundation
import ScanningPolicies
import Testing

@testable import Harness

/// Expected values are computed by hand unless they name another source.
@Suite struct SessionTests {
    @Test func tenSecondsByHand() throws {
        let result = try Session.run()
        #expect(result.frames.isNear(100) && result.readings.isNear(100))
        #expect(result.p50 == 30 && result.p95 == 30)
        // 10 s of 0.25, 0.5 and 1 W; a hundred times 10 ms of 2 W and 20 ms of 0.5 W.
        let energy = result.energy
        #expect(energy.base.isNear(2.5) && energy.display.isNear(5) && energy.camera.isNear(10))
        #expect(energy.cpu.isNear(2) && energy.neuralEngine.isNear(1) && energy.radio == 0)
        #expect(result.readingJoules.isNear(3))
        // Share of 10 Wh.
        #expect(result.percent.isNear(100 * 20.5 / 36_000))
        // 1 s of the CPU at 0.03 % and 2 s of the Neural Engine at 0.01 % for 100 ms.
        #expect(result.seedPercent.isNear(0.5))
    }

    @Test func framesThatAreDueWhileTheReaderIsBusyAreDroppedForTheNewest() throws {
        // 250 ms a reading: the newest frame waits, so that the reader is busy all the time. In 50 readings one frame more
        // or less is waited for.
        let result = try Session.run(costs: [ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.24)])
        #expect(result.readings.isNear(40, 0.4) && result.frames.isNear(100))
        #expect(result.cpuSeconds.isNear(0.4, 0.01) && result.unitSeconds.isNear(9.6, 0.1))
    }

    @Test(
        arguments: [
            // 300 frames in 10 s. Policy, skin at the start, and frames that are read.
            (ThermalPolicy.seedCode, 42.0, 100.0), (.seedCode, 38, 300), (.seedCode, 60, 0),
            (.proactive, 38, 150), (.proactive, 42, 100), (.proactive, 60, 0),
            // Every fifth frame is the first that is 150 ms after the last one, every eighth 250 ms, every fifteenth
            // 500 ms.
            (.interval, 25, 60), (.interval, 38, 37.5), (.interval, 42, 20), (.interval, 60, 0),
            (.none, 60, 300),
        ]
    )
    func thermalPoliciesByHand(policy: ThermalPolicy, skin: Double, read: Double) throws {
        // The device cools so slowly that the state stays.
        let result = try Session.run(
            values: .plain([.skinCapacity: 1_000, .chipCapacity: 100]),
            costs: [ReadingCost(imageSeconds: 0.001, inferenceSeconds: 0.001)]
        ) { ($0.framesPerSecond, $0.thermalPolicy, $0.startTemperature, $0.idleLimit) = (30, policy, skin, nil) }
        #expect(result.readings.isNear(read, 1e-6))
    }

    /// A reading of 70 ms ends between two frames, of which the first is left out: of every second frame the next is read
    /// after 100 ms, of every third after 133 ms.
    @Test(arguments: [(ThermalPolicy.proactive, 38.0, 100.0), (.seedCode, 42, 75)])
    func aPolicyLeavesOutTheFrameThatWaited(policy: ThermalPolicy, skin: Double, read: Double) throws {
        let result = try Session.run(
            values: .plain([.skinCapacity: 1_000, .chipCapacity: 100, .fairSpeed: 1, .seriousSpeed: 1]),
            costs: [ReadingCost(imageSeconds: 0.07, inferenceSeconds: 0)]
        ) { ($0.framesPerSecond, $0.thermalPolicy, $0.startTemperature) = (30, policy, skin) }
        #expect(result.readings.isNear(read, 1e-6))
    }

    @Test func minimumIntervalLeavesFramesOut() throws {
        // Every third frame.
        #expect(try Session.run { $0.minimumInterval = 0.25 }.readings.isNear(10 / 0.3))
    }

    @Test func aWarmDeviceIsSlowerAndTakesLessPower() throws {
        let result = try Session.run(values: .plain([.skinCapacity: 1_000, .chipCapacity: 100])) {
            ($0.thermalPolicy, $0.startTemperature, $0.framesPerSecond) = (.none, 42, 1)
        }
        // Serious: 30 ms at a speed of 0.75, at 0.75² of the power.
        #expect(result.p50?.isNear(40) == true)
        #expect(result.energy.cpu.isNear(10 * 2 * 0.5625 * 0.010 / 0.75))
        #expect(result.worstState == .serious && result.stateSeconds == [0, 0, 10, 0] && result.throttled == 10)
    }

    @Test func lowPowerModeIsSlowerAndTakesLessPower() throws {
        let result = try Session.run { ($0.isLowPower, $0.framesPerSecond) = (true, 1) }
        // Half the speed at a quarter of the power: 20 ms of 0.5 W, 40 ms of 0.125 W.
        #expect(result.p50 == 60 && result.energy.cpu.isNear(0.1) && result.energy.neuralEngine.isNear(0.05))
    }

    @Test func moreMemoryThanTheBudgetSlowsInference() throws {
        // 200 MB is the budget; then inference takes three times as long.
        #expect(try Session.run { ($0.memory, $0.framesPerSecond) = (200, 1) }.p50 == 30)
        #expect(try Session.run { ($0.memory, $0.framesPerSecond) = (201, 1) }.p50?.isNear(70) == true)
    }

    @Test(arguments: ComputeUnit.allCases)
    func inferenceIsThePlansUnits(unit: ComputeUnit) throws {
        let energy = try Session.run { ($0.unit, $0.framesPerSecond) = (unit, 1) }.energy
        // Ten times 10 ms of the CPU at 2 W, and 20 ms of the unit.
        #expect(energy.cpu.isNear(unit == .cpu ? 0.6 : 0.2))
        #expect(energy.gpu.isNear(unit == .gpu ? 0.8 : 0))
        #expect(energy.neuralEngine.isNear(unit == .neuralEngine ? 0.1 : 0))
    }

    @Test func theAppsOwnLoadIsNotReadings() throws {
        let result = try Session.run { $0.backgroundLoad = 1.5 }
        #expect(result.energy.gpu.isNear(15) && result.readingJoules.isNear(3))
    }

    @Test func anEmptyBatteryEndsTheSession() throws {
        // A thousandth of 36,000 J at 2.05 W lasts 17.6 s, and full seconds are examined.
        let result = try Session.run { ($0.seconds, $0.startCharge) = (60, 0.001) }
        #expect(result.seconds == 18 && result.readings.isNear(180))
    }

    /// The power does not change, so that one exact step has the same temperatures.
    @Test func theHeatIsThatOfOneExactStep() throws {
        let values = DeviceValues.plain([.skinCapacity: 1_000])
        let result = try Session.run(values: values) { $0.seconds = 120 }
        let power = ThermalNetwork.Power(chip: 0.3, skin: 1.75)
        let end = ThermalNetwork(values, ambient: 25).advance(.init(chip: 25, skin: 25), under: power, seconds: 120)
            .state
        #expect(result.worstState == .nominal && result.skin.isNear(end.skin) && result.chip.isNear(end.chip))
    }

    @Test func timelineAndMinutesAddUp() throws {
        let result = try Session.run { ($0.seconds, $0.spineShare) = (150, 0.4) }
        #expect(result.timeline.map(\.second) == Array(stride(from: 0, through: 150, by: 10)))
        #expect(result.minutes.map(\.seconds) == [60, 60, 30])
        #expect(result.minutes.map(\.readings).reduce(0, +).isNear(result.readings, 0.05))
        #expect(result.minutes.map(\.books).reduce(0, +).isNear(result.books, 0.05))
        #expect(result.minutes.map(\.energy).reduce(0, +).isNear(result.energy.total, 0.005))
        let last = try #require(result.timeline.last)
        #expect(last.readings.isNear(result.readings, 0.01) && last.skin.isNear(result.skin, 0.001))
        let lines = result.csv(device: "A \"B\"").split(separator: "\r\n")
        #expect(
            lines.count == 17 && lines[1].hasPrefix("\"A \"\"B\"\"\",0.0,25.0,25.0,nominal,")
                && lines[1].hasSuffix(",modelled")
        )
    }

    // MARK: Spines

    /// A spine of two seconds is seen unless it leaves before the next frame: 1 − (1 − e^(−0.05)) / 0.05 are 2.46 %.
    @Test func aSpineIsReadUnlessItLeavesBefore() throws {
        let result = try Session.run { ($0.seconds, $0.spineShare) = (600, 0.4) }
        #expect(result.scans.isNear(120 * 0.97541, 0.001) && result.books == result.scans)
        let misread = ReadingCost(imageSeconds: 0.01, inferenceSeconds: 0.02, isIdentified: false)
        let half = try Session.run(costs: [.quick, misread]) { ($0.seconds, $0.spineShare) = (600, 0.4) }
        #expect(half.books.isNear(half.scans / 2))
        #expect(try Session.run(costs: [misread]).joulesPerBook == nil)
    }

    /// Gaps of 18 s on average are longer than 30 s in e^(−5/3) = 18.9 % of cases, and then again after each touch.
    @Test func theCameraPausesInLongGaps() throws {
        let result = try Session.run { ($0.seconds, $0.spineShare) = (600, 0.1) }
        let isLong = exp(-30.0 / 18)
        #expect(result.frames.isNear(6_000 * (1 - 2 * isLong / (1 - isLong) / 20)))
        #expect(result.scans.isNear(30 * 0.97541, 0.001))
        #expect(try Session.run { ($0.seconds, $0.spineShare, $0.idleLimit) = (600, 0.1, nil) }.frames.isNear(6_000))
        // Too hot to read: nothing is new, and the camera is woken every 30 s.
        let hot = try Session.run(values: .plain([.fairAt: 20, .seriousAt: 21, .criticalAt: 22]))
        #expect(hot.readings == 0 && hot.frames.isNear(100 * 30 / 32))
    }

    // MARK: The back end

    /// 0.4 / 2 × 0.97541 scans a second.
    private static let scans = 0.195082

    private func asked(
        _ strategy: ScanStrategy,
        _ cost: ReadingCost,
        _ change: (inout SessionPlan) -> Void
    ) throws -> SessionResult {
        try Session.run(costs: [cost]) { plan in
            // Cold air keeps the device nominal.
            (plan.seconds, plan.spineShare, plan.strategy, plan.ambient) = (1_000, 0.4, strategy, 5)
            change(&plan)
        }
    }

    @Test func theRadioTakesItsPowerAndItsTail() throws {
        // Active 0.5 s and 0.5 s of tail for each request; a modem of 10 s is still awake at the next one.
        let wifi = try asked(.hybrid, .quick(wait: 0.5)) { $0.link = .wifi }
        #expect(wifi.requests.isNear(1_000 * Self.scans, 0.01) && wifi.books == wifi.requests)
        #expect(wifi.energy.radio.isNear(1_000 * Self.scans * (0.5 + 0.125), 0.01))
        let modem = try asked(.hybrid, .quick(wait: 0.5)) { $0.link = .cellular }
        #expect(modem.energy.radio.isNear(1_000 * (Self.scans * 0.5 * 2 + (1 - Self.scans * 0.5)), 0.01))
        #expect(try asked(.hybrid, .quick(wait: 0.5)) { _ in }.energy.radio == 0)
        // 125,000 bytes at 10 Mbit/s move for 0.1 s of the half second.
        let known = try asked(.hybrid, .quick(wait: 0.5, bytesUp: 125_000)) {
            ($0.link, $0.uplink, $0.downlink) = (.wifi, 10, 10)
        }
        #expect(known.energy.radio.isNear(1_000 * Self.scans * (0.1 + 0.9 * 0.25), 0.01))
    }

    @Test func onlyPicturesAreSentByTalariaOnly() throws {
        let result = try asked(.talariaOnly, .quick(wait: 0.5)) { _ in }
        // A picture needs a second frame of its spine, 300 ms after the last one; it is prepared, and the answer is the
        // first result.
        let pictures = 1_000 * Self.scans * exp(-0.05 - 0.15)
        #expect(result.requests.isNear(pictures, 0.01) && result.p50 == 510)
        #expect(result.unitSeconds == 0 && result.cpuSeconds.isNear(pictures * 0.01, 0.001))
    }

    @Test func visionFallbackReadsBesideWhatItSends() throws {
        let result = try asked(.visionFallback, .quick(wait: 0.5)) { _ in }
        #expect(result.unitSeconds.isNear(result.scans * 0.02, 1e-6))
        #expect(result.cpuSeconds.isNear(result.scans * 0.01, 1e-6))
    }

    @Test func whatWaitsIsSentWhenTheNetworkIsBack() throws {
        let often = try asked(.hybrid, .quick(wait: 0.2)) { ($0.offlineShare, $0.offlineSeconds) = (0.5, 20) }
        #expect(often.queued.isNear(often.scans / 2) && often.books == often.requests)
        // Half of the scans wait for 20 s.
        #expect(often.waiting.isNear(Self.scans * 0.5 * 20, 0.01))
        #expect((often.requests + often.waiting).isNear(often.scans))
        let never = try asked(.visionFallback, .quick(wait: 0.5)) { $0.offlineShare = 1 }
        #expect(never.requests == 0 && never.books == 0 && never.waiting.isNear(never.scans) && never.unitSeconds > 0)
    }

    @Test func noMoreIsAskedThanTheBackEndTakes() throws {
        // 11.7 new spines a minute, six requests: the rest waits, and a picture is not even taken.
        let text = try asked(.hybrid, .quick(wait: 0.1)) { $0.rateLimit = .init(requests: 6, windowSeconds: 60) }
        #expect(text.books.isNear(100) && text.waiting.isNear(text.scans - 100))
        let picture = try asked(.talariaOnly, .quick(wait: 0.1)) {
            $0.rateLimit = .init(requests: 6, windowSeconds: 60)
        }
        #expect(picture.scans.isNear(100) && picture.waiting.isNear(0))
    }

    // MARK: Refusals

    @Test func withoutCostsThereIsNoSession() {
        #expect(throws: HarnessError.configuration("no costs of readings: specify at least one")) {
            try Session.run(costs: [])
        }
    }

    @Test(arguments: [-1_000, Double.nan, .infinity, 1e12])
    func aPlanOutOfRangeIsRefused(value: Double) {
        let keys: [WritableKeyPath<SessionPlan, Double>] = [
            \.seconds, \.ambient, \.memory, \.backgroundLoad, \.startCharge, \.offlineShare, \.offlineSeconds,
            \.spineShare, \.holdSeconds,
        ]
        for key in keys {
            #expect(throws: HarnessError.self) { try Session.run { $0[keyPath: key] = value } }
        }
    }

    @Test(arguments: [-1, Double.nan, .infinity])
    func aCostOutOfRangeIsRefused(seconds: Double) {
        let cost = ReadingCost(imageSeconds: 0, inferenceSeconds: seconds)
        #expect(throws: HarnessError.self) { try Session.run(costs: [.quick, cost]) }
    }

    // MARK: Any device and plan

    @Test(arguments: 0..<200)
    func figuresAreNumbersAndMorePowerTakesMore(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var values = DeviceValues.plain()
        for figure in DeviceFigure.ofProfiles where ![.fairAt, .seriousAt, .criticalAt].contains(figure) {
            let range = figure.meaning.range
            values[figure] = range.lowerBound + random.nextDouble() * (range.upperBound - range.lowerBound)
        }
        for figure in [DeviceFigure.fairSpeed, .seriousSpeed, .criticalSpeed] { values[figure] = 1 }
        func number(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + random.nextDouble() * (range.upperBound - range.lowerBound)
        }
        var plan = SessionPlan()
        (plan.seconds, plan.framesPerSecond) = (number(0.001...90), 1 + random.below(120))
        (plan.strategy, plan.link) = (
            ScanStrategy.allCases[random.below(4)], SessionPlan.Link.allCases[random.below(3)]
        )
        (plan.unit, plan.thermalPolicy) = (ComputeUnit.allCases[random.below(3)], .none)
        (plan.idleLimit, plan.spineShare) = (random.below(2) == 0 ? nil : number(0.1...10), number(0.01...1))
        (plan.holdSeconds, plan.offlineShare) = (number(0.02...3), random.below(3) == 0 ? 0 : number(0...1))
        if random.below(2) == 0 { (plan.uplink, plan.downlink) = (number(0.01...50), number(0.01...50)) }
        if random.below(2) == 0 { plan.rateLimit = .init(requests: random.below(10), windowSeconds: number(0.5...10)) }
        (plan.memory, plan.ambient, plan.backgroundLoad) = (number(0...1_000), number(-10...50), number(0...3))
        let costs = (0...random.below(5)).map { _ in
            ReadingCost(
                imageSeconds: number(0...0.2),
                inferenceSeconds: number(0...0.5),
                waitSeconds: number(0...3),
                bytesUp: random.below(2_000_000)
            )
        }
        let result = try Session(plan, values, costs: costs).run(pointsEvery: 5)
        let energy = result.energy
        let figures = [
            energy.base, energy.display, energy.camera, energy.cpu, energy.gpu, energy.neuralEngine, energy.radio,
            result.frames, result.readings, result.scans, result.requests, result.queued, result.waiting,
            result.books, result.percent, result.seedPercent, result.cpuSeconds, result.unitSeconds,
        ]
        #expect(figures.allSatisfy { $0.isFinite && $0 >= -1e-9 } && result.skin.isFinite && result.chip.isFinite)
        #expect(result.books <= result.scans + 1e-9 && result.waiting <= result.queued + 1e-9)
        #expect(result.stateSeconds.reduce(0, +).isNear(result.seconds, 1e-6))
        #expect(result.timeline.map(\.percent) == result.timeline.map(\.percent).sorted())
        // The same work at a higher power.
        for power in [DeviceFigure.basePower, .displayPower, .cameraPower, .cpuPower, .neuralEnginePower, .wifiPower] {
            var more = values
            more[power] *= 1.5
            let after = try Session(plan, more, costs: costs).run()
            #expect(after.readings.isNear(result.readings, 1e-6) && after.energy.total >= energy.total - 1e-9)
            #expect(after.skin >= result.skin - 1e-9)
        }
        // The heat is linear: in warmer air all temperatures are as much higher.
        plan.ambient += 15
        let warm = try Session(plan, values, costs: costs).run()
        #expect((warm.skin - result.skin).isNear(15, 1e-5))
    }
}
