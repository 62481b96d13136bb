package import Basics
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
    package var samples: Int
    package var groups: Int
    /// All samples together: these rows gate.
    package var rows: [ComparisonRow]
    /// Informative rows: as they are many, some look like a change by chance.
    package var categories: [ComparisonRow]
    package var flips: [Flip]
    package var noise: NoiseFloor
    package var onlyA: [String]
    package var onlyB: [String]
    /// Readings without an answer and lost workers, each with its side.
    package var problems: [String]
    package var verdict: Verdict?
    /// Letter of B among three or more sides; nil for two.
    var letter: String?
    /// Where losses come from, a sentence each; nil without any.
    package var causes: [String]?
    /// Both sides' readings, for pages: not stored in the report, and empty in one that was.
    package var sides: [ReadingSet] = []

    private enum CodingKeys: CodingKey {
        case nameA, nameB, label, dataset, samples, groups, rows, categories, flips, noise, onlyA, onlyB, problems,
            verdict, letter, causes
    }

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
        sides = [a, b]
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
        judge(tolerances)
    }

    /// Sets the verdict: a fail when a row that gates is worse; open when a family of rows was asked to gate and none of them
    /// can.
    mutating func judge(_ tolerances: ComparisonTolerances) {
        let families = Metric.Family.allCases.compactMap { family -> Verdict? in
            let asked = rows.filter { $0.metric.family == family && tolerances[$0.metric] != nil }
            if asked.isEmpty { return nil }
            return asked.contains { $0.gates && $0.status != .undecided } ? .pass : .inconclusive
        }
        let isMoved = sides.count == 2 && sides[0].scoringRule != sides[1].scoringRule
        let moved =
            isMoved && rows.contains { $0.metric.isByScoringRule && $0.tolerance != nil } ? [Verdict.inconclusive] : []
        verdict = rows.contains(where: \.isRegression) ? .fail : Verdict.overall(families + moved)
    }

    /// Corrects the rows by p values for all `pairs` of sides: a change that is not significant any more is no difference,
    /// or undecided where it exceeds the tolerance.
    mutating func correct(_ tolerances: ComparisonTolerances, pairs: Int, p: (Metric) -> Double?) {
        for index in rows.indices { rows[index].correct(p(rows[index].metric), pairs: pairs) }
        judge(tolerances)
    }

    mutating func clearVerdict() {
        for index in rows.indices { rows[index].gates = false }
        verdict = verdict.map { _ in .inconclusive }
    }

    /// Letter of the side that is compared with A.
    package var letterB: String { letter ?? "B" }

    package var regressions: [ComparisonRow] { rows.filter(\.isRegression) }

    /// The rows that were asked to gate and cannot.
    package var open: [ComparisonRow] { rows.filter { $0.tolerance != nil && $0.status == .undecided } }
}

extension ComparisonTolerances {
    /// Tolerances without those of speed and memory.
    package var accuracyOnly: ComparisonTolerances { keeping { $0.family == .accuracy } }

    /// Says what a gate on titles needs before it can be red; `photos` are those of the samples, nil for one of its own.
    package func needs(photos: [String?]) -> String {
        let bootstrap = GroupBootstrap(photos: photos)
        let count = NumberText.count(photos.count, "sample") + " on " + NumberText.count(bootstrap.groupCount, "photo")
        if let lack = bootstrap.lack {
            return
                "Gate on titles: cannot be red with \(count) (\(lack)); equal readings pass, a lost title is not decided."
        }
        // 4/√4 is beyond 1.96: fewer losses may be chance.
        let least = max(4, Int((self[.titleRead] ?? 0) * Double(photos.count)) + 1)
        return "Gate on titles: red from \(least) lost of \(count) if they are on different photos and none is gained."
    }

    func keeping(_ gates: (Metric) -> Bool) -> ComparisonTolerances {
        var tolerances = self
        for metric in Metric.compared where !gates(metric) { tolerances[metric] = nil }
        return tolerances
    }

    /// Returns the standard ones with the changes that `text` names: "latency=5%,p95=10%,title-read=2,memory=off".
    ///
    /// Numbers are percent, or points of a share, with or without the sign; `memory-delta` takes megabytes, and `memory`
    /// is the peaks of both figures of memory.
    package static func parse(_ text: String) throws -> ComparisonTolerances {
        var tolerances = standard
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            // One name for the peaks of both figures.
            let metrics =
                sides.first == "memory"
                ? [.peakFootprint, .peakResident] : sides.first.flatMap(Metric.named).map { [$0] } ?? []
            guard sides.count == 2, let metric = metrics.first, Metric.compared.contains(metric) else {
                let names = Metric.compared.filter(Metric.current.contains).map(\.id).joined(separator: ", ")
                throw HarnessError.configuration(
                    "invalid --gate \"\(part)\": "
                        + (Metric.advice(for: sides.first ?? "")
                            ?? "expected NAME=PERCENT or NAME=off, where NAME is one of \(names), or memory")
                )
            }
            if sides[1] == "off" {
                for metric in metrics { tolerances[metric] = nil }
                continue
            }
            if metric.isPeakOfMemory, sides[1].hasSuffix("MB"), let megabytes = Double(sides[1].dropLast(2)),
                megabytes >= 0, megabytes.isFinite
            {
                tolerances.leastBytes = megabytes * 1e6
                continue
            }
            let digits = sides[1].hasSuffix("%") ? String(sides[1].dropLast()) : sides[1]
            guard let number = Double(digits), number >= 0, number.isFinite else {
                throw HarnessError.configuration(
                    "invalid --gate \(sides[0])=\(sides[1]): expected a percentage of 0 or more, or off"
                )
            }
            for metric in metrics {
                tolerances[metric] = metric.unit == .byteDifference ? number * 1e6 : number / 100
            }
        }
        return tolerances
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
    /// P value by Holm's correction for all pairs of three or more sides; nil for two.
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
        category: String = "all",
        values: (a: Figure, b: Figure),
        change: Figure,
        interval: IntervalFigure,
        p: Double? = nil,
        isAlike: Bool = false,
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
        judge(leastBytes: metric.isPeakOfMemory ? tolerances.leastBytes : 0, isAlike: isAlike)
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

    fileprivate mutating func correct(_ p: Double?, pairs: Int) {
        correctedP = p
        guard [.better, .worse].contains(status) else { return }
        guard let p else {
            if metric.family != .accuracy { undecided("not measured in turns", gating: false) }
            return
        }
        guard p > Standings.level else { return }
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
