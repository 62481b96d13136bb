import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies

/// E-15: whether alerts, lower quality and unloading bring a device back within its targets (S3-23 to S3-28).
///
/// The policies are those of the app, the readings modelled. A fault goes on whatever the ladder does: a slow device is slow
/// for every reader, what the rest of the app holds stays held, a reading of a wasteful reader stays as many times too
/// expensive, and heat leaves only through the skin. Whether it helps is judged beside the same session without a ladder.
struct LadderQuestion: Question {
    static let experiment = Experiment.ladder
    let input: ExperimentInput

    private static let faults = [
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

    /// Seconds by which the ladder has to be sooner to have helped: at its least frequency a session is looked at so often.
    private static let margin = 2.0

    /// A fault with the ladder and without it.
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

        var verdict: String {
            switch result {
            case .helped: "helped"
            case .didNotHelp: "did not help"
            case .harmless: "does no harm"
            case .notJudged(let reason): "not judged: \(reason)"
            }
        }
    }

    func answer() throws(Unanswered) -> Finding {
        func local(_ tier: String) -> AssessmentSubject? { input.localSubjects.first { $0.tier == tier } }
        guard let accurate = local("accurate"), let fast = local("fast"), !input.profiles.isEmpty else {
            throw Unanswered("it needs the tiers accurate and fast, and a device")
        }
        guard let target = ModelTarget.named("accurate") else { throw Unanswered("the tier accurate has no target") }
        let phones = input.profiles.compactMap { profile in
            phone(accurate, fast, on: profile, target).map { (profile.name, $0) }
        }
        // What is too slow without a fault shows nothing of one.
        guard let (name, phone) = phones.first(where: { $1.p95(.high) <= target.p95Milliseconds }) ?? phones.first
        else { throw Unanswered("the variants have no readings") }
        let outcomes = Self.faults.map { Self.outcome($0, on: phone) }
        let not = outcomes.filter { $0.result == .didNotHelp }
        let helped = outcomes.filter { $0.result == .helped }
        let judged = helped.count + not.count
        let slowest = helped.compactMap(\.with.recoveredAfter).max().map {
            "; the best quality is back at the latest \(NumberText.span(seconds: $0)) after the fault"
        }
        let open = NumberText.count(outcomes.count - judged, "fault")
        return Self.finding(
            .overall(outcomes.compactMap(\.decision)),
            "On \(name) the ladder brings back what went wrong in \(helped.count) of \(judged) faults that "
                + "drive it out of its target, sooner than without the ladder"
                + (not.isEmpty ? "" : "; not for \(not.map(\.fault.name).joined(separator: ", "))") + (slowest ?? "")
                + (judged == outcomes.count ? "" : "; \(open) do no harm or cannot be judged") + ".",
            tables: [table(outcomes, on: name)],
            plots: plots(outcomes, on: name, target)
        )
    }

    private func phone(
        _ accurate: AssessmentSubject,
        _ fast: AssessmentSubject,
        on profile: DeviceProfile,
        _ target: ModelTarget
    ) -> Phone? {
        func reader(_ subject: AssessmentSubject) -> Reader {
            Reader(costs: input.costs(subject, on: profile), memory: subject.memory)
        }
        let (first, second) = (reader(accurate), reader(fast))
        guard !first.costs.isEmpty, !second.costs.isEmpty else { return nil }
        let unit = accurate.session(on: profile, calibration: input.calibration, at: .nominal).plan.unit
        return Phone(accurate: first, fast: second, values: profile.values(), unit: unit, target: target)
    }

    static func outcome(_ fault: Fault, on phone: Phone) -> Outcome {
        let baseline = Course(fault, isPutIn: false, on: phone, hasLadder: false)
        func notJudged(_ reason: String) -> Outcome {
            Outcome(fault: fault, result: .notJudged(reason), readable: baseline.read)
        }
        if fault.metric == .memory, phone.accurate.memory == nil || phone.fast.memory == nil {
            return notJudged("memory was not measured")
        }
        if fault.metric == .battery, phone.percent(.high) == 0 { return notJudged("the reader takes no energy") }
        let without = Course(fault, on: phone, hasLadder: false)
        let with = Course(fault, on: phone, hasLadder: true)
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

    private func table(_ outcomes: [Outcome], on device: String) -> Table {
        Table(
            "The ladder",
            note:
                "The app's own policies over modelled readings on \(device), one each half second. Each fault goes on for 60 s, the "
                + "battery's for 180, whatever the ladder does; heat is put in at their beginning, and leaves through the skin. Back within its target: the P95 of "
                + "the last \(Course.judged) readings, what the app holds, what the reader draws, or the thermal state below serious; with the "
                + "ladder, and in the same session without it. Titles: read in that time, with the ladder and without, of the titles that are "
                + "read then when nothing is wrong.",
            columns: [
                "Fault", "Worst alert", "Steps", "Lowest quality", "Back after", "Without the ladder",
                "Best again after", "Titles", "Without the ladder, titles", "Verdict",
            ],
            rows: outcomes.map { outcome in
                let (with, without) = (outcome.with, outcome.without)
                if case .notJudged = outcome.result {
                    return [outcome.fault.name] + [String](repeating: "–", count: 8) + [outcome.verdict]
                }
                return [
                    outcome.fault.name, with.severity?.rawValue ?? "none", Self.steps(with),
                    with.lowest?.rawValue ?? "unloaded", Self.back(with), Self.back(without),
                    with.recoveredAfter.map { NumberText.span(seconds: $0) } ?? "not",
                    "\(with.read) of \(outcome.readable)", "\(without.read) of \(outcome.readable)", outcome.verdict,
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
    private static func steps(_ course: Course) -> String {
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

    private func plots(_ outcomes: [Outcome], on device: String, _ target: ModelTarget) -> [Plot] {
        let judged = outcomes.filter { !$0.with.points.isEmpty }
        func series(_ outcomes: [Outcome], isStepped: Bool, _ y: (Course.Point) -> Double) -> [Plot.Series] {
            outcomes.map {
                .init($0.fault.name, x: $0.with.points.map(\.second), y: $0.with.points.map(y), isStepped: isStepped)
            }
        }
        return [
            Plot(
                "Latency while a device is slowed down from 60 to 120 s, \(device) (modelled)",
                xLabel: "time (s)",
                yLabel: "latency (ms)",
                series: series(judged.filter { $0.fault.metric == .latency }, isStepped: false, \.milliseconds),
                levels: [.init("target", y: target.p95Milliseconds)]
            ),
            Plot(
                "Quality: 3 high, 2 medium, 1 low, 0 unloaded (modelled)",
                xLabel: "time (s)",
                yLabel: "quality",
                series: series(judged, isStepped: true, \.rank)
            ),
        ]
    }
}
