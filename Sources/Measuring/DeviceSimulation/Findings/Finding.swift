package import Evaluation

/// The answer to a question that somebody asked of the pipeline, with what it rests on.
package struct Finding: Sendable, Equatable, Codable {
    /// Decision of an answer.
    package enum Decision: String, Sendable, Codable, CaseIterable {
        /// Yes, in every case and for every plausible value.
        case holds
        /// No: there is a case in which it does not, whatever the plausible values are.
        case doesNotHold = "does-not-hold"
        /// The data leave it open, or there are none.
        case undecided

        /// Of the cases of one claim: one that does not hold decides it, and one that is open leaves it open.
        ///
        /// Undecided without any.
        package static func overall(_ cases: some Sequence<Decision>) -> Decision {
            let all = Set(cases)
            if all.contains(.doesNotHold) { return .doesNotHold }
            return all == [.holds] ? .holds : .undecided
        }

        /// Of one case over several plausible settings: what all of them say, else undecided.
        package static func unanimous(_ settings: some Sequence<Decision>) -> Decision {
            let all = Set(settings)
            return all.count == 1 ? all.first ?? .undecided : .undecided
        }

        /// Of a requirement.
        package init(_ verdict: Verdict) {
            self =
                switch verdict {
                case .pass: .holds
                case .fail: .doesNotHold
                case .inconclusive: .undecided
                }
        }

        /// "holds".
        package var text: String {
            switch self {
            case .holds: "holds"
            case .doesNotHold: "does not hold"
            case .undecided: "undecided"
            }
        }
    }

    /// Such as "E-08".
    package var id: String
    /// One sentence that ends with a question mark.
    package var question: String
    /// One sentence, with its figures.
    package var answer: String
    /// Decision of the answer; nil where it says neither yes nor no, as in records from before there were decisions.
    package var decision: Decision?
    /// The weakest of all that the answer rests on.
    package var evidence: EvidenceClass
    package var tables: [FindingTable]
    package var plots: [FindingPlot]

    /// - Parameters:
    ///   - id: such as "E-08".
    ///   - question: one sentence.
    ///   - answer: one sentence.
    ///   - decision: what the answer comes to.
    ///   - evidence: the weakest of all that the answer rests on.
    ///   - tables: with the figures.
    ///   - plots: of the figures.
    package init(
        id: String,
        question: String,
        answer: String,
        decision: Decision? = nil,
        evidence: EvidenceClass,
        tables: [FindingTable] = [],
        plots: [FindingPlot] = []
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

/// A table of texts, ready to be set.
package struct FindingTable: Sendable, Equatable, Codable {
    package var title: String
    /// Note on the figures: their evidence class, and how they came about; may be empty.
    package var note: String
    package var columns: [String]
    /// As many texts in each as there are columns.
    package var rows: [[String]]
    /// Columns from here on are set to the right.
    package var numbersFrom: Int

    /// - Parameters:
    ///   - title: of the table.
    ///   - note: what the figures are; may be empty.
    ///   - columns: their headings.
    ///   - rows: as many texts in each as there are columns.
    ///   - numbersFrom: columns from here on are set to the right.
    package init(_ title: String, note: String = "", columns: [String], rows: [[String]], numbersFrom: Int = 1) {
        precondition(rows.allSatisfy { $0.count == columns.count }, "a row has a text for each column")
        self.title = title
        self.note = note
        self.columns = columns
        self.rows = rows
        self.numbersFrom = numbersFrom
    }
}

/// A diagram of lines over one axis.
package struct FindingPlot: Sendable, Equatable, Codable {
    /// One line.
    package struct Series: Sendable, Equatable, Codable {
        package var name: String
        /// In the order of `x`.
        package var x: [Double]
        /// As many as `x`.
        package var y: [Double]
        /// Whether a value holds until the next one.
        package var isStepped: Bool

        /// - Parameters:
        ///   - name: for the legend.
        ///   - x: rising.
        ///   - y: as many.
        ///   - isStepped: whether a value holds until the next one.
        package init(_ name: String, x: [Double], y: [Double], isStepped: Bool = false) {
            precondition(x.count == y.count, "a point has two numbers")
            self.name = name
            self.x = x
            self.y = y
            self.isStepped = isStepped
        }
    }

    /// A level that means something, such as a target.
    package struct Level: Sendable, Equatable, Codable {
        package var name: String
        package var y: Double

        /// - Parameters:
        ///   - name: what it means.
        ///   - y: where it is.
        package init(_ name: String, y: Double) {
            self.name = name
            self.y = y
        }
    }

    package var title: String
    /// With its unit: "time (min)".
    package var xLabel: String
    package var yLabel: String
    package var series: [Series]
    package var levels: [Level]

    /// - Parameters:
    ///   - title: of the diagram.
    ///   - xLabel: with its unit.
    ///   - yLabel: with its unit.
    ///   - series: one line each.
    ///   - levels: that mean something.
    package init(_ title: String, xLabel: String, yLabel: String, series: [Series], levels: [Level] = []) {
        self.title = title
        self.xLabel = xLabel
        self.yLabel = yLabel
        self.series = series
        self.levels = levels
    }
}
