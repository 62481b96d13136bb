import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies
import Statistics

/// E-15: whether alerts, lower quality and unloading bring a device back within its targets (S3-23 to S3-28).
///
/// The policies are those of the app, the readings modelled. A fault goes on whatever the ladder does: a slow device is slow
/// for every reader, what the rest of the app holds stays held, a reading of a wasteful reader stays as many times too
/// expensive, and heat leaves only through the skin. Whether it helps is judged beside the same session without a ladder.
struct LadderQuestion {
    let input: ExperimentInput

    /// What goes wrong for a minute; heat is there when it begins, and leaves by itself or not.
    struct Fault: Sendable {
        /// What it is, and what is put in.
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

        /// What has to come back within its target.
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

        /// Seconds from which to which it goes on; the alert about the battery is of the mean of a minute, and comes late.
        var time: Range<Double> {
            LadderQuestion.begin..<(metric == .battery ? LadderQuestion.begin + 180 : LadderQuestion.begin + 60)
        }

        static let all = [
            Fault(name: "P95 at 1.4 times its target", kind: .slow(1.4)),
            Fault(name: "P95 at 1.6 times its target", kind: .slow(1.6)),
            Fault(name: "P95 at 2.1 times its target", kind: .slow(2.1)),
            Fault(name: "memory at 160 %", kind: .held(1.6)),
            // So much that it is still critical when a warning has it read three quarters as often.
            Fault(name: "battery at 22 % in 30 min", kind: .draining(22)),
            Fault(name: "low-power mode", kind: .lowPower),
            Fault(name: "thermal state serious", kind: .hot(.serious)),
            Fault(name: "thermal state critical", kind: .hot(.critical)),
            Fault(name: "memory warning", kind: .warned(1.6)),
        ]
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
    }

    /// The second from which something is wrong, and how long is watched in all.
    static let begin = 60.0
    static let length = 480.0
    /// Seconds between readings at the best quality.
    static let pace = 0.5
    /// Seconds by which the ladder has to be sooner to have helped: at its least frequency a session is looked at so often.
    static let margin = 2.0
    /// Readings that the latency which is judged is a P95 of: with fewer it is simply the longest.
    static let judged = Percentile.minimumCountToDescribe(95)
    /// The air's temperature in °C.
    static let ambient = 25.0

    /// What a fault led to, with the ladder or without it.
    struct Course: Sendable {
        var severity: PerformanceAlert.Severity?
        var actions: [(second: Double, action: DegradationLadder.Action)] = []
        var lowest: ReadingQuality? = .high
        /// Seconds after the fault's beginning at which what it is about first left its target; nil when it never did.
        var leftAfter: Double?
        /// Seconds from the fault's beginning until that was first back within its target; nil when it never was.
        var backAfter: Double?
        /// Seconds from the fault's end until the best quality at full frequency was back.
        var recoveredAfter: Double?
        /// Titles that were read during the fault.
        var read = 0
        var points: [(second: Double, milliseconds: Double, rank: Double)] = []
    }

    /// A fault with the ladder, without it, and what is to be said of both.
    struct Outcome: Sendable {
        enum Result: Sendable, Equatable {
            /// Back within its target sooner than without the ladder.
            case helped
            /// Not sooner, or never.
            case didNotHelp
            /// It stays within its target without the ladder.
            case harmless
            case notJudged(String)
        }

        var fault: Fault
        var with = Course()
        var without = Course()
        var result: Result
        /// Titles that are read in the fault's time without it.
        var readable: Int

        /// nil where there is nothing to bring back.
        var decision: Finding.Decision? {
            switch result {
            case .helped: .holds
            case .didNotHelp: .doesNotHold
            case .notJudged: .undecided
            case .harmless: nil
            }
        }
    }

    var finding: Finding {
        guard let accurate = input.subjects.first(where: { $0.tier == "accurate" && $0.strategy == .onDeviceOnly }),
            let fast = input.subjects.first(where: { $0.tier == "fast" && $0.strategy == .onDeviceOnly }),
            !input.profiles.isEmpty
        else { return input.unanswered(.ladder, "it needs the tiers accurate and fast, and a device") }
        guard let target = ModelTarget.named("accurate") else {
            return input.unanswered(.ladder, "the tier accurate has no target")
        }
        let phones = input.profiles.map { (profile: $0, phone: phone(accurate, fast, on: $0, target)) }.filter {
            !$0.phone.accurate.costs.isEmpty && !$0.phone.fast.costs.isEmpty
        }
        // What is too slow without a fault shows nothing of one.
        guard let (profile, phone) = phones.first(where: { Self.isWithin($0.phone, target) }) ?? phones.first else {
            return input.unanswered(.ladder, "the variants have no readings")
        }
        let outcomes = Fault.all.map { Self.outcome($0, on: phone) }
        func names(_ result: Outcome.Result) -> [String] { outcomes.filter { $0.result == result }.map(\.fault.name) }
        let (helped, not) = (names(.helped), names(.didNotHelp))
        let slowest = outcomes.filter { $0.result == .helped }.compactMap(\.with.recoveredAfter).max()
        let open = outcomes.count - helped.count - not.count
        let answer =
            "On \(profile.name) the ladder brings back what went wrong in \(helped.count) of \(helped.count + not.count) faults that "
            + "drive it out of its target, sooner than without the ladder"
            + (not.isEmpty ? "" : "; not for \(not.joined(separator: ", "))")
            + (slowest.map {
                "; the best quality is back at the latest \(NumberText.span(seconds: $0)) after the fault"
            } ?? "")
            + (open == 0 ? "" : "; \(NumberText.count(open, "fault")) do no harm or cannot be judged") + "."
        return Finding(
            .ladder,
            .overall(outcomes.compactMap(\.decision)),
            answer,
            tables: [table(outcomes, profile)],
            plots: plots(outcomes, profile, target)
        )
    }

    private func phone(
        _ accurate: ExperimentInput.Subject,
        _ fast: ExperimentInput.Subject,
        on profile: DeviceProfile,
        _ target: ModelTarget
    ) -> Phone {
        let (plan, costs) = accurate.assessed.session(on: profile, calibration: input.calibration, at: .nominal)
        return Phone(
            accurate: Reader(costs: costs, memory: accurate.assessed.memory),
            fast: Reader(costs: input.costs(fast, on: profile), memory: fast.assessed.memory),
            values: profile.values(),
            unit: plan.unit,
            target: target
        )
    }

    private static func isWithin(_ phone: Phone, _ target: ModelTarget) -> Bool {
        phone.p95(.high) <= target.p95Milliseconds
    }

    /// A fault on a phone.
    static func outcome(_ fault: Fault, on phone: Phone) -> Outcome {
        let baseline = course(fault, isPutIn: false, on: phone, hasLadder: false)
        if fault.metric == .memory, phone.accurate.memory == nil || phone.fast.memory == nil {
            return Outcome(fault: fault, result: .notJudged("memory was not measured"), readable: baseline.read)
        }
        if fault.metric == .battery, phone.percent(.high) == 0 {
            return Outcome(fault: fault, result: .notJudged("the reader takes no energy"), readable: baseline.read)
        }
        let without = course(fault, on: phone, hasLadder: false)
        let with = course(fault, on: phone, hasLadder: true)
        let result: Outcome.Result =
            if baseline.leftAfter != nil {
                .notJudged("out of its target without the fault")
            } else if without.leftAfter == nil {
                .harmless
            } else if with.leftAfter == nil {
                .helped
            } else if let back = with.backAfter, without.backAfter.map({ back + margin < $0 }) ?? true {
                .helped
            } else {
                .didNotHelp
            }
        return Outcome(fault: fault, with: with, without: without, result: result, readable: baseline.read)
    }

    /// One session.
    ///
    /// - Parameters:
    ///   - fault: says what is watched, and when.
    ///   - isPutIn: whether anything goes wrong.
    ///   - phone: that reads.
    ///   - hasLadder: whether the ladder acts.
    /// - Returns: what came of it.
    static func course(_ fault: Fault, isPutIn: Bool = true, on phone: Phone, hasLadder: Bool) -> Course {
        let metric = fault.metric
        var course = Course()
        var control = QualityControl(window: PerformanceWindow(target: phone.target))
        var physics = LadderPhysics(isPutIn ? fault.kind : nil, on: phone)
        var recent: [Double] = []
        var (time, number) = (0.0, 0)
        while time < length {
            physics.isWrong = fault.time.contains(time)
            if physics.isWrong { physics.heatUp() }
            let conditions = physics.conditions(control.ladder.quality)
            // A reader that is unloaded is asked for as often as ever.
            var interval = control.ladder.quality == nil ? pace : pace / max(control.ladder.frequencyShare, 0.01)
            var actions: [DegradationLadder.Action] = []
            if let quality = control.ladder.quality {
                let level = ReadingLevel(quality)
                let costs = phone.reader(quality).costs
                let cost = costs[number % costs.count]
                let latency = phone.milliseconds(cost, level) * physics.slowness
                interval = max(interval, latency / 1_000)
                recent = (recent + [latency]).suffix(judged)
                if hasLadder {
                    actions = control.note(
                        InferenceMetrics(
                            model: phone.target.name,
                            time: .seconds(time),
                            latency: .milliseconds(latency),
                            memoryBytes: metric == .memory ? physics.held(quality).map { Int($0 * 1e6) } : nil,
                            batteryPercentPer30Minutes: metric == .battery
                                ? physics.percent(quality, interval: interval) : nil
                        ),
                        under: conditions
                    )
                }
                if fault.time.contains(time), cost.isIdentified { course.read += 1 }
                course.points.append((time, latency, Double(quality == .high ? 3 : quality == .medium ? 2 : 1)))
            } else {
                recent = []
                actions = control.note(conditions, at: .seconds(time))
                course.points.append((time, 0, 0))
            }
            for action in actions {
                if case .log(let alert) = action {
                    course.severity = max(course.severity ?? alert.severity, alert.severity)
                } else {
                    course.actions.append((time, action))
                }
            }
            let quality = control.ladder.quality
            course.lowest = lower(course.lowest, quality)
            let isWithin =
                switch metric {
                case .latency: p95(recent).map { $0 <= phone.target.p95Milliseconds }
                case .memory: physics.held(quality).map { $0 * 1e6 <= Double(phone.target.memoryBytes) }
                case .battery:
                    physics.percent(quality, interval: interval) <= phone.target.batteryPercentPer30Minutes
                case .heat: physics.state == .nominal || physics.state == .fair
                }
            note(&course, isWithin: isWithin, at: time)
            noteRecovery(&course, control.ladder, since: fault.time.upperBound, at: time)
            physics.advance(interval, quality)
            number += 1
            time += interval
        }
        return course
    }

    /// nil while there are too few readings; a reader that is unloaded has none, and is not within its target.
    private static func p95(_ latencies: [Double]) -> Double? {
        latencies.count < judged ? nil : Percentile.nearestRank(95, of: latencies.sorted())
    }

    private static func note(_ course: inout Course, isWithin: Bool?, at time: Double) {
        let since = time - begin
        guard let isWithin, since >= 0 else { return }
        if !isWithin, course.leftAfter == nil { course.leftAfter = since }
        if isWithin, course.leftAfter != nil, course.backAfter == nil { course.backAfter = since }
    }

    private static func noteRecovery(
        _ course: inout Course,
        _ ladder: DegradationLadder,
        since end: Double,
        at time: Double
    ) {
        let isBest = ladder.quality == .high && ladder.frequencyShare == 1
        if time < end || !isBest {
            course.recoveredAfter = nil
        } else if course.recoveredAfter == nil {
            course.recoveredAfter = time - end
        }
    }

    /// The lower of two qualities; nil is none at all.
    private static func lower(_ a: ReadingQuality?, _ b: ReadingQuality?) -> ReadingQuality? {
        guard let a, let b else { return nil }
        return min(a, b)
    }

    private func table(_ outcomes: [Outcome], _ profile: DeviceProfile) -> Table {
        Table(
            "The ladder",
            note:
                "The app's own policies over modelled readings on \(profile.name), one each half second. Each fault goes on for 60 s, the "
                + "battery's for 180, whatever the ladder does; heat is put in at their beginning, and leaves through the skin. Back within its target: the P95 of "
                + "the last \(Self.judged) readings, what the app holds, what the reader draws, or the thermal state below serious; with the "
                + "ladder, and in the same session without it. Titles: read in that time, with the ladder and without, of the titles that are "
                + "read then when nothing is wrong.",
            columns: [
                "Fault", "Worst alert", "Steps", "Lowest quality", "Back after", "Without the ladder",
                "Best again after",
                "Titles", "Without the ladder, titles", "Verdict",
            ],
            rows: outcomes.map { outcome in
                let (with, without) = (outcome.with, outcome.without)
                if case .notJudged(let reason) = outcome.result {
                    return [outcome.fault.name] + [String](repeating: "–", count: 8) + ["not judged: \(reason)"]
                }
                return [
                    outcome.fault.name, with.severity?.rawValue ?? "none", Self.steps(with),
                    with.lowest?.rawValue ?? "unloaded", Self.back(with), Self.back(without),
                    with.recoveredAfter.map { NumberText.span(seconds: $0) } ?? "not",
                    "\(with.read) of \(outcome.readable)", "\(without.read) of \(outcome.readable)",
                    outcome.result == .helped
                        ? "helped" : outcome.result == .harmless ? "does no harm" : "did not help",
                ]
            },
            numbersFrom: 4
        )
    }

    private static func back(_ course: Course) -> String {
        guard course.leftAfter != nil else { return "never left" }
        return course.backAfter.map { NumberText.span(seconds: $0) } ?? "not"
    }

    /// "medium at 62 s (latency), …".
    static func steps(_ course: Course) -> String {
        let texts = course.actions.compactMap { second, action -> String? in
            let at = "at \(NumberText.fixed(second, 0)) s"
            return switch action {
            case .log: nil
            case .setFrequency(let share): "frequency \(NumberText.fixed(100 * share, 0)) % \(at)"
            case .switchTo(let quality, let reason): "\(quality.rawValue) \(at) (\(reason.rawValue))"
            case .unload(let reason): "unload \(at) (\(reason.rawValue))"
            case .recover(let quality): "back to \(quality.rawValue) \(at)"
            }
        }
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }

    private func plots(_ outcomes: [Outcome], _ profile: DeviceProfile, _ target: ModelTarget) -> [Plot] {
        let judged = outcomes.filter { !$0.with.points.isEmpty }
        func series(_ outcomes: [Outcome], isStepped: Bool, _ y: (Course) -> [Double]) -> [Plot.Series] {
            outcomes.map {
                .init($0.fault.name, x: $0.with.points.map(\.second), y: y($0.with), isStepped: isStepped)
            }
        }
        return [
            Plot(
                "Latency while a device is slowed down from 60 to 120 s, \(profile.name) (modelled)",
                xLabel: "time (s)",
                yLabel: "latency (ms)",
                series: series(judged.filter { $0.fault.metric == .latency }, isStepped: false) {
                    $0.points.map(\.milliseconds)
                },
                levels: [.init("target", y: target.p95Milliseconds)]
            ),
            Plot(
                "Quality: 3 high, 2 medium, 1 low, 0 unloaded (modelled)",
                xLabel: "time (s)",
                yLabel: "quality",
                series: series(judged, isStepped: true) { $0.points.map(\.rank) }
            ),
        ]
    }
}

extension LadderQuestion.Phone {
    /// What reads at a quality.
    func reader(_ quality: ReadingQuality) -> LadderQuestion.Reader {
        ReadingLevel(quality).tier == "accurate" ? accurate : fast
    }

    /// A reading at a level, on the cool device.
    func milliseconds(_ cost: ReadingCost, _ level: ReadingLevel) -> Double {
        1_000 * (cost.imageSeconds + cost.inferenceSeconds * level.inputScale)
    }

    func p95(_ quality: ReadingQuality) -> Double {
        let level = ReadingLevel(quality)
        return Percentile.nearestRank(95, of: reader(quality).costs.map { milliseconds($0, level) }.sorted())
    }

    /// The mean of a reading, in J.
    func joules(_ quality: ReadingQuality) -> Double {
        let (costs, scale) = (reader(quality).costs, ReadingLevel(quality).inputScale)
        let all = costs.reduce(0.0) {
            $0 + $1.imageSeconds * values[.cpuPower] + $1.inferenceSeconds * scale * values[unit.power]
        }
        return all / Double(costs.count)
    }

    /// Of the battery in half an hour, at the best quality's pace.
    func percent(_ quality: ReadingQuality, interval: Double = LadderQuestion.pace) -> Double {
        var energy = EnergyUse()
        energy.add(joules(quality) / interval * 1_800, of: unit)
        return energy.percent(of: values)
    }
}

/// What a fault does to a phone, whatever the ladder does about it.
struct LadderPhysics {
    private let kind: LadderQuestion.Fault.Kind?
    private let phone: LadderQuestion.Phone
    private let network: ThermalNetwork
    private let states: ThermalStates
    private var temperatures: ThermalNetwork.State
    private var isHeatedUp = false
    private(set) var state = ThermalState.nominal
    /// Whether the fault's time has come.
    var isWrong = false

    init(_ kind: LadderQuestion.Fault.Kind?, on phone: LadderQuestion.Phone) {
        self.kind = kind
        self.phone = phone
        network = ThermalNetwork(phone.values, ambient: LadderQuestion.ambient)
        states = ThermalStates(phone.values)
        temperatures = .init(chip: LadderQuestion.ambient, skin: LadderQuestion.ambient)
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

    /// What the app holds in MB, without a reader only what the rest holds; nil when the readers' memory is not known.
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

    /// What the reader takes of the battery in half an hour at a pace.
    func percent(_ quality: ReadingQuality?, interval: Double) -> Double {
        guard let quality else { return 0 }
        let factor: Double =
            if case .draining(let percent) = kind, isWrong { percent / phone.percent(.high) } else { 1 }
        return factor * phone.percent(quality, interval: interval)
    }

    /// What the system says.
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
