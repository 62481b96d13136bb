import Basics
import Evaluation
import Foundation
package import Results

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
        package var steps: [Step]
        package var baseline: Level?
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

    private func figure(_ name: String) -> History.Series? {
        // "latency-p50 (ms)"
        let measure = String(name.prefix { $0 != " " })
        guard let metric = Metric.allCases.first(where: { $0.meaning.chart == measure }) else { return nil }
        let unit = String(name.drop { $0 != "(" }.dropFirst().dropLast())
        if metric.isByScoringRule, let ofOneRule { return ofOneRule.figure(name) }
        let lines = members.map { member in member.part.figures.first { $0.name == name } }
        let points = zip(members, lines).compactMap { member, line in
            line.map { History.Point(run: member.run, value: $0.value, lower: $0.lower, upper: $0.upper) }
        }
        let (byRun, values) = (lines.map { $0?.value }, points.map(\.value))
        guard values.contains(where: { $0 != 0 }) else { return nil }
        let isRelative = metric.meaning.unit.isRelative && values.allSatisfy { $0 > 0 }
        var series = make(measure, unit, points, better: metric.meaning.higherIsBetter, isRelative: isRelative)
        let count = Double(members.map(\.part.samples.count).max() ?? 1)
        // One sample more or less is the least that a share can change by.
        let share = metric.meaning.unit == .share ? 100 / count : nil
        if metric == .latencyP50 {
            addSteps(to: &series, ChangePoints.levels(rows { $1.ms.map { log($0) } }, isMean: false), Self.leastRatio)
        } else if isRelative {
            addSteps(to: &series, byRun.map { $0.map { log($0) } }, Self.leastRatio)
        } else if let outcome = Self.outcome(metric) {
            let rows = rows { $1[keyPath: outcome].map { $0 ? 100 : 0 } }
            addSteps(to: &series, ChangePoints.levels(rows, isMean: true), share ?? 1)
            let bounds = [-1] + series.steps.map(\.run) + [.max]
            for index in series.steps.indices {
                addFlips(to: &series.steps[index], outcome, bounds[index]..<bounds[index + 2])
            }
        } else {
            let scale = (values.map { abs($0) }.max() ?? 1) * Self.leastRatio
            addSteps(to: &series, byRun, share ?? scale)
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

    private static func outcome(_ metric: Metric) -> KeyPath<Baseline.Sample, Bool?>? {
        switch metric {
        case .titleRead: \.title
        case .authorRead: \.author
        default: nil
        }
    }

    private var processor: History.Series? {
        let found = members.compactMap { member in
            Array(member.processor.values).middle.map { History.Point(run: member.run, value: $0) }
        }
        guard !found.isEmpty else { return nil }
        var series = make(History.processorTime, "ms", found, better: false, isRelative: true)
        let rows = rows { member, sample in member.processor[sample.id].map { log($0) } }
        addSteps(to: &series, ChangePoints.levels(rows, isMean: false), Self.leastRatio)
        return series
    }

    private func make(
        _ metric: String,
        _ unit: String,
        _ points: [History.Point],
        better: Bool,
        isRelative: Bool
    ) -> History.Series {
        History.Series(
            dataset: key[0],
            digest: key[1],
            host: key[2],
            variant: key[3],
            metric: metric,
            unit: unit,
            higherIsBetter: better,
            isRelative: isRelative,
            points: points,
            steps: [],
            baseline: level(metric, unit, points, isAccuracy: unit == "%")
        )
    }

    /// Adds the steps of levels of all members; nil for those without.
    private func addSteps(to series: inout History.Series, _ levels: [Double?], _ resolution: Double) {
        let known = zip(members, levels).compactMap { member, level in level.map { (run: member.run, level: $0) } }
        let runs = known.map(\.run)
        series.steps = ChangePoints(known.map(\.level), resolution: resolution).steps.map { step in
            History.Step(
                run: runs[step.first],
                before: runs[step.first - 1],
                change: series.isRelative ? expm1(step.change) : step.change,
                isBetter: (step.change > 0) == series.higherIsBetter,
                chance: step.chance,
                isConfirmed: step.chance <= ChangePoints.confirmed
            )
        }
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
    private func level(_ metric: String, _ unit: String, _ points: [History.Point], isAccuracy: Bool) -> History.Level?
    {
        let found = baselines.filter { isAccuracy || $0.host == key[2] }.compactMap { baseline in
            baseline.measurements.first { $0.id == key[3] && $0.datasetDigest == key[1] }?.figures
                .first { $0.name == "\(metric) (\(unit))" }.map { (baseline.date, $0.value) }
        }
        guard let (date, value) = found.max(by: { $0.0 < $1.0 }), let last = points.last else { return nil }
        let days = History.days(from: date, to: runs[last.run].time) ?? 0
        return History.Level(value: value, date: date, runs: points.count { runs[$0.run].time > date }, days: days)
    }
}

extension History {
    /// Returns the days between two times in ISO 8601; nil when one is invalid.
    static func days(from first: String, to last: String) -> Double? {
        guard let a = try? Date(first, strategy: .iso8601), let b = try? Date(last, strategy: .iso8601) else {
            return nil
        }
        return b.timeIntervalSince(a) / 86_400
    }
}
