package import Basics
package import Evaluation

/// Answer to a question about the pipeline, with its evidence.
package struct Finding: Sendable, Equatable, Codable {
    /// Decision of an answer.
    package enum Decision: String, Sendable, Codable, CaseIterable {
        /// Yes, in every case and for every plausible value.
        case holds
        /// No: there is a case in which it does not hold, for all plausible values.
        case doesNotHold = "does-not-hold"
        /// The data leave it open, or there are none.
        case undecided

        /// Returns the decision of one claim's cases: one that does not hold decides it, and one that is open leaves
        /// it open.
        ///
        /// Undecided without any.
        package static func overall(_ cases: some Sequence<Decision>) -> Decision {
            let all = Set(cases)
            if all.contains(.doesNotHold) { return .doesNotHold }
            return all == [.holds] ? .holds : .undecided
        }

        /// Returns the decision of one case over several plausible settings: the unanimous one, else undecided.
        package static func unanimous(_ settings: some Sequence<Decision>) -> Decision {
            let all = Set(settings)
            return all.count == 1 ? all.first ?? .undecided : .undecided
        }

        /// Creates the decision of a requirement.
        package init(_ verdict: Verdict) {
            switch verdict {
            case .pass: self = .holds
            case .fail: self = .doesNotHold
            case .inconclusive: self = .undecided
            }
        }

        /// "holds".
        package var text: String { rawValue.replacing("-", with: " ") }
    }

    /// Identifier such as "E-08".
    package var id: String
    /// Sentence that ends with a question mark.
    package var question: String
    /// Sentence with its figures.
    package var answer: String
    /// Decision of the answer; nil for an answer that is neither yes nor no, as in records from before there were
    /// decisions.
    package var decision: Decision?
    /// The weakest of all that the answer rests on.
    package var evidence: EvidenceClass
    package var tables: [Table]
    package var plots: [Plot]

    package init(
        id: String,
        question: String,
        answer: String,
        decision: Decision? = nil,
        evidence: EvidenceClass,
        tables: [Table] = [],
        plots: [Plot] = []
    ) {
        self.id = id
        self.question = question
        self.answer = answer
        self.decision = decision
        self.evidence = evidence
        self.tables = tables
        self.plots = plots
    }

    /// Basis of the answer, as it is printed behind it: "holds, modelled".
    package var basis: String { [decision?.text, evidence.rawValue].compactMap(\.self).joined(separator: ", ") }
}
