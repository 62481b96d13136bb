import Basics
import Evaluation
import Foundation
package import Harness

/// Runs in the order of time, with a series for each figure of each variant on each dataset and host, and its steps.
package struct History: Sendable, Equatable, Codable {
    package struct Run: Sendable, Equatable, Codable {
        package var name: String
        package var time: String
        package var host: String
        package var revision: HistoryEntry.Revision
        package var verdict: String?
        package var load: Double?
    }

    package struct Point: Sendable, Equatable, Codable {
        /// Index of the run.
        package var run: Int
        package var value: Double
        /// Ends of the figure's 95 % interval, which covers samples and not runs; nil without one.
        package var lower: Double?
        package var upper: Double?
    }

    package struct Step: Sendable, Equatable, Codable {
        /// Indices of the runs after and before it.
        package var run: Int
        package var before: Int
        /// A ratio less 1 where the series is relative, else a difference in its unit.
        package var change: Double
        package var isBetter: Bool
        /// Chance of a step this clear without a change, at most.
        package var chance: Double
        /// Whether runs after it have confirmed it: its chance is at most ``ChangePoints/confirmed``.
        package var isConfirmed: Bool
        /// In words: "+45.3 %, worse", "> 99.99 %".
        package var size: String
        package var confidence: String
        /// The commits that it belongs to, of the last run before it and the first after it.
        package var commits: String
        /// Samples right in most runs before it and wrong in most after it, and the other way; nil for other figures.
        package var lost: [String]?
        package var gained: [String]?
        /// McNemar's exact chance of so many one way, had the lost and the gained been equally likely; nil for other
        /// figures.
        package var pairedChance: Double?
    }

    package struct Series: Sendable, Equatable, Codable {
        package var dataset: String
        package var digest: String
        package var host: String
        package var variant: String
        /// Name in charts, such as "latency-p50", and its unit.
        package var metric: String
        package var unit: String
        package var higherIsBetter: Bool
        /// Whether changes are ratios.
        package var isRelative: Bool
        package var points: [Point]
        package var steps: [Step] = []
        package var baseline: Level?

        func number(_ value: Double) -> String { NumberText.fixed(value, abs(value) < 9.995 ? 2 : 1) }

        func text(_ value: Double) -> String { unit.isEmpty ? number(value) : "\(number(value)) \(unit)" }
    }

    /// Value of a baseline.
    package struct Level: Sendable, Equatable, Codable {
        package var value: Double
        package var date: String
        /// Number of runs of the series since then, and days to the last of them.
        package var runs: Int
        package var days: Double
    }

    package private(set) var runs: [Run]
    package private(set) var series: [Series]

    /// Median of the samples' processor times, of one reading on all cores.
    package static let processorTime = "processor-time"
}

extension History {
    /// `baselines` are accepted levels to state beside the figures.
    package init(_ entries: [HistoryEntry], baselines: [Baseline] = []) {
        let entries = Self.inOrder(entries)
        runs = entries.map { entry in
            Run(
                name: entry.run,
                time: entry.baseline.date,
                host: entry.baseline.host ?? "several hosts",
                revision: entry.revision,
                verdict: entry.verdict?.rawValue,
                load: entry.load
            )
        }
        var groups: [[String]: [Member]] = [:]
        for (index, entry) in entries.enumerated() {
            for part in entry.baseline.measurements {
                groups[[part.dataset, part.datasetDigest, runs[index].host, part.id], default: []].append(
                    Member(run: index, part: part, processor: entry.processorMilliseconds[part.id] ?? [:])
                )
            }
        }
        let runs = runs
        let keys = groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
        series = keys.flatMap { key in
            SeriesMaker(key: key, members: groups[key] ?? [], runs: runs, baselines: baselines).series
        }
    }

    /// Returns entries in the order of their times.
    static func inOrder(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        entries.sorted { ($0.baseline.date, $0.run) < ($1.baseline.date, $1.run) }
    }

    /// A run's measurement of a group.
    fileprivate struct Member: Sendable {
        var run: Int
        var part: Baseline.Part
        var processor: [String: Double]
    }
}

/// Makes the series of one measurement on one host.
private struct SeriesMaker {
    let key: [String]
    let members: [History.Member]
    let runs: [History.Run]
    let baselines: [Baseline]

    /// Least standard deviation between runs: of logarithms.
    private static let leastRatio = 0.002

    var series: [History.Series] {
        var names: [String] = []
        for line in members.flatMap(\.part.figures) where !names.contains(line.name) { names.append(line.name) }
        return names.compactMap(figure) + [processor].compactMap(\.self)
    }

    /// A sample's values in each run, as a row; nil where it has none.
    private func rows(_ value: (History.Member, Baseline.Sample) -> Double?) -> [[Double?]] {
        let ids = Set(members.flatMap { $0.part.samples.map(\.id) }).sorted()
        let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        return members.map { member in
            var row = [Double?](repeating: nil, count: ids.count)
            for sample in member.part.samples { places[sample.id].map { row[$0] = value(member, sample) } }
            return row
        }
    }

    /// Returns the series of a figure such as "latency-p50 (ms)"; nil when it has no value but 0.
    private func figure(_ name: String) -> History.Series? {
        let measure = String(name.prefix { $0 != " " })
        guard let metric = Metric.allCases.first(where: { $0.chart == measure }) else { return nil }
        if metric.isByScoringRule, let ofOneRule { return ofOneRule.figure(name) }
        let lines = members.map { member in
            member.part.figures.first { $0.name == name }
                .map { History.Point(run: member.run, value: $0.value, lower: $0.lower, upper: $0.upper) }
        }
        let values = lines.compactMap { $0?.value }
        guard values.contains(where: { $0 != 0 }) else { return nil }
        let isRelative = metric.unit.isRelative && values.allSatisfy { $0 > 0 }
        // One sample more or less is the least that a share can change by.
        let share = metric.unit == .share ? 100 / Double(members.map(\.part.samples.count).max() ?? 1) : nil
        let outcome: KeyPath<Baseline.Sample, Bool?>? =
            metric == .titleRead ? \.title : metric == .authorRead ? \.author : nil
        var levels = lines.map { $0.map { isRelative ? log($0.value) : $0.value } }
        if metric == .latencyP50 { levels = ChangePoints.levels(rows { $1.ms.map { log($0) } }, isMean: false) }
        if let outcome {
            levels = ChangePoints.levels(rows { $1[keyPath: outcome].map { $0 ? 100 : 0 } }, isMean: true)
        }
        var series = make(
            measure,
            unit: String(name.drop { $0 != "(" }.dropFirst().dropLast()),
            lines,
            higherIsBetter: metric.higherIsBetter,
            isRelative: isRelative,
            levels,
            resolution: isRelative
                ? Self.leastRatio : share ?? (values.map { abs($0) }.max() ?? 1) * Self.leastRatio
        )
        guard let outcome else { return series }
        let bounds = [-1] + series.steps.map(\.run) + [.max]
        for index in series.steps.indices {
            addFlips(to: &series.steps[index], outcome, bounds[index]..<bounds[index + 2])
        }
        return series
    }

    /// The runs and baselines by the newest scoring rule; nil when all are by it.
    private var ofOneRule: SeriesMaker? {
        let newest = members.map { $0.part.scoringRule ?? 1 }.max()
        func isOther(_ part: Baseline.Part) -> Bool { (part.scoringRule ?? 1) != newest }
        guard
            members.contains(where: { isOther($0.part) }) || baselines.flatMap(\.measurements).contains(where: isOther)
        else { return nil }
        var baselines = baselines
        for index in baselines.indices { baselines[index].measurements.removeAll(where: isOther) }
        return SeriesMaker(key: key, members: members.filter { !isOther($0.part) }, runs: runs, baselines: baselines)
    }

    private var processor: History.Series? {
        let lines = members.map { member in
            Array(member.processor.values).middle.map { History.Point(run: member.run, value: $0) }
        }
        guard lines.contains(where: { $0 != nil }) else { return nil }
        let rows = rows { member, sample in member.processor[sample.id].map { log($0) } }
        return make(
            History.processorTime,
            unit: "ms",
            lines,
            higherIsBetter: false,
            isRelative: true,
            ChangePoints.levels(rows, isMean: false),
            resolution: Self.leastRatio
        )
    }

    /// Returns the series of the members' lines, with the steps of their levels; nil for members without.
    private func make(
        _ metric: String,
        unit: String,
        _ lines: [History.Point?],
        higherIsBetter: Bool,
        isRelative: Bool,
        _ levels: [Double?],
        resolution: Double
    ) -> History.Series {
        let points = lines.compactMap(\.self)
        var series = History.Series(
            dataset: key[0],
            digest: key[1],
            host: key[2],
            variant: key[3],
            metric: metric,
            unit: unit,
            higherIsBetter: higherIsBetter,
            isRelative: isRelative,
            points: points,
            baseline: level("\(metric) (\(unit))", points, isAccuracy: unit == "%")
        )
        let known = zip(members, levels).compactMap { member, level in level.map { (run: member.run, level: $0) } }
        series.steps = ChangePoints(known.map(\.level), resolution: resolution).steps.map { step in
            let (run, before) = (known[step.first].run, known[step.first - 1].run)
            let change = isRelative ? expm1(step.change) : step.change
            let isBetter = (step.change > 0) == higherIsBetter
            let isConfirmed = step.chance <= ChangePoints.confirmed
            let size =
                isRelative
                ? NumberText.percent(abs(change))
                : unit == "%" ? NumberText.fixed(abs(change), 1) + " points" : series.text(abs(change))
            let percent = step.chance < 0.0001 ? "> 99.99 %" : NumberText.fixed((1 - step.chance) * 100, 2) + " %"
            return History.Step(
                run: run,
                before: before,
                change: change,
                isBetter: isBetter,
                chance: step.chance,
                isConfirmed: isConfirmed,
                size: "\(change < 0 ? "−" : "+")\(size), \(isBetter ? "better" : "worse")",
                confidence: percent + (isConfirmed ? "" : ", new"),
                commits: commits(before, run)
            )
        }
        return series
    }

    private func commits(_ before: Int, _ run: Int) -> String {
        guard let commit = runs[run].revision.commit else { return runs[run].time }
        guard let old = runs[before].revision.commit else { return String(commit.prefix(8)) }
        return old == commit ? "\(commit.prefix(8)), as before" : "\(old.prefix(8))..\(commit.prefix(8))"
    }

    /// Adds the samples that flipped, by the runs between the step's neighbours.
    private func addFlips(
        to step: inout History.Step,
        _ outcome: KeyPath<Baseline.Sample, Bool?>,
        _ span: Range<Int>
    ) {
        var votes: [String: (before: Int, after: Int)] = [:]
        for member in members where span.contains(member.run) {
            for sample in member.part.samples {
                guard let isRight = sample[keyPath: outcome] else { continue }
                let vote = isRight ? 1 : -1
                if member.run < step.run { votes[sample.id, default: (0, 0)].before += vote }
                if member.run >= step.run { votes[sample.id, default: (0, 0)].after += vote }
            }
        }
        let lost = votes.filter { $0.value.before > 0 && $0.value.after < 0 }.keys.sorted()
        let gained = votes.filter { $0.value.before < 0 && $0.value.after > 0 }.keys.sorted()
        (step.lost, step.gained) = (lost, gained)
        step.pairedChance = McNemar.exactP(b: lost.count, c: gained.count)
    }

    /// Returns the value of the newest baseline that covers these points; speed and memory require its host.
    private func level(_ name: String, _ points: [History.Point], isAccuracy: Bool) -> History.Level? {
        let found = baselines.filter { isAccuracy || $0.host == key[2] }.compactMap { baseline in
            baseline.measurements.first { $0.id == key[3] && $0.datasetDigest == key[1] }?.figures
                .first { $0.name == name }.map { (date: baseline.date, value: $0.value) }
        }
        guard let newest = found.max(by: { $0.date < $1.date }), let last = points.last else { return nil }
        let dates = [newest.date, runs[last.run].time].map { try? Date($0, strategy: .iso8601) }
        let seconds = dates[1].flatMap { last in dates[0].map { last.timeIntervalSince($0) } } ?? 0
        let after = points.count { runs[$0.run].time > newest.date }
        return History.Level(value: newest.value, date: newest.date, runs: after, days: seconds / 86_400)
    }
}
