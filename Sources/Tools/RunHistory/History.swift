import Basics
package import Evaluation
import Foundation
package import Harness
import Statistics

/// Runs in the order of time, with a series for each figure of each variant on each dataset and host, and its steps.
package struct History: Sendable, Equatable, Codable {
    package struct Run: Sendable, Equatable, Codable {
        /// Name of its folder.
        package var name: String
        package var time: String
        package var host: String
        package var revision: HistoryEntry.Revision
        package var verdict: Verdict?
        /// Runnable processes on the host when the run began; nil where unknown.
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
        package var points: [Point] = []
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
        let runs = entries.map(\.run)
        let members = zip(entries.indices, entries).flatMap { run, entry in
            entry.measurements.map { Member(run: run, part: $0) }
        }
        let groups = Dictionary(grouping: members) { member in
            [member.part.dataset, member.part.datasetDigest, runs[member.run].host, member.part.id]
        }
        self.runs = runs
        series = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { key, members in
            SeriesMaker(key: key, members: members, runs: runs, baselines: baselines).series
        }
    }

    /// Returns entries in the order of their times.
    static func inOrder(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        entries.sorted { ($0.run.time, $0.run.name) < ($1.run.time, $1.run.name) }
    }

    /// A run's measurement of a group.
    fileprivate struct Member: Sendable {
        var run: Int
        var part: Baseline.Part
    }
}

/// Makes the series of one measurement on one host.
private struct SeriesMaker {
    let key: [String]
    var members: [History.Member]
    let runs: [History.Run]
    var baselines: [Baseline]

    /// Least standard deviation between runs: of logarithms.
    private static let leastRatio = 0.002

    var series: [History.Series] {
        let ofTexts = ofNewestRule
        let figures = Metric.allCases.compactMap { ($0.isByScoringRule ? ofTexts : self).figure($0) }
        return figures + [processor].compactMap(\.self)
    }

    /// That of the runs and baselines by the newest scoring rule, as an older one is another ruler.
    private var ofNewestRule: SeriesMaker {
        let newest = members.map(\.part.readings.scoringRule).max()
        var own = self
        own.members.removeAll { $0.part.readings.scoringRule != newest }
        for index in baselines.indices {
            own.baselines[index].measurements.removeAll { $0.readings.scoringRule != newest }
        }
        return own
    }

    /// A sample's values in each run, as a row; nil where it has none.
    private func rows(_ value: (ReadingSet.Entry) -> Double?) -> [[Double?]] {
        let ids = Set(members.flatMap { $0.part.readings.entries.map(\.id) }).sorted()
        return members.map { member in
            let own = Dictionary(member.part.readings.entries.map { ($0.id, $0) }) { first, _ in first }
            return ids.map { own[$0].flatMap(value) }
        }
    }

    /// Returns the series of a metric; nil when it has no value but 0.
    private func figure(_ metric: Metric) -> History.Series? {
        guard let name = metric.chart else { return nil }
        let (unit, factor) = metric.unit.chart
        func charted(_ value: Double) -> Double { (value * factor * 1_000).rounded() / 1_000 }
        let figures = members.map { $0.part.figures[metric] }
        let values = figures.compactMap { ($0?.value).map(charted) }
        guard values.contains(where: { $0 != 0 }) else { return nil }
        var series = empty(name, unit, metric)
        series.isRelative = metric.unit.isRelative && values.allSatisfy { $0 > 0 }
        series.points = zip(members, figures).compactMap { member, figure in
            figure.map { figure in
                let (low, high) = (figure.low.map(charted), figure.high.map(charted))
                return History.Point(run: member.run, value: charted(figure.value), lower: low, upper: high)
            }
        }
        series.baseline = level(of: metric, series.points.map { runs[$0.run].time }, charted)
        let isOutcome = [.titleRead, .authorRead].contains(metric)
        let levels =
            if isOutcome {
                ChangePoints.levels(rows { $0.outcomes[metric].map { $0 ? 100 : 0 } }, isMean: true)
            } else if metric == .latencyP50 {
                ChangePoints.levels(rows { $0.milliseconds.map { log($0) } }, isMean: false)
            } else {
                figures.map { ($0?.value).map(charted).map { series.isRelative ? log($0) : $0 } }
            }
        // One sample more or less is the least that a share can change by.
        let share = 100 / Double(members.map(\.part.readings.entries.count).max() ?? 1)
        let largest = (values.map { abs($0) }.max() ?? 1) * Self.leastRatio
        let resolution = series.isRelative ? Self.leastRatio : metric.unit == .share ? share : largest
        series.steps = steps(series, levels, resolution: resolution)
        if isOutcome {
            let bounds = [-1] + series.steps.map(\.run) + [.max]
            for index in series.steps.indices {
                addFlips(to: &series.steps[index], metric, bounds[index]..<bounds[index + 2])
            }
        }
        return series
    }

    private var processor: History.Series? {
        var series = empty(History.processorTime, "ms", .latencyP50)
        series.points = members.compactMap { member in
            member.part.readings.entries.compactMap(\.processorMilliseconds).middle.map {
                History.Point(run: member.run, value: $0)
            }
        }
        let levels = ChangePoints.levels(rows { $0.processorMilliseconds.map { log($0) } }, isMean: false)
        series.steps = steps(series, levels, resolution: Self.leastRatio)
        return series.points.isEmpty ? nil : series
    }

    /// Returns a series without points; the direction of a change is that of `metric`.
    private func empty(_ name: String, _ unit: String, _ metric: Metric) -> History.Series {
        History.Series(
            dataset: key[0],
            digest: key[1],
            host: key[2],
            variant: key[3],
            metric: name,
            unit: unit,
            higherIsBetter: metric.higherIsBetter,
            isRelative: true
        )
    }

    /// Returns the steps of the members' levels.
    private func steps(_ series: History.Series, _ levels: [Double?], resolution: Double) -> [History.Step] {
        let known = zip(members, levels).compactMap { member, level in level.map { (run: member.run, level: $0) } }
        return ChangePoints(known.map(\.level), resolution: resolution).steps.map { step in
            let (run, before) = (known[step.first].run, known[step.first - 1].run)
            let change = series.isRelative ? expm1(step.change) : step.change
            let isBetter = (step.change > 0) == series.higherIsBetter
            let isConfirmed = step.chance <= ChangePoints.confirmed
            let size =
                series.isRelative
                ? NumberText.percent(abs(change))
                : series.unit == "%" ? NumberText.fixed(abs(change), 1) + " points" : series.text(abs(change))
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
    }

    private func commits(_ before: Int, _ run: Int) -> String {
        guard let commit = runs[run].revision.commit else { return runs[run].time }
        guard let old = runs[before].revision.commit else { return String(commit.prefix(8)) }
        return old == commit ? "\(commit.prefix(8)), as before" : "\(old.prefix(8))..\(commit.prefix(8))"
    }

    /// Adds the samples that flipped, by the runs between the step's neighbours.
    private func addFlips(to step: inout History.Step, _ metric: Metric, _ span: Range<Int>) {
        var votes: [String: (before: Int, after: Int)] = [:]
        for member in members where span.contains(member.run) {
            for sample in member.part.readings.entries {
                guard let isRight = sample.outcomes[metric] else { continue }
                let side = member.run < step.run ? \(before: Int, after: Int).before : \.after
                votes[sample.id, default: (0, 0)][keyPath: side] += isRight ? 1 : -1
            }
        }
        let lost = votes.filter { $0.value.before > 0 && $0.value.after < 0 }.keys.sorted()
        let gained = votes.filter { $0.value.before < 0 && $0.value.after > 0 }.keys.sorted()
        (step.lost, step.gained) = (lost, gained)
        step.pairedChance = McNemar.exactP(b: lost.count, c: gained.count)
    }

    /// Returns the value of the newest baseline, and its age in runs at some times; speed and memory require its host.
    private func level(of metric: Metric, _ times: [String], _ charted: (Double) -> Double) -> History.Level? {
        let found = baselines.filter { metric.unit == .share || $0.host == key[2] }.compactMap { baseline in
            baseline.measurements.first { $0.id == key[3] && $0.datasetDigest == key[1] }?.figures[metric]
                .map { (date: baseline.date, value: charted($0.value)) }
        }
        guard let newest = found.max(by: { $0.date < $1.date }), let last = times.last else { return nil }
        let dates = [newest.date, last].compactMap { try? Date($0, strategy: .iso8601) }
        let seconds = dates.count == 2 ? dates[1].timeIntervalSince(dates[0]) : 0
        let after = times.count { $0 > newest.date }
        return History.Level(value: newest.value, date: newest.date, runs: after, days: seconds / 86_400)
    }
}
