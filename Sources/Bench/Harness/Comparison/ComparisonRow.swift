package import Basics
package import Evaluation

/// Change of a metric from A to B, before it is judged.
struct EstimatedChange {
    var a: Figure
    var b: Figure
    /// As ``ComparisonRow/change``.
    var change: Figure
    var interval: IntervalFigure
    var p: Double?
    /// Whether no sample differs.
    var isAlike = false
    var note = ""

    /// Returns one that is absent for a reason, between figures unless they are absent, too.
    static func absent(_ reason: String, _ a: Figure? = nil, _ b: Figure? = nil) -> EstimatedChange {
        let none = Figure.absent(reason)
        return EstimatedChange(a: a ?? none, b: b ?? none, change: none, interval: .absent(reason))
    }
}

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
    package var a: Figure
    package var b: Figure
    /// B less A, in the metric's unit.
    package var difference: Figure
    /// Judged change: B less A for shares and differences, else B as a share of A, less 1.
    package var change: Figure
    package var interval: IntervalFigure
    /// P value of no difference, below 0.05 exactly where ``interval`` excludes 0; nil but for shares.
    package var p: Double?
    /// P value by Holm's correction for all pairs of sides; nil for two sides.
    package var correctedP: Double?
    /// The change that A shows against itself.
    package var noise: Figure
    /// The change to the bad that is still accepted; nil when the row only informs.
    package var tolerance: Double?
    /// Whether the verdict depends on it.
    package var gates: Bool
    package var status: Status
    package var note: String
    /// Accepted losses that it is within; nil without any.
    package var accepted: [AcceptedLoss]?

    /// Judges a change.
    ///
    /// A change is worse when the whole interval is on the bad side of 0 (no accident of these samples), and the
    /// estimate exceeds the tolerance (it matters) and the noise (this machine can measure it). A change beyond the
    /// tolerance without certainty is undecided. A row whose noise exceeds its tolerance cannot gate. An informative
    /// row is worse when the change is certain and exceeds the noise.
    init(
        _ metric: Metric,
        _ estimate: EstimatedChange,
        category: String = "all",
        noise: Figure,
        tolerances: ComparisonTolerances
    ) {
        (self.metric, self.category, self.noise) = (metric, category, noise)
        (a, b) = (estimate.a, estimate.b)
        difference = estimate.a.value.map { a in estimate.b.map { $0 - a } } ?? estimate.a
        (change, interval, p, note) = (estimate.change, estimate.interval, estimate.p, estimate.note)
        tolerance = category == "all" ? tolerances[metric] : nil
        (gates, status) = (false, .undecided)
        judge(leastBytes: metric.isPeakOfMemory ? tolerances.leastBytes : 0, isAlike: estimate.isAlike)
    }

    private mutating func judge(leastBytes: Double, isAlike: Bool) {
        gates = tolerance != nil
        // Read texts do not depend on a machine's speed: accuracy is judged by its samples alone.
        if gates, noise.value == nil, metric.family != .accuracy {
            return undecided("\(noise.reason ?? "no noise floor"), so it does not gate", gating: false)
        }
        guard let change = change.value, let ends = interval.value else {
            if isAlike {
                status = .noDifference
                return
            }
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

    /// Corrects it by the p value for all `pairs` of sides: a change that loses its significance counts as no difference, or is undecided
    /// where it exceeds the tolerance.
    mutating func correct(_ p: Double?, pairs: Int) {
        correctedP = p
        guard [.better, .worse].contains(status) else { return }
        guard let p else {
            if metric.family != .accuracy { undecided("not measured in turns", gating: false) }
            return
        }
        guard p > Sides.level else { return }
        let note = "not significant by Holm's correction for \(pairs) pairs"
        if gates, status == .worse { return undecided(note, gating: true) }
        status = .noDifference
        add(note)
    }

    /// Whether a figure is impossible: not finite, or a ratio of 0 or below.
    package var isImpossible: Bool {
        let figures = [change.value, interval.value?.lowerBound, interval.value?.upperBound].compactMap(\.self)
        return figures.contains { !$0.isFinite || (metric.unit.isRelative && $0 <= -1) }
            || [a, b, difference, noise].contains { $0.value.map { !$0.isFinite } ?? false }
    }

    /// Whether there is a figure, or the reason for its absence although it should gate.
    package var isOfUse: Bool { (a.value ?? change.value) != nil || tolerance != nil }

    var isRegression: Bool { gates && status == .worse && accepted == nil }

    private mutating func undecided(_ reason: String, gating: Bool) {
        (status, gates) = (.undecided, gates && gating)
        add(reason)
    }

    private mutating func add(_ text: String) {
        if !text.isEmpty { note = note.isEmpty ? text : "\(note); \(text)" }
    }

    private func size(_ change: Double) -> String { metric.unit.size(change) }
}
