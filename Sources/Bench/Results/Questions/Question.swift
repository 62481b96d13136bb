import Basics
import DeviceSimulation
import Evaluation
import Harness

/// A question of suites, answered from a run.
protocol Question {
    static var experiment: Experiment { get }

    /// - Throws: when the run lacks what the question needs.
    func answer() throws(Unanswered) -> Finding
}

/// What a run lacks for an answer.
struct Unanswered: Error {
    var reason: String
    var evidence = EvidenceClass.modelled

    init(_ reason: String, evidence: EvidenceClass = .modelled) {
        (self.reason, self.evidence) = (reason, evidence)
    }
}

extension Question {
    /// The answer, or what is missing for one.
    var finding: Finding {
        do {
            return try answer()
        } catch {
            return Self.finding(.undecided, "Not answered: \(error.reason).", evidence: error.evidence)
        }
    }

    /// An answer in one sentence, without a decision where it says neither yes nor no.
    static func finding(
        _ decision: Finding.Decision?,
        _ answer: String,
        evidence: EvidenceClass = .modelled,
        tables: [Table] = [],
        plots: [Plot] = []
    ) -> Finding {
        Finding(
            id: experiment.rawValue,
            question: experiment.question,
            answer: answer,
            decision: decision,
            evidence: evidence,
            tables: tables,
            plots: plots
        )
    }
}

extension Finding.Decision {
    /// Of a figure that has to be below a limit, by all that it plausibly is.
    init(_ plausible: ClosedRange<Double>, below limit: Double) {
        self =
            plausible.upperBound < limit ? .holds : plausible.lowerBound >= limit ? .doesNotHold : .undecided
    }

    /// "holds: too few spines".
    static func text(_ judgement: Judgement) -> String {
        let words = Self(judgement.verdict).text
        return judgement.note.isEmpty ? words : "\(words): \(judgement.note)"
    }
}

extension EvidenceClass {
    /// The weakest of several: modelled before reported before measured; what is only claimed is the weakest of all.
    static func weakest(_ classes: some Sequence<EvidenceClass>) -> EvidenceClass {
        let all = Set(classes)
        return [.claimed, .modelled, .reported].first { all.contains($0) } ?? .measured
    }
}

extension Plausible {
    /// A value at each bound; nil when one of them has none.
    init?(at bound: (Bound) -> Value?) {
        guard let nominal = bound(.nominal), let favourable = bound(.favourable), let adverse = bound(.adverse) else {
            return nil
        }
        self.init(nominal: nominal, favourable: favourable, adverse: adverse)
    }

    /// In the order of ``Bound``.
    var all: [Value] { [favourable, nominal, adverse] }
}

extension ClosedRange<Double> {
    /// From the least to the most; nil without any.
    init?(of values: some Sequence<Double>) {
        guard let least = values.min(), let most = values.max() else { return nil }
        self = least...most
    }

    /// "0.10 to 0.25", and one number for equal ones.
    func text(_ text: (Double) -> String) -> String {
        let ends = [text(lowerBound), text(upperBound)]
        return ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
    }
}

extension SessionOutcome {
    /// A line over the minutes.
    func series(_ name: String, _ y: (Point) -> Double) -> Plot.Series {
        .init(name, x: timeline.map { $0.second / 60 }, y: timeline.map(y))
    }
}

extension NumberText {
    /// "4.20 %" of what is in percent already.
    static func battery(_ percent: Double) -> String { fixed(percent, 2) + " %" }

    /// "4.20 % [3.80 – 5.10]".
    static func battery(_ percent: Double, in range: ClosedRange<Double>) -> String {
        "\(battery(percent)) [\(fixed(range.lowerBound, 2)) – \(fixed(range.upperBound, 2))]"
    }
}
