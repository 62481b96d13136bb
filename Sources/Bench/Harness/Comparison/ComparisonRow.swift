package import Basics
package import Evaluation
import Foundation
import Statistics

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
    package var category = "all"
    package var a: Figure
    package var b: Figure
    /// Judged change: B less A for shares and differences, else B as a share of A, less 1.
    package var change: Figure
    package var interval: IntervalFigure
    /// P value of no difference, below 0.05 exactly where ``interval`` excludes 0; nil but for shares.
    package var p: Double?
    /// P value by Holm's correction for all pairs of sides; nil for two sides.
    package var correctedP: Double?
    /// The change that A shows against itself.
    package var noise = Figure.absent("no noise floor")
    /// The change to the bad that is still accepted; nil when the row only informs.
    package var tolerance: Double?
    /// Whether the verdict depends on it.
    package var gates = false
    package var status: Status
    package var note: String
    /// Accepted losses that it is within; nil without any.
    package var accepted: [AcceptedLoss]?

    /// Creates a row that is not judged; `isAlike` is whether no sample differs.
    init(
        _ metric: Metric,
        a: Figure,
        b: Figure,
        change: Figure,
        interval: IntervalFigure,
        p: Double? = nil,
        isAlike: Bool = false,
        note: String = ""
    ) {
        (self.metric, self.a, self.b, self.change) = (metric, a, b, change)
        (self.interval, self.p, self.note) = (interval, p, note)
        status = isAlike ? .noDifference : .undecided
    }

    /// Returns a row whose change is absent for a reason, as are its figures unless they are known.
    static func absent(_ metric: Metric, _ reason: String, _ a: Figure? = nil, _ b: Figure? = nil) -> Self {
        let none = Figure.absent(reason)
        return Self(metric, a: a ?? none, b: b ?? none, change: none, interval: .absent(reason))
    }

    /// Judges the change.
    ///
    /// A change is worse when the whole interval is on the bad side of 0 (no accident of these samples), and the
    /// estimate exceeds the tolerance (it matters) and the noise (this machine can measure it). A change beyond the
    /// tolerance without certainty is undecided. A row whose noise exceeds its tolerance cannot gate. An informative
    /// row is worse when the change is certain and exceeds the noise.
    mutating func judge(noise: Figure, _ tolerances: ComparisonTolerances) {
        self.noise = noise
        tolerance = category == "all" ? tolerances[metric] : nil
        gates = tolerance != nil
        // Read texts do not depend on a machine's speed: accuracy is judged by its samples alone.
        if gates, noise.value == nil, metric.family != .accuracy {
            return undecided("\(noise.reason ?? "no noise floor"), so it does not gate", gating: false)
        }
        guard let change = change.value, let ends = interval.value else {
            if status == .undecided { undecided(change.reason ?? interval.reason ?? "", gating: true) }
            return
        }
        let harms = [metric.harm(ends.lowerBound), metric.harm(ends.upperBound)].sorted()
        let (harm, near, far) = (metric.harm(change), harms[0], harms[1])
        let floor = noise.value ?? 0
        if near > 0, harm > floor {
            let leastBytes = metric.isPeakOfMemory ? tolerances.leastBytes : 0
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

    /// Corrects it by the p value for all `pairs` of sides, which is nil for a row that cannot be tested.
    ///
    /// A change that loses its significance counts as no difference, or is undecided where it exceeds the tolerance.
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

    /// B less A, in the metric's unit.
    package var difference: Figure { a.value.map { a in b.map { $0 - a } } ?? a }

    /// Whether the change is beyond chance, by the correction for all pairs, and beyond the noise.
    var isShown: Bool { (correctedP ?? 1) <= Sides.level && abs(change.value ?? 0) > noise.value ?? 0 }

    /// Whether there is a figure, or the reason for its absence although it should gate.
    package var isOfUse: Bool {
        tolerance != nil || (a.value ?? change.value) != nil && !(metric.family == .work && isAlike)
    }

    /// Whether no sample differs.
    private var isAlike: Bool { status == .noDifference && change.value == 0 && note.isEmpty }

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

extension ComparisonRow {
    /// Returns the chance of a change as large if there is no difference; nil when it cannot be tested: speed and memory
    /// need the noise of two pairs of `processes`.
    ///
    /// Of shares it is the row's. Of others it is found from the interval, whose half towards 0 is the quantile 0.975 of
    /// Student's t with one degree of freedom less than there are processes, or of the normal distribution for texts.
    func chance(processes: Int) -> Double? {
        guard let change = change.value, let ends = interval.value else { return nil }
        if let p { return p }
        // Counts are exact.
        if metric.family == .work { return change == 0 ? 1 : 0 }
        let isText = metric.family == .accuracy
        guard isText || noise.value != nil && processes >= 2 else { return nil }
        func scaled(_ value: Double) -> Double { metric.unit.isRelative ? log1p(value) : value }
        let half = abs(scaled(change) - scaled(change > 0 ? ends.lowerBound : ends.upperBound))
        if change == 0 { return 1 }
        let freedom = isText ? 1e6 : Double(processes - 1)
        let t = abs(scaled(change)) / half * StudentT.quantile(0.975, degreesOfFreedom: freedom)
        return half > 0 ? 2 * StudentT.cumulative(-t, degreesOfFreedom: freedom) : 0
    }
}
