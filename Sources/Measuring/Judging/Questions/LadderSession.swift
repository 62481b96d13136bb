import DeviceSimulation
import Evaluation
import ScanningPolicies
import Statistics

extension LadderQuestion {
    /// A fault that lasts a minute; heat is there when it begins, and leaves by itself or not.
    struct Fault: Sendable {
        enum Kind: Sendable, Equatable {
            /// The device is so slow that the accurate reader's P95 is so many times its target.
            case slow(Double)
            /// The rest of the app holds so much that with the accurate reader it is this share of what is allowed.
            case held(Double)
            /// Likewise, and the system sends memory warnings while more than what is allowed is held.
            case warned(Double)
            /// Each reading takes so much more that the accurate one would take these percent of the battery in half an hour.
            case draining(Double)
            case lowPower
            /// The skin is one kelvin above where this state begins.
            case hot(ThermalState)
        }

        /// The figure that has to come back within its target.
        enum Metric: Sendable {
            case latency, memory, battery, heat
        }

        var name: String
        var kind: Kind

        var metric: Metric {
            switch kind {
            case .slow, .lowPower: .latency
            case .held, .warned: .memory
            case .draining: .battery
            case .hot: .heat
            }
        }

        /// In seconds; the alert about the battery is of the mean of a minute, and comes late.
        var time: Range<Double> { Course.begin..<(Course.begin + (metric == .battery ? 180 : 60)) }
    }

    /// A reader's readings on the device, and what its process held, in MB; nil when that was not measured.
    struct Reader: Sendable {
        var costs: [ReadingCost]
        var memory: Double?
    }

    /// The two readers of the ladder's qualities on a device.
    struct Phone: Sendable {
        var accurate: Reader
        var fast: Reader
        var values: DeviceValues
        var unit: ComputeUnit
        /// What alerts go by.
        var target: ModelTarget

        func reader(_ quality: ReadingQuality) -> Reader { ReadingLevel(quality).tier == "accurate" ? accurate : fast }

        /// Of a reading on the cool device.
        func milliseconds(_ cost: ReadingCost, _ quality: ReadingQuality) -> Double {
            1_000 * (cost.imageSeconds + cost.inferenceSeconds * ReadingLevel(quality).inputScale)
        }

        func p95(_ quality: ReadingQuality) -> Double {
            Percentile.nearestRank(95, of: reader(quality).costs.map { milliseconds($0, quality) }.sorted())
        }

        /// The mean of a reading, in J.
        func joules(_ quality: ReadingQuality) -> Double {
            let (costs, scale) = (reader(quality).costs, ReadingLevel(quality).inputScale)
            let all = costs.reduce(0.0) {
                $0 + $1.imageSeconds * values[.cpuPower] + $1.inferenceSeconds * scale * values[unit.power]
            }
            return all / Double(costs.count)
        }

        /// Of the battery in half an hour, at the best quality's pace unless another is given.
        func percent(_ quality: ReadingQuality, interval: Double = Course.pace) -> Double {
            var energy = EnergyUse()
            energy.add(joules(quality) / interval * 1_800, of: unit)
            return energy.percent(of: values)
        }
    }

    /// A session with or without a fault, with or without the ladder.
    struct Course: Sendable {
        typealias Point = (second: Double, milliseconds: Double, rank: Double)

        var severity: PerformanceAlert.Severity?
        var actions: [(second: Double, action: DegradationLadder.Action)] = []
        /// nil for none at all.
        var lowest: ReadingQuality? = .high
        /// Seconds after the fault's beginning at which what it is about first left its target; nil when it never did.
        var leftAfter: Double?
        /// Seconds from the fault's beginning until that was first back within its target; nil when it never was.
        var backAfter: Double?
        /// Seconds from the fault's end until the best quality at full frequency was back.
        var recoveredAfter: Double?
        /// Titles that were read during the fault.
        var read = 0
        var points: [Point] = []

        /// The second from which something is wrong, and how long is watched in all.
        static let (begin, length) = (60.0, 480.0)
        /// Seconds between readings at the best quality.
        static let pace = 0.5
        /// Readings that the latency which is judged is a P95 of: with fewer it is simply the longest.
        static let judged = Percentile.minimumCountToDescribe(95)
    }
}

extension LadderQuestion.Course {
    /// The fault says what is watched, and when; if it is not put in, nothing goes wrong.
    init(_ fault: LadderQuestion.Fault, isPutIn: Bool = true, on phone: LadderQuestion.Phone, hasLadder: Bool) {
        self.init()
        var control = QualityControl(window: PerformanceWindow(target: phone.target))
        var physics = LadderPhysics(isPutIn ? fault.kind : nil, on: phone)
        var recent: [Double] = []
        var (time, number) = (0.0, 0)
        while time < Self.length {
            physics.isWrong = fault.time.contains(time)
            if physics.isWrong { physics.heatUp() }
            let conditions = physics.conditions(control.ladder.quality)
            // A reader that is unloaded is asked for as often as ever.
            var interval = Self.pace
            var noted: [DegradationLadder.Action] = []
            if let quality = control.ladder.quality {
                let costs = phone.reader(quality).costs
                let cost = costs[number % costs.count]
                let latency = phone.milliseconds(cost, quality) * physics.slowness
                interval = max(Self.pace / max(control.ladder.frequencyShare, 0.01), latency / 1_000)
                recent = (recent + [latency]).suffix(Self.judged)
                if hasLadder {
                    let metrics = InferenceMetrics(
                        model: phone.target.name,
                        time: .seconds(time),
                        latency: .milliseconds(latency),
                        memoryBytes: fault.metric == .memory ? physics.held(quality).map { Int($0 * 1e6) } : nil,
                        batteryPercentPer30Minutes: fault.metric == .battery
                            ? physics.percent(quality, interval: interval) : nil
                    )
                    noted = control.note(metrics, under: conditions)
                }
                if fault.time.contains(time), cost.isIdentified { read += 1 }
                points.append((time, latency, quality == .high ? 3 : quality == .medium ? 2 : 1))
            } else {
                recent = []
                noted = control.note(conditions, at: .seconds(time))
                points.append((time, 0, 0))
            }
            for action in noted {
                if case .log(let alert) = action {
                    severity = max(severity ?? alert.severity, alert.severity)
                } else {
                    actions.append((time, action))
                }
            }
            let quality = control.ladder.quality
            lowest = lowest.flatMap { lowest in quality.map { min(lowest, $0) } }
            let isWithin: Bool? =
                switch fault.metric {
                case .latency: Self.p95(recent).map { $0 <= phone.target.p95Milliseconds }
                case .memory: physics.held(quality).map { $0 * 1e6 <= Double(phone.target.memoryBytes) }
                case .battery: physics.percent(quality, interval: interval) <= phone.target.batteryPercentPer30Minutes
                case .heat: physics.state == .nominal || physics.state == .fair
                }
            note(isWithin: isWithin, at: time)
            noteRecovery(control.ladder, since: fault.time.upperBound, at: time)
            physics.advance(interval, quality)
            number += 1
            time += interval
        }
    }

    /// nil while there are too few readings; a reader that is unloaded has none, and is not within its target.
    private static func p95(_ latencies: [Double]) -> Double? {
        latencies.count < judged ? nil : Percentile.nearestRank(95, of: latencies.sorted())
    }

    private mutating func note(isWithin: Bool?, at time: Double) {
        let since = time - Self.begin
        guard let isWithin, since >= 0 else { return }
        if !isWithin, leftAfter == nil { leftAfter = since }
        if isWithin, leftAfter != nil, backAfter == nil { backAfter = since }
    }

    private mutating func noteRecovery(_ ladder: DegradationLadder, since end: Double, at time: Double) {
        if time < end || ladder.quality != .high || ladder.frequencyShare != 1 {
            recoveredAfter = nil
        } else if recoveredAfter == nil {
            recoveredAfter = time - end
        }
    }
}

/// Effects of a fault on a phone, whatever the ladder does about it.
private struct LadderPhysics {
    private let kind: LadderQuestion.Fault.Kind?
    private let phone: LadderQuestion.Phone
    private let network: ThermalNetwork
    private let states: ThermalStates
    private var temperatures: ThermalNetwork.State
    private var isHeatedUp = false
    private(set) var state = ThermalState.nominal
    /// True while the fault goes on.
    var isWrong = false

    /// The air's temperature in °C.
    private static let ambient = 25.0

    init(_ kind: LadderQuestion.Fault.Kind?, on phone: LadderQuestion.Phone) {
        self.kind = kind
        self.phone = phone
        network = ThermalNetwork(phone.values, ambient: Self.ambient)
        states = ThermalStates(phone.values)
        temperatures = .init(chip: Self.ambient, skin: Self.ambient)
    }

    /// Puts the fault's heat in, once.
    mutating func heatUp() {
        guard case .hot(let wanted) = kind, !isHeatedUp else { return }
        isHeatedUp = true
        let skin = phone.values[wanted == .critical ? .criticalAt : .seriousAt] + 1
        temperatures = .init(chip: skin, skin: skin)
        state = states.next(after: state, skin: skin)
    }

    /// So many times as long as on the cool device with full power does every reading take.
    var slowness: Double {
        switch kind {
        case .slow(let factor) where isWrong: factor * phone.target.p95Milliseconds / phone.p95(.high)
        case .lowPower where isWrong: 1 / phone.values[.lowPowerSpeed]
        case .hot: 1 / states.speed(state)
        default: 1
        }
    }

    /// Memory of the app in MB, without a reader that of the rest alone; nil when the readers' memory is not known.
    func held(_ quality: ReadingQuality?) -> Double? {
        guard let best = phone.accurate.memory else { return nil }
        let rest: Double =
            switch kind {
            case .held(let share) where isWrong, .warned(let share) where isWrong:
                max(0, share * Double(phone.target.memoryBytes) / 1e6 - best)
            default: 0
            }
        guard let quality else { return rest }
        return phone.reader(quality).memory.map { $0 + rest }
    }

    /// The reader's part of the battery in half an hour at a pace.
    func percent(_ quality: ReadingQuality?, interval: Double) -> Double {
        guard let quality else { return 0 }
        let factor: Double =
            if case .draining(let percent) = kind, isWrong { percent / phone.percent(.high) } else { 1 }
        return factor * phone.percent(quality, interval: interval)
    }

    func conditions(_ quality: ReadingQuality?) -> DeviceConditions {
        var conditions = DeviceConditions()
        switch kind {
        case .warned where isWrong:
            conditions.hasMemoryWarning = held(quality).map { $0 * 1e6 > Double(phone.target.memoryBytes) } ?? false
        case .lowPower: conditions.isLowPower = isWrong
        case .hot: conditions.thermalState = state
        default: break
        }
        return conditions
    }

    /// Lets time go by; heat matters only to a fault of it.
    mutating func advance(_ seconds: Double, _ quality: ReadingQuality?) {
        guard case .hot = kind, isHeatedUp else { return }
        let values = phone.values
        let chip = quality.map { phone.joules($0) * states.power(state) / states.speed(state) / seconds } ?? 0
        let power = ThermalNetwork.Power(
            chip: chip,
            skin: values[.basePower] + values[.displayPower] + values[.cameraPower]
        )
        temperatures = network.advance(temperatures, under: power, seconds: seconds).state
        state = states.next(after: state, skin: temperatures.skin)
    }
}
