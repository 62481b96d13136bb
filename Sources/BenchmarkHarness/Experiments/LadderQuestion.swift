import DeviceSimulation
import Evaluation
import ScanningPolicies

/// E-15: whether alerts, lower quality and unloading bring a device back within its targets (S3-23 to S3-28).
///
/// The policies are those of the app; what a reading takes is modelled, and the fault is put in by hand: for a minute, after
/// a minute without one.
struct LadderQuestion {
    let input: ExperimentInput

    /// What goes wrong for a minute.
    struct Fault: Sendable {
        var name: String
        /// P95 of the accurate reader beside its target; nil leaves it as it is.
        var slowdown: Double?
        var conditions = DeviceConditions()
        /// Percent of the battery in half an hour; nil when nobody knows.
        var battery: Double?
        var memoryBytes: Int?

        static let all = [
            Fault(name: "P95 at 1.4 times its target", slowdown: 1.4),
            Fault(name: "P95 at 1.6 times its target", slowdown: 1.6),
            Fault(name: "P95 at 2.1 times its target", slowdown: 2.1),
            Fault(name: "memory at 160 %", memoryBytes: 320_000_000),
            Fault(name: "battery at 16 % in 30 min", battery: 16),
            Fault(name: "low-power mode", conditions: DeviceConditions(isLowPower: true)),
            Fault(name: "thermal state serious", conditions: DeviceConditions(thermalState: .serious)),
            Fault(name: "thermal state critical", conditions: DeviceConditions(thermalState: .critical)),
            Fault(name: "memory warning", conditions: DeviceConditions(hasMemoryWarning: true)),
        ]
    }

    /// Seconds from which to which something is wrong, and how long is watched in all.
    static let fault = 60.0..<120.0
    static let length = 420.0
    /// Seconds between readings at the best quality.
    static let pace = 0.5

    /// What a fault led to.
    struct Course {
        var fault: Fault
        var severity: PerformanceAlert.Severity?
        var actions: [(second: Double, action: DegradationLadder.Action)] = []
        var lowest: ReadingQuality? = .high
        /// Seconds from the fault until no warning stood any more, or nothing was loaded.
        var helpedAfter: Double?
        /// Seconds from the fault's end until the best quality at full frequency was back.
        var recoveredAfter: Double?
        /// Titles that were read during the fault.
        var read = 0
        var points: [(second: Double, milliseconds: Double, rank: Double)] = []
    }

    var finding: Finding {
        guard let accurate = input.subjects.first(where: { $0.tier == "accurate" && $0.strategy == .onDeviceOnly }),
            let fast = input.subjects.first(where: { $0.tier == "fast" && $0.strategy == .onDeviceOnly }),
            let profile = input.profiles.first
        else { return input.unanswered(.ladder, "it needs the tiers accurate and fast, and a device") }
        let (best, lower) = (input.costs(accurate, on: profile), input.costs(fast, on: profile))
        guard !best.isEmpty, !lower.isEmpty, let target = ModelTarget.named("accurate") else {
            return input.unanswered(.ladder, "the variants have no readings")
        }
        let courses = Fault.all.map { Self.course($0, accurate: best, fast: lower, target: target) }
        let back = courses.filter { $0.helpedAfter != nil && $0.recoveredAfter != nil }
        let slowest = back.compactMap(\.recoveredAfter).max()
        let unloaded = courses.filter { $0.lowest == nil }.map(\.fault.name)
        return Finding(
            id: Experiment.ladder.rawValue,
            question: Experiment.ladder.question,
            answer:
                "In \(back.count) of \(courses.count) faults no warning stands any more, or reading has stopped, and the best quality "
                + "returns afterwards"
                + (slowest.map { ", at the latest \(NumberText.span(seconds: $0)) after the fault" } ?? "")
                + (unloaded.isEmpty ? "" : "; unloading is needed for \(unloaded.joined(separator: " and "))") + ".",
            evidence: .modelled,
            tables: [table(courses, profile)],
            plots: plots(courses, profile, target)
        )
    }

    static func course(
        _ fault: Fault,
        accurate: [ReadingCost],
        fast: [ReadingCost],
        target: ModelTarget
    ) -> Course {
        var course = Course(fault: fault)
        var control = QualityControl(window: PerformanceWindow(target: target))
        func milliseconds(_ cost: ReadingCost, _ level: ReadingLevel) -> Double {
            1_000 * (cost.imageSeconds + cost.inferenceSeconds * level.inputScale)
        }
        let own = Percentile.nearestRank(95, of: accurate.map { milliseconds($0, ReadingLevel(.high)) }.sorted())
        let factor = fault.slowdown.map { $0 * target.p95Milliseconds / own } ?? 1
        var time = 0.0
        var number = 0
        while time < length {
            let isWrong = Self.fault.contains(time)
            let conditions = isWrong ? fault.conditions : DeviceConditions()
            let actions: [DegradationLadder.Action]
            if let quality = control.ladder.quality {
                let level = ReadingLevel(quality)
                let costs = level.tier == "accurate" ? accurate : fast
                let cost = costs[number % costs.count]
                let latency = milliseconds(cost, level) * (isWrong ? factor : 1)
                actions = control.note(
                    InferenceMetrics(
                        model: target.name,
                        time: .seconds(time),
                        latency: .milliseconds(latency),
                        memoryBytes: isWrong && quality == .high ? fault.memoryBytes : nil,
                        batteryPercentPer30Minutes: isWrong && quality == .high ? fault.battery : nil
                    ),
                    under: conditions
                )
                if isWrong && cost.isIdentified { course.read += 1 }
                course.points.append((time, latency, Double(quality == .high ? 3 : quality == .medium ? 2 : 1)))
            } else {
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
            course.lowest = lower(course.lowest, control.ladder.quality)
            note(&course, control, target, at: time)
            number += 1
            time += pace / max(control.ladder.frequencyShare, 0.01)
        }
        return course
    }

    /// The lower of two qualities; nil is none at all.
    private static func lower(_ a: ReadingQuality?, _ b: ReadingQuality?) -> ReadingQuality? {
        guard let a, let b else { return nil }
        return min(a, b)
    }

    private static func note(_ course: inout Course, _ control: QualityControl, _ target: ModelTarget, at time: Double)
    {
        let isDown = control.ladder.quality == nil
        if time >= fault.lowerBound, course.helpedAfter == nil {
            let alerts = control.window.alerts.contains { $0.severity >= .warning }
            let known = control.window.statistics.p95.milliseconds
            let hasStepped = !course.actions.isEmpty
            if isDown
                || (hasStepped && !alerts
                    && known.map { $0 <= target.p95Milliseconds * control.window.rules.latencyWarning } ?? false)
            {
                course.helpedAfter = time - fault.lowerBound
            }
        }
        let isBest = control.ladder.quality == .high && control.ladder.frequencyShare == 1
        if time < fault.upperBound || !isBest {
            course.recoveredAfter = nil
        } else if course.recoveredAfter == nil {
            course.recoveredAfter = time - fault.upperBound
        }
    }

    private func table(_ courses: [Course], _ profile: DeviceProfile) -> FindingTable {
        FindingTable(
            "The ladder",
            note:
                "The app's own policies over modelled readings on \(profile.name), one each half second; each fault is put in by hand for 60 s. "
                + "Helped: until no warning stands, or nothing is loaded. Titles: read during the fault, of the readings that would have been "
                + "made without it.",
            columns: ["Fault", "Worst alert", "Steps", "Lowest quality", "Helped after", "Best again after", "Titles"],
            rows: courses.map { course in
                [
                    course.fault.name, course.severity?.rawValue ?? "none", Self.steps(course),
                    course.lowest?.rawValue ?? "unloaded", Self.span(course.helpedAfter),
                    Self.span(course.recoveredAfter),
                    "\(course.read) of \(Int((Self.fault.upperBound - Self.fault.lowerBound) / Self.pace))",
                ]
            },
            numbersFrom: 4
        )
    }

    private static func span(_ seconds: Double?) -> String { seconds.map { NumberText.span(seconds: $0) } ?? "not" }

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

    private func plots(_ courses: [Course], _ profile: DeviceProfile, _ target: ModelTarget) -> [FindingPlot] {
        let slowed = courses.filter { $0.fault.slowdown != nil }
        return [
            FindingPlot(
                "Latency while a device is slowed down from 60 to 120 s, \(profile.name) (modelled)",
                xLabel: "time (s)",
                yLabel: "latency (ms)",
                series: slowed.map {
                    .init($0.fault.name, x: $0.points.map(\.second), y: $0.points.map(\.milliseconds))
                },
                levels: [.init("target", y: target.p95Milliseconds)]
            ),
            FindingPlot(
                "Quality: 3 high, 2 medium, 1 low, 0 unloaded (modelled)",
                xLabel: "time (s)",
                yLabel: "quality",
                series: courses.map {
                    .init($0.fault.name, x: $0.points.map(\.second), y: $0.points.map(\.rank), isStepped: true)
                }
            ),
        ]
    }
}
