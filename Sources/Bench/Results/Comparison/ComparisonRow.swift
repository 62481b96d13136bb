package import Basics
package import Evaluation
import Harness

/// Metric of one category, before and after.
package struct ComparisonRow: Sendable, Equatable, Codable {
    package enum Status: String, Sendable, Codable {
        case better
        case worse
        /// No difference that is both certain and larger than the tolerance.
        case noDifference
        case undecided
    }

    package var metric: Metric
    /// A category's name, or "all".
    package var category: String
    /// Value of A in the metric's unit.
    package var a: Figure
    package var b: Figure
    /// B less A, in the metric's unit.
    package var difference: Figure
    /// Judged change: B less A for shares and differences, else B as a share of A, less 1.
    package var change: Figure
    /// Interval of the change, with 95 % confidence.
    package var interval: IntervalFigure
    /// P-value of McNemar's exact test, where there is one.
    package var p: Double?
    /// The change that A shows against itself.
    package var noise: Figure
    /// The change to the bad that is still accepted; nil when the row only informs.
    package var tolerance: Double?
    /// Whether the verdict depends on it.
    package var gates: Bool
    package var status: Status
    /// Additional remark; may be empty.
    package var note: String

    /// Judges a change.
    ///
    /// A change is worse when the whole interval is on the bad side of 0, the estimate exceeds the tolerance, and it
    /// exceeds the noise: the first excludes an accident of these samples, the second shows that it matters, the
    /// third that this machine can measure it. A change beyond the tolerance without certainty is undecided. A row
    /// whose noise exceeds its tolerance cannot detect changes below its noise, and cannot gate then. An informative
    /// row is worse when the change is certain and exceeds the noise.
    init(
        _ metric: Metric,
        category: String = "all",
        values: (a: Figure, b: Figure),
        change: Figure,
        interval: IntervalFigure,
        p: Double? = nil,
        noise: Figure,
        tolerances: ComparisonTolerances,
        note: String = ""
    ) {
        self.metric = metric
        self.category = category
        (a, b) = values
        difference = values.a.value.map { a in values.b.map { $0 - a } } ?? values.a
        self.change = change
        self.interval = interval
        self.p = p
        self.noise = noise
        tolerance = category == "all" ? tolerances[metric] : nil
        self.note = note
        (gates, status) = (false, .undecided)
        judge(leastBytes: metric == .peakMemory ? tolerances.leastBytes : 0)
    }

    private mutating func judge(leastBytes: Double) {
        gates = tolerance != nil
        // Read texts do not depend on a machine's speed: accuracy is judged by its samples alone.
        if gates, noise.value == nil, metric.meaning.family != .accuracy {
            return undecided("\(noise.reason ?? "no noise floor"), so it does not gate", gating: false)
        }
        guard let change = change.value, let ends = interval.value else {
            return undecided(change.reason ?? interval.reason ?? "", gating: true)
        }
        let harms = [metric.harm(ends.lowerBound), metric.harm(ends.upperBound)].sorted()
        let (harm, near, far) = (metric.harm(change), harms[0], harms[1])
        let floor = noise.value ?? 0
        if near > 0, harm > floor {
            let matters = harm > (tolerance ?? 0) && (difference.value.map { abs($0) > leastBytes } ?? true)
            status = matters ? .worse : .noDifference
            if !matters { add("worse, within the tolerance") }
        } else if far < 0, -harm > floor {
            status = .better
        } else if let tolerance, floor > tolerance {
            undecided(
                "noise \(size(floor)) exceeds the gate of \(size(tolerance)): a change below it cannot gate on this machine",
                gating: false
            )
        } else if let tolerance, harm > tolerance {
            undecided("exceeds the tolerance, but not significantly: more samples are needed", gating: true)
        } else {
            status = .noDifference
        }
    }

    /// Whether a figure is impossible: not finite, or a ratio of 0 or below.
    package var isImpossible: Bool {
        let figures = [change.value, interval.value?.lowerBound, interval.value?.upperBound].compactMap(\.self)
        return figures.contains { !$0.isFinite || (metric.meaning.unit.isRelative && $0 <= -1) }
            || [a, b, difference, noise].contains { $0.value.map { !$0.isFinite } ?? false }
    }

    /// Whether there is a figure, or the reason for its absence although it should gate.
    package var isOfUse: Bool { a.value != nil || tolerance != nil }

    var isRegression: Bool { gates && status == .worse }

    /// Marks the row as undecided; `gating` rows leave the verdict open.
    private mutating func undecided(_ reason: String, gating: Bool) {
        (status, gates) = (.undecided, gates && gating)
        add(reason)
    }

    private mutating func add(_ text: String) {
        if !text.isEmpty { note = note.isEmpty ? text : "\(note); \(text)" }
    }

    /// Returns a change without its sign.
    private func size(_ change: Double) -> String { metric.meaning.unit.size(change) }
}
