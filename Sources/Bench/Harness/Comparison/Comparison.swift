import Basics
package import Evaluation
import SpineDatasets
import Statistics

/// Improvements and regressions from one side to another one, on the same samples.
package struct Comparison: Sendable, Equatable, Codable {
    /// A sample whose title one side read and the other did not.
    package struct Flip: Sendable, Equatable, Codable {
        package var id: String
        package var category: String
        /// Whether the first side is the one that read it.
        package var isLost: Bool
        /// Text of the first side; nil when it is unknown.
        package var textA: String?
        package var textB: String?
    }

    /// Unique label: of two sides that of both, of more "B against A" as well.
    package var label: String
    package var dataset: String
    /// Places of both among the sides.
    package var a: Int
    package var b: Int
    package var nameA: String
    package var nameB: String
    package var samples: Int
    package var groups: Int
    /// All samples together: these rows gate.
    package var rows: [ComparisonRow]
    /// Informative rows: as they are many, some look like a change by chance.
    package var categories: [ComparisonRow]
    package var flips: [Flip]
    package var onlyA: [String]
    package var onlyB: [String]
    /// Readings without an answer and lost workers, each with its side.
    package var problems: [String]
    package var verdict: Verdict?
    /// Where losses come from, a sentence each; nil without any.
    package var causes: [String]?

    /// Letter of the other side.
    package var letter: String { Sides.letter(b) }

    package subscript(metric: Metric) -> ComparisonRow? { rows.first { $0.metric == metric } }

    /// Creates the comparison of a pair with its rows, which may be corrected.
    init(
        _ pair: SidePair,
        _ places: (a: Int, b: Int),
        rows: [ComparisonRow],
        label: String,
        dataset: String,
        contents: Dataset?
    ) {
        let pairs = pair.samples
        (self.label, self.dataset, self.rows, (a, b)) = (label, dataset, rows, places)
        (nameA, nameB) = (pair.a.name, pair.b.name)
        samples = pairs.count
        groups = Set(pairs.map(\.a.group)).count
        categories = pair.byCategory
        (onlyA, onlyB) = pair.unpaired
        problems = [(a, pair.a), (b, pair.b)].flatMap { place, side in
            side.problems.map { "\(Sides.letter(place)): \($0)" }
        }
        flips = pairs.both(\.title).filter { $0.a != $0.b }.map { pair, isLost, _ in
            Flip(id: pair.a.id, category: pair.a.category, isLost: isLost, textA: pair.a.text, textB: pair.b.text)
        }
        judge(as: pair)
        explain(pairs, contents, floor: pair.noise[.latency].value)
    }

    /// Returns the side that is better in a metric beyond chance and noise, of three sides or more; nil when neither is.
    package func better(_ metric: Metric) -> Int? {
        guard let row = self[metric], row.isShown, let change = row.change.value else { return nil }
        return metric.harm(change) > 0 ? a : b
    }

    /// Sets the verdict: a fail when a row that gates is worse; open when a family of rows was asked to gate and none of them
    /// can, or a row that should gate was scored by two rules.
    mutating func judge(as pair: SidePair) {
        var verdicts = Metric.Family.allCases.compactMap { family -> Verdict? in
            let asked = rows.filter { $0.metric.family == family && pair.tolerances[$0.metric] != nil }
            if asked.isEmpty { return nil }
            return asked.contains { $0.gates && $0.status != .undecided } ? .pass : .inconclusive
        }
        if !pair.isOfOneRule, rows.contains(where: { $0.metric.isByScoringRule && $0.tolerance != nil }) {
            verdicts.append(.inconclusive)
        }
        verdict = regressions.isEmpty ? Verdict.overall(verdicts) : .fail
    }

    mutating func clearVerdict() {
        for index in rows.indices { rows[index].gates = false }
        verdict = verdict.map { _ in .inconclusive }
    }

    package var regressions: [ComparisonRow] { rows.filter(\.isRegression) }

    /// The rows that were asked to gate and cannot.
    package var open: [ComparisonRow] { rows.filter { $0.tolerance != nil && $0.status == .undecided } }
}

extension Comparison {
    /// Adds where a loss comes from: of time, the stage that grew most; of titles, the slice that lost most; then the
    /// changes of work, and the stages that a change cannot have touched.
    ///
    /// `dataset` has the samples' properties; nil when it cannot be read.
    private mutating func explain(_ pairs: [SamplePair], _ dataset: Dataset?, floor: Double?) {
        let worse = rows.filter { $0.status == .worse }.map(\.metric)
        let found = [
            worse.contains(where: \.isLatency) ? Self.slowerStage(pairs) : nil,
            worse.contains(.titleRead) ? dataset.flatMap { Self.losingSlice(pairs, $0) } : nil,
            changedWork, Self.untouched(pairs, floor: floor),
        ].compactMap(\.self)
        causes = found.isEmpty ? nil : found
    }

    /// Which counts of work differ, and by how much; nil where all are equal, or nothing was counted.
    private var changedWork: String? {
        let changed = rows.filter { $0.metric.family == .work && $0.change.value ?? 0 != 0 }.map { row in
            "\(row.metric.name) \(row.metric.unit.change(row.change.value ?? 0))"
        }
        return changed.isEmpty ? nil : "Work: \(changed.joined(separator: ", "))."
    }

    /// Returns the stages with equal counts and texts in all samples, and whether their times moved: a control.
    ///
    /// Nil where nothing was counted, or texts differ. A time moved beyond chance and the noise; without one, nothing is said.
    static func untouched(_ pairs: [SamplePair], floor: Double?) -> String? {
        let pairs = pairs.filter {
            $0.a.work != nil && $0.b.work != nil && !$0.a.stages.isEmpty && !$0.b.stages.isEmpty
        }
        guard !pairs.isEmpty, pairs.allSatisfy({ $0.a.text == $0.b.text && $0.a.text != nil }) else { return nil }
        let bootstrap = pairs.bootstrap()
        let stages = Set(pairs.flatMap(\.a.stages.keys)).sorted().filter { stage in
            let kinds = Work.kinds(of: stage)
            return pairs.allSatisfy { $0.a.work?.of(kinds) == $0.b.work?.of(kinds) }
        }.compactMap { stage -> String? in
            let times = pairs.map { ($0.a.stages[stage] ?? 0, $0.b.stages[stage] ?? 0) }
            let sums = times.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            guard sums.0 > 0, let ends = bootstrap.ofRatio(times.map { $0.1 - $0.0 }, times.map(\.0)).value else {
                return nil
            }
            let (unit, change) = (Metric.Unit.milliseconds, sums.1 / sums.0 - 1)
            let isMoved = floor.map { !ends.contains(0) && abs(change) > $0 } ?? false
            return "\(stage) \(unit.change(change)) [\(unit.change(ends.lowerBound)), \(unit.change(ends.upperBound))]"
                + (isMoved ? ", moved" : "")
        }
        if stages.isEmpty { return nil }
        let text = "Equal work and texts, a control: \(stages.joined(separator: "; "))."
        if floor == nil { return text + " Not measured in turns." }
        return stages.contains { $0.hasSuffix("moved") }
            ? text + " Where such a time moved, the machine did, or the same work costs more or less."
            : text + " None of these times moved."
    }

    /// Returns the stage whose time grew most, if one grew beyond chance; nil for records without stages.
    static func slowerStage(_ pairs: [SamplePair]) -> String? {
        let pairs = pairs.filter { !$0.a.stages.isEmpty && !$0.b.stages.isEmpty }
        guard !pairs.isEmpty else { return nil }
        let bootstrap = pairs.bootstrap()
        let each = [Double](repeating: 1, count: pairs.count)
        func mean(_ side: KeyPath<SamplePair, ReadingSet.Entry>, _ stage: String?) -> Double {
            pairs.reduce(0) { sum, pair in
                let stages = pair[keyPath: side].stages
                return sum + (stage.map { stages[$0] ?? 0 } ?? stages.values.sorted().reduce(0, +))
            } / Double(pairs.count)
        }
        let (totalA, totalB) = (mean(\.a, nil), mean(\.b, nil))
        let grown = Set(pairs.flatMap { [$0.a, $0.b] }.flatMap(\.stages.keys)).sorted().compactMap { name in
            let change = bootstrap.ofRatio(pairs.map { ($0.b.stages[name] ?? 0) - ($0.a.stages[name] ?? 0) }, each)
            return (change.value?.lowerBound ?? 0) > 0 ? (name: name, a: mean(\.a, name), b: mean(\.b, name)) : nil
        }
        guard let stage = grown.max(by: { $0.b - $0.a < $1.b - $1.a }), totalA > 0, totalB > 0 else { return nil }
        let size = Metric.latencyP50.unit.text
        let shares = [stage.a / totalA, stage.b / totalB].map { NumberText.percent($0) }
        return "Slower in \(stage.name): +\(size(stage.b - stage.a)) a reading of \(totalB < totalA ? "−" : "+")"
            + "\(size(abs(totalB - totalA))) in all stages; its share was \(shares[0]), and is \(shares[1])."
    }

    /// Returns the slice of the titles that A read in which the other side loses more than elsewhere, beyond chance.
    static func losingSlice(_ pairs: [SamplePair], _ dataset: Dataset) -> String? {
        let samples = Dictionary(first: dataset.samples.map { ($0.id, $0) })
        let kept = pairs.compactMap { pair -> (sample: Sample, isRead: Bool)? in
            guard pair.a.title == true, let isRead = pair.b.title else { return nil }
            return samples[pair.a.id].map { ($0, isRead) }
        }
        guard let slices = Slices(kept, traits: dataset.traits) else { return nil }
        func lost(_ rate: RateEstimate) -> Int { rate.trials - rate.successes }
        let all = slices.overall
        let worst = slices.slices.filter {
            $0.standsOut && lost($0.rate) * all.trials > lost(all) * $0.rate.trials
        }.min { ($0.correctedP ?? 1) < ($1.correctedP ?? 1) }
        guard let worst, let p = worst.correctedP else {
            return "No slice of the titles that A read loses more than the others beyond chance."
        }
        return
            "Lost most in \(worst.property) \(worst.values): \(lost(worst.rate)) of \(worst.rate.trials) titles that A read; "
            + "elsewhere \(lost(all) - lost(worst.rate)) of \(all.trials - worst.rate.trials) "
            + "(p \(NumberText.p(p)), corrected for all slices)."
    }
}

extension Work {
    /// Returns the counted kinds of a stage's work, by its name in ``ReadingSet/Entry/stages``; all kinds for a stage that
    /// has none of its own.
    fileprivate static func kinds(of stage: String) -> [Work] {
        switch stage {
        case "decode": [.bytesDecoded, .pixelsDecoded]
        case "detection": [.detectionCalls, .detectionElements]
        case "recognition": [.orientationCalls, .orientationElements, .recognitionCalls, .recognitionElements]
        case "matching": [.candidatesMatched, .rowsRead]
        case "enrichment", "upload": [.requestsSent, .bytesSent]
        default: allCases
        }
    }
}
