package import Evaluation
package import Harness

/// Improvements and regressions from A to B, on the same samples.
package struct Comparison: Sendable, Equatable, Codable {
    /// A sample whose title one side read and the other did not.
    package struct Flip: Sendable, Equatable, Codable {
        package var id: String
        package var category: String
        /// Whether A is the side that read it.
        package var isLost: Bool
        /// Text of A; nil when it is unknown.
        package var textA: String?
        package var textB: String?
    }

    package var nameA: String
    package var nameB: String
    /// Unique label: the measurement's id, or the dataset's name.
    package var label: String
    package var dataset: String
    /// Samples that both sides read.
    package var samples: Int
    /// Number of photos of these samples.
    package var groups: Int
    /// All samples together: these rows gate.
    package var rows: [ComparisonRow]
    /// Informative rows: with so many of them, some look like a change by chance.
    package var categories: [ComparisonRow]
    package var flips: [Flip]
    package var noise: NoiseFloor
    package var onlyA: [String]
    package var onlyB: [String]
    /// Readings without an answer and lost workers, each with its side.
    package var problems: [String]
    /// Verdict; nil when no row should gate.
    package var verdict: Verdict?

    /// Creates the comparison of two sides of a dataset, whose name is the label unless specified; `noise` is the
    /// difference of A from itself.
    package init(
        a: ReadingSet,
        b: ReadingSet,
        label: String? = nil,
        dataset: String,
        noise: NoiseFloor,
        tolerances: ComparisonTolerances
    ) {
        let paired = SamplePairs(a, b)
        let all = ComparisonRows(a: a, b: b, noise: noise, tolerances: tolerances)
        (nameA, nameB) = (a.name, b.name)
        self.dataset = dataset
        self.label = label ?? dataset
        self.noise = noise
        samples = paired.pairs.count
        groups = Set(paired.pairs.map(\.a.group)).count
        rows = all.overall
        categories = all.byCategory
        (onlyA, onlyB) = (paired.onlyA, paired.onlyB)
        problems = a.problems.map { "A: \($0)" } + b.problems.map { "B: \($0)" }
        flips = paired.pairs.compactMap { pair in
            let (a, b) = (pair.a, pair.b)
            guard let before = a.title, let after = b.title, before != after else { return nil }
            return Flip(id: a.id, category: a.category, isLost: before, textA: a.text, textB: b.text)
        }
        verdict = Self.verdict(rows, tolerances)
    }

    /// Returns a fail when a row that gates is worse; open when a family of rows was asked to gate and none of them
    /// can.
    private static func verdict(_ rows: [ComparisonRow], _ tolerances: ComparisonTolerances) -> Verdict? {
        if rows.contains(where: \.isRegression) { return .fail }
        let families = Metric.Family.allCases.compactMap { family -> Verdict? in
            let asked = rows.filter { $0.metric.meaning.family == family && tolerances[$0.metric] != nil }
            if asked.isEmpty { return nil }
            return asked.contains { $0.gates && $0.status != .undecided } ? .pass : .inconclusive
        }
        return Verdict.overall(families)
    }

    /// Lets no row gate, because readings are missing.
    mutating func clearVerdict() {
        for index in rows.indices { rows[index].gates = false }
        verdict = verdict.map { _ in .inconclusive }
    }

    package var regressions: [ComparisonRow] { rows.filter(\.isRegression) }

    /// The rows that were asked to gate and cannot.
    package var open: [ComparisonRow] { rows.filter { $0.tolerance != nil && $0.status == .undecided } }
}
