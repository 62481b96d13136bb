import Basics
import Foundation
import ScanningPolicies

/// Session of scanning on a device, in steps of a second: expected frames, readings, energy and heat.
///
/// An owner holds a spine in sight, and looks for the next one; counts are means over such owners. The decisions are the
/// app's own, and the heat of a step is computed exactly. Simpler than the world: a spine has one text, read right or
/// not; a reading without a spine costs as much as any other; requests come at even intervals; what waits for a network
/// waits for its mean time.
package struct Session: Sendable {
    package let plan: SessionPlan
    let values: DeviceValues
    let costs: [ReadingCost]
    /// By the place in `ThermalStates.rising`.
    private let speeds, powers: [Double]
    private let paces: [Pace]
    private let pressure: Double
    private let states: ThermalStates

    /// - Throws: when there are no costs, or a figure is out of its range.
    package init(_ plan: SessionPlan, _ values: DeviceValues, costs: [ReadingCost]) throws(HarnessError) {
        if costs.isEmpty { throw .configuration("no costs of readings: specify at least one") }
        try plan.check()
        for cost in costs { try cost.check() }
        // Costs that come sorted would have long readings follow each other.
        var random = SplitMix64(state: 1)
        let costs = random.shuffled(costs)
        (self.plan, self.values, self.costs) = (plan, values, costs)
        let states = ThermalStates(values)
        let slow = plan.isLowPower ? values[.lowPowerSpeed] : 1
        let pressure = plan.memory > values[.memoryBudget] ? values[.memoryPressure] : 1
        (self.states, self.pressure) = (states, pressure)
        speeds = ThermalStates.rising.map { states.speed($0) * slow }
        powers = speeds.map { pow($0, values[.throttlePowerExponent]) }
        paces = zip(ThermalStates.rising, speeds).map { state, speed in
            Pace(plan, values, costs: costs, in: state, speed: speed, pressure: pressure)
        }
    }

    /// Returns the session's result; `pointsEvery` are the seconds between the points of the timeline, nil for neither
    /// timeline nor minutes.
    package func run(pointsEvery: Int? = nil) -> SessionResult {
        let radio = Radio(plan, values, costs)
        let (base, display, camera) = (values[.basePower], values[.displayPower], values[.cameraPower])
        let (cpu, unit) = (powers.map { $0 * values[.cpuPower] }, powers.map { $0 * values[plan.unit.power] })
        let network = ThermalNetwork(values, ambient: plan.ambient)
        let start = plan.startTemperature ?? plan.ambient
        var heat = ThermalNetwork.State(chip: start, skin: start)
        var state = place(of: .nominal, at: start)
        let capacity = values[.batteryCapacity] * values[.batteryHealth] * 3_600
        let identified = Double(costs.count(where: \.isIdentified)) / Double(costs.count)
        var result = SessionResult()
        // First results by state: of the session, and of the minute.
        var (firsts, minuteFirsts) = ([0.0, 0, 0, 0], [0.0, 0, 0, 0])
        var minuteBegan = result
        if pointsEvery != nil { result.addPoint(heat, state) }
        while result.seconds < plan.seconds, result.energy.total < capacity * plan.startCharge {
            let time = min(1, plan.seconds - result.seconds)
            let pace = paces[state]
            let traffic = radio.step(scans: pace.scans * time, waiting: result.waiting, seconds: time)
            var step = EnergyUse()
            step.base = base * time
            step.display = display * time
            step.camera = camera * pace.camera * time
            step.radio = traffic.joules
            let skin = step.total
            step.gpu = plan.backgroundLoad * time
            step.add(cpu[state] * pace.cpu * time, of: .cpu)
            step.add(unit[state] * pace.unit * time, of: plan.unit)
            let power = ThermalNetwork.Power(chip: (step.total - skin) / time, skin: skin / time)
            heat = network.advance(heat, under: power, seconds: time).state
            result.energy.add(step)
            result.seconds += time
            result.stateSeconds[state] += time
            result.frames += pace.frames * time
            result.readings += pace.readings * time
            result.scans += pace.scans * time
            result.cpuSeconds += pace.cpu * time
            result.unitSeconds += pace.unit * time
            result.requests += traffic.sent
            result.queued += traffic.queued
            result.waiting += traffic.asked - traffic.sent
            result.books += identified * (plan.strategy.needsBackEnd ? traffic.sent : pace.scans * time)
            (result.chip, result.skin) = (heat.chip, heat.skin)
            result.percent = 100 * result.energy.total / capacity
            let first = (plan.strategy.readsFirst ? pace.readings : pace.scans) * time
            firsts[state] += first
            minuteFirsts[state] += first
            let next = place(of: ThermalStates.rising[state], at: heat.skin)
            if let pointsEvery {
                let isEnd = result.seconds >= plan.seconds
                if isEnd || result.seconds.truncatingRemainder(dividingBy: Double(pointsEvery)) == 0 {
                    result.addPoint(heat, state)
                }
                if isEnd || result.seconds.truncatingRemainder(dividingBy: 60) == 0 {
                    result.addMinute(since: minuteBegan, p50: latency(50, minuteFirsts), p95: latency(95, minuteFirsts))
                    (minuteBegan, minuteFirsts) = (result, [0, 0, 0, 0])
                }
            }
            state = next
        }
        result.seedPercent =
            SeedBattery.percent(busySeconds: result.cpuSeconds, on: .cpu)
            + SeedBattery.percent(busySeconds: result.unitSeconds, on: plan.unit)
        let units = result.energy.cpu + result.energy.gpu + result.energy.neuralEngine + result.energy.radio
        result.readingJoules = max(0, units - plan.backgroundLoad * result.seconds)
        if pointsEvery != nil { (result.p50, result.p95) = (latency(50, firsts), latency(95, firsts)) }
        return result
    }

    private func place(of state: ThermalState, at skin: Double) -> Int {
        ThermalStates.rising.firstIndex(of: states.next(after: state, skin: skin)) ?? 0
    }

    /// Returns a percentile of the times from a frame to its first result, in ms; nil without a result.
    ///
    /// `firsts`: Number of results in each thermal state.
    private func latency(_ percent: Int, _ firsts: [Double]) -> Double? {
        let times = zip(speeds, firsts).filter { $1 > 0 }.flatMap { speed, count in
            costs.map { cost in
                let own = plan.strategy == .talariaOnly ? 0 : cost.inferenceSeconds * pressure
                let wait = plan.strategy.readsFirst ? 0 : cost.waitSeconds
                return (time: (cost.imageSeconds + own) / speed + wait, count: count)
            }
        }.sorted { $0.time < $1.time }
        var rest = times.reduce(0) { $0 + $1.count } * Double(percent) / 100
        return times.first { entry in
            rest -= entry.count
            return rest <= 1e-9
        }.map { $0.time * 1_000 }
    }
}

/// Requests of a session, and the energy of their radio.
private struct Radio {
    let plan: SessionPlan
    /// Powers in W while bytes move, and after that until the radio sleeps.
    let active, tail: Double
    /// Mean seconds of a request in which bytes move, and until the radio sleeps.
    let transfer, awake: Double
    let wait: Double

    init(_ plan: SessionPlan, _ values: DeviceValues, _ costs: [ReadingCost]) {
        self.plan = plan
        func mean(_ value: (ReadingCost) -> Double) -> Double {
            costs.reduce(0) { $0 + value($1) } / Double(costs.count)
        }
        let wait = mean(\.waitSeconds)
        self.wait = wait
        transfer = mean { cost in
            guard let uplink = plan.uplink, let downlink = plan.downlink else { return cost.waitSeconds }
            let megabits = Double(cost.bytesUp) * 8e-6 / uplink + Double(cost.bytesDown) * 8e-6 / downlink
            return min(cost.waitSeconds, megabits)
        }
        switch plan.link {
        case .none: (active, tail, awake) = (0, 0, wait)
        case .wifi: (active, tail, awake) = (values[.wifiPower], values[.wifiTailPower], wait + values[.wifiTail])
        case .cellular:
            (active, tail) = (values[.cellularPower], values[.cellularTailPower])
            awake = wait + values[.cellularTail]
        }
    }

    /// Returns what becomes of new scans and of those that wait: what is asked, sent, and queued of the new ones.
    func step(
        scans: Double,
        waiting: Double,
        seconds: Double
    ) -> (asked: Double, sent: Double, queued: Double, joules: Double) {
        guard plan.strategy.needsBackEnd else { return (0, 0, 0, 0) }
        let most = plan.rateLimit.map { Double($0.requests) / $0.windowSeconds * seconds } ?? .infinity
        let direct = min(scans * (1 - plan.offlineShare), most)
        // A time without a network is over after its mean; then what waits is sent, one after the other.
        let back =
            plan.offlineShare < 1 ? waiting * min(1, seconds / (plan.offlineShare > 0 ? plan.offlineSeconds : 1)) : 0
        let late = min(back, most - direct, seconds * (1 - plan.offlineShare) / max(wait, 1e-9))
        let sent = direct + late
        // Requests come at even intervals: one that follows before the radio sleeps cuts its tail short. Without a network
        // none follows.
        let offline = plan.offlineShare * min(1, awake / plan.offlineSeconds)
        let moving = min(seconds, sent * transfer)
        let rest = min(seconds * (1 - plan.offlineShare + offline), sent * awake) - moving
        return (scans, sent, scans - direct, active * moving + tail * max(0, rest))
    }
}
