import ArgumentParser
import Basics
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import SpineDatasets
import Statistics
import Systems

/// The part of `spinebench run --plan` behind the resolved configuration.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Internal: print the plan of 'run --plan'.",
        shouldDisplay: false
    )

    @Argument(help: .value("file", "Configuration of a run, which is deleted."))
    var file: String

    @Option(help: .value("dir", "Folder with earlier runs."))
    var runs: String

    func run() throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        let configuration = try JSONDecoder().decode(RunConfiguration.self, from: Data(InputFile.bytes(file)))
        let datasets = try configuration.datasets.map { try DatasetLoader().labelled($0.path) }
        let last = Self.last(in: runs, like: configuration)
        print(
            RunPlan(configuration, datasets, last: last, baselines: GateOptions.baselines(in: GateOptions.folder)).text
        )
    }

    /// Returns the latest finished run on this machine with all measurements of a configuration, however often they
    /// read.
    private static func last(in folder: String, like configuration: RunConfiguration) -> RunContents? {
        func key(_ measurement: Harness.Measurement) -> [String] {
            [measurement.id, measurement.dataset.digest]
                + measurement.variant.settings.map { "\($0.key)=\($0.value)" }.sorted()
        }
        let sought = Set(configuration.measurements.map(key))
        let machine = HostDescription.current().fingerprint
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = names.map { "\(folder)/\($0)" }.compactMap { path -> (path: String, start: String)? in
            guard let other = try? RunFolder.configuration(in: path), sought.isSubset(of: other.measurements.map(key))
            else {
                return nil
            }
            let events = RunFolder.events(in: path)
            guard let start = events.first(where: { $0.kind == .runStarted }), start.host?.fingerprint == machine,
                events.contains(where: { $0.kind == .runFinished })
            else { return nil }
            return (path, start.time)
        }
        return found.max { $0.start < $1.start }.flatMap { try? RunContents.scored($0.path) }
    }
}

/// Readings of a run that is planned, their time, and what they decide.
struct RunPlan {
    let text: String

    init(_ configuration: RunConfiguration, _ datasets: [Dataset], last: RunContents?, baselines: [String]) {
        let byName = Dictionary(zip(configuration.datasets.map(\.name), datasets)) { first, _ in first }
        var (lines, seconds, isTimed): ([String], Double, Bool) = (["To measure:"], 0, last != nil)
        // Time beyond the readings: processes, compilation, devices, reports.
        let overhead = last.map(Self.overhead) ?? 0
        for measurement in configuration.measurements {
            guard let dataset = byName[measurement.dataset.name] else { continue }
            let plan = configuration.plan(measurement, dataset)
            let samples = measurement.pictures(of: dataset, limit: configuration.limit).count
            let count = plan.total ?? plan.least
            let milliseconds = last?.result.measurements.first { $0.id == measurement.id }.flatMap { _ in
                Self.mean(last?.records.filter { $0.measurement == measurement.id }.compactMap(\.milliseconds) ?? [])
            }
            seconds += Double(count) * (milliseconds ?? 0) / 1_000
            isTimed = isTimed && milliseconds != nil
            let readings = plan.total == nil ? "\(count) readings or more" : NumberText.count(count, "reading")
            lines.append(
                "  \(measurement.id): \(NumberText.count(samples, "sample")) of \(dataset.manifest.name), \(readings)"
            )
        }
        lines.append(
            isTimed
                ? "Time: about \(NumberText.span(seconds: seconds * (1 + overhead))), by the rate of the run \(last?.name ?? "")"
                : "Time: unknown: no earlier run of these variants on this machine"
        )
        guard let last else {
            let how = "one run shows their spread: spinebench run without --plan"
            text = (lines + ["Readings needed: unknown: \(how)"]).joined(separator: "\n")
            return
        }
        var table = Table(
            columns: ["question", "last run", .number("needs"), .number("planned"), "decides"],
            rows: configuration.measurements.flatMap { measurement in
                Self.rows(measurement, configuration, last, baselines.compactMap { try? Baseline.load($0) })
            }
        )
        table.title = "Needed for a decision in 80 % of runs, if the last run's figures are true:"
        text = (lines + ["", table.terminal(width: Console.width)]).joined(separator: "\n")
    }

    /// Share of the time of a run that its readings did not take.
    private static func overhead(_ run: RunContents) -> Double {
        let readings = run.records.compactMap(\.milliseconds).reduce(0, +) / 1_000
        let dates = [run.result.startedAt, run.result.finishedAt].compactMap { try? Date($0, strategy: .iso8601) }
        guard readings > 0, dates.count == 2 else { return 0 }
        return max(0, dates[1].timeIntervalSince(dates[0]) / readings - 1)
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    private static func rows(
        _ measurement: Harness.Measurement,
        _ configuration: RunConfiguration,
        _ last: RunContents,
        _ baselines: [Baseline]
    ) -> [[String]] {
        guard measurement.scenario.kind == .single else { return [] }
        let set = last.readings(measurement, name: "")
        let samples = min(set.entries.count, configuration.limit ?? .max)
        let medians = set.entries.compactMap(\.milliseconds)
        func row(
            _ question: String,
            _ figure: String,
            _ needed: Int?,
            _ planned: Int,
            _ unit: String,
            _ note: String? = nil
        )
            -> [String]
        {
            let decides = needed.map { $0 <= planned ? "yes" : "no" } ?? "no number does"
            return [
                "\(measurement.id): \(question)", figure, needed.map { NumberText.count($0, unit) } ?? "–",
                NumberText.count(planned, unit), note ?? decides,
            ]
        }
        let targets = last.result.compliance.filter { row in
            row.measurement == measurement.id && row.claim.category == nil
                && configuration.targets.contains(row.claim)
        }
        var rows = targets.compactMap { target -> [String]? in
            guard let metric = target.metric else { return nil }
            let (limit, unit) = (target.claim.limit, metric.unit)
            let question = "\(metric.name) \(target.claim.comparator.rawValue) \(unit.limit(limit))"
            if let rate = target.rate, let value = rate.rate.value {
                // Spines of one photo are worth fewer independent ones.
                let effect = Double(rate.trials) / Double(max(1, rate.independent.trials))
                let needed = ReadingsNeeded.share(value, limit: limit).map { Int((Double($0) * effect).rounded(.up)) }
                return row(question, unit.text(value), needed, min(rate.trials, samples), "spine")
            }
            guard let percent = metric.percent, !medians.isEmpty, target.value.value != nil else { return nil }
            let within = Double(medians.count(where: target.claim.isMet)) / Double(medians.count)
            // With fewer spines, a percentile decides nothing.
            let needed = ReadingsNeeded.share(within, limit: Double(percent) / 100)
                .map { max($0, Percentile.minimumCountToDescribe(percent)) }
            return row(question, "\(NumberText.percent(within)) within", needed, samples, "spine")
        }
        let tolerances = ComparisonTolerances.standard
        let part = baselines.lazy.flatMap(\.measurements).first {
            $0.id == measurement.id && $0.datasetDigest == measurement.dataset.digest
        }
        if let tolerance = tolerances[.titleRead], let part {
            let pairs = SidePair(part.readings, set).samples.both(\.title)
            let discordant = pairs.isEmpty ? 0 : Double(pairs.count { $0.a != $0.b }) / Double(pairs.count)
            let needed = ReadingsNeeded.difference(tolerance, discordant: discordant)
            let figure = "\(NumberText.percent(discordant)) differ"
            rows.append(row("title read, a loss of 2 points", figure, needed, pairs.count, "spine"))
        }
        guard let tolerance = tolerances[.latency] else { return rows }
        let steps = set.entries.flatMap { entry -> [Double] in
            let times = entry.readings.map(\.milliseconds).filter { $0.isFinite && $0 > 0 }
            return zip(times, times.dropFirst()).map { log($1) - log($0) }
        }
        let question = "latency, \(NumberText.percent(tolerance)) slower"
        let planned = samples * configuration.repetitions
        if let noise = part?.noise[.latency].value, noise > tolerance {
            let share = NumberText.percent(noise)
            let note = "no number does: runs differ by \(share) on their own; use 'spinebench compare'"
            return rows + [row(question, "noise ±\(share)", nil, planned, "reading", note)]
        }
        guard steps.count >= 2 else {
            return rows + [row(question, "–", nil, planned, "reading", "unknown: read each twice")]
        }
        let deviation = steps.meanAndVariance.variance.squareRoot()
        let figure = "log ratio ±\(NumberText.fixed(deviation, 3))"
        return rows + [row(question, figure, ReadingsNeeded.ratio(tolerance, deviation: deviation), planned, "reading")]
    }
}
