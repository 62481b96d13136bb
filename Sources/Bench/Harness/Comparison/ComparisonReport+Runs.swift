import Basics
import Evaluation
import Foundation
import SpineDatasets

extension RunContents {
    /// The measurements in which one reading followed the other: those that can be compared sample by sample.
    package var comparable: [Measurement] { result.configuration.measurements.filter { $0.scenario.kind == .single } }

    /// Sentences on the times of readings that were made elsewhere.
    fileprivate var origins: [String] {
        result.measurements.compactMap { one in one.originOfTimes.map { "\(one.id) of \(path): \($0)." } }
    }

    package func readings(_ measurement: Measurement, name: String) -> ReadingSet {
        let dataset = datasets.first { $0.manifest.name == measurement.dataset.name }
        var set = ReadingSet(
            name: name,
            samples: dataset.map { measurement.pictures(of: $0, limit: result.configuration.limit) } ?? [],
            records: records.filter { $0.measurement == measurement.id },
            events: events.filter { $0.measurement == measurement.id }
        )
        if result.measurements.first(where: { $0.id == measurement.id })?.isOfSeveralMachines == true {
            // Latencies of several machines are no side of a comparison.
            for index in set.entries.indices { (set.entries[index].readings, set.entries[index].isTimed) = ([], false) }
        }
        return set
    }
}

extension ComparisonReport {
    /// Compares stored runs with the first one, measurement by measurement; tolerances of speed and memory are not used.
    ///
    /// `measurement` is the only one to compare, nil for all that they have in common, or the only one of each.
    /// - Throws: ``HarnessError/configuration(_:)`` when they have no measurement in common or read other datasets.
    package init(
        _ runs: [RunContents],
        measurement: String? = nil,
        tool: String,
        tolerances: ComparisonTolerances
    ) throws {
        let own = runs.map(\.comparable)
        var common = own[0].compactMap { one -> [Measurement]? in
            let same = own.compactMap { $0.first { $0.id == one.id } }
            return same.count == runs.count && measurement ?? one.id == one.id ? same : nil
        }
        if common.isEmpty, measurement == nil, own.allSatisfy({ $0.count == 1 }) { common = [own.flatMap(\.self)] }
        guard !common.isEmpty else {
            throw HarnessError.configuration(
                zip(runs, own).map { "\($0.path) has \($1.map(\.id).joined(separator: ", "))" }.joined(separator: ", ")
                    + ": \(measurement ?? "no measurement") is \(measurement == nil ? "" : "not ")in every run"
            )
        }
        for part in common {
            let first = part[0].dataset
            for (run, one) in zip(runs, part) where one.dataset.digest != first.digest {
                throw HarnessError.configuration(
                    "\(runs[0].path) read \(first.name) \(first.digest), \(run.path) read \(one.dataset.name) "
                        + "\(one.dataset.digest): different samples cannot be compared; run one of them again"
                )
            }
        }
        let isAlone = common.count == 1
        let folders = Set(runs.map { URL(filePath: $0.path).resolvingSymlinksInPath().path })
        let twice =
            folders.count < runs.count ? ["⚠️ One folder is named twice: a run does not differ from itself."] : []
        let tolerances = tolerances.exactOnly
        let times = runs.enumerated().map { "\(Sides.letter($0)) of \($1.result.startedAt)" }
        self.init(
            tool: tool,
            method: "\(NumberText.count(runs.count, "stored run")): \(times.joined(separator: ", ")).",
            tolerances: tolerances,
            parts: common.map { part in
                let sides = zip(runs, part).map { run, one in
                    run.readings(one, name: isAlone ? "\(one.id) of \(run.path)" : run.path)
                }
                return Sides(
                    sides,
                    label: isAlone && runs.count > 2 ? nil : part[0].id,
                    dataset: part[0].dataset.name,
                    contents: runs[0].datasets.first { $0.digest == part[0].dataset.digest },
                    noise: NoiseFloor(unmeasured: sides[0]),
                    tolerances: tolerances
                )
            },
            notes: [
                "The runs were measured at different times, so latency and memory are shown and do not gate; to gate on "
                    + "them, measure all of them now (compare the variants, or --against-binary)."
            ] + twice + runs.flatMap(\.origins)
                + (measurement == nil ? Self.unmatched(runs, common.joined().map(\.id)) : [])
        )
        if common.contains(where: { Set($0.map(\.id)).count > 1 }) { kind = .readers }
        if runs.contains(where: \.result.isPartial) { stop() }
        host = runs.last?.result.host
    }

    /// Returns the measurements of runs that a comparison omits, a sentence each.
    private static func unmatched(_ runs: [RunContents], _ matched: [String]) -> [String] {
        func sentence(_ beginning: String, _ ids: [String]) -> String? {
            let left = ids.filter { !matched.contains($0) }
            return left.isEmpty ? nil : "\(beginning), so not compared: \(left.joined(separator: ", "))."
        }
        let others = runs.flatMap { $0.result.configuration.measurements }.filter { $0.scenario.kind != .single }
            .map(\.id).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return runs.enumerated().compactMap { index, run in
            sentence("Not in every run, but in \(Sides.letter(index)), \(run.path)", run.comparable.map(\.id))
        } + [sentence("Of a scenario other than single, whose readings cannot be paired", others)].compactMap(\.self)
    }

    /// Compares a stored run with baselines, as two sides that are measured now, in every measurement that a baseline
    /// has.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when no baseline has any, or one is of another dataset.
    package init(
        _ run: RunContents,
        baselines: [Baseline],
        tool: String,
        tolerances: ComparisonTolerances,
        acceptance: inout Acceptance
    ) throws {
        var (parts, notes, missing): ([Sides], [String], [String]) = ([], [], [])
        for measurement in run.comparable {
            let found = baselines.compactMap { baseline in
                baseline.measurements.first { $0.id == measurement.id }.map { (baseline, $0) }
            }
            if found.isEmpty { missing.append(measurement.id) }
            for (baseline, part) in found {
                guard part.datasetDigest == measurement.dataset.digest else {
                    throw HarnessError.configuration(
                        "baseline \(baseline.name) of \(part.id) was measured on \(part.dataset) \(part.datasetDigest), but "
                            + "\(run.path) read \(measurement.dataset.name) \(measurement.dataset.digest): different samples "
                            + "cannot be compared. Run over that dataset, or, if the dataset was changed on purpose, recreate "
                            + "the baseline: \(baseline.update); to check targets only: --baseline none"
                    )
                }
                let doubts = baseline.doubts(of: part, for: run.result)
                if !doubts.isEmpty {
                    notes.append("\(part.id): " + doubts.map { "\($0.reason)." }.joined(separator: " "))
                }
                notes += [baseline.note(of: part)].compactMap(\.self)
                let tolerances = tolerances.keeping { metric in
                    !doubts.contains { $0.families.contains(metric.family) }
                }
                var old = part.readings
                old.name = "baseline \(baseline.name)"
                var sides = Sides(
                    [old, run.readings(measurement, name: run.path)],
                    label: part.id,
                    dataset: measurement.dataset.name,
                    contents: run.datasets.first { $0.digest == part.datasetDigest },
                    noise: part.noise,
                    tolerances: tolerances
                )
                acceptance.apply(to: &sides, variant: measurement.variant.name, tolerances: tolerances)
                parts.append(sides)
            }
        }
        guard !parts.isEmpty else {
            let there = baselines.map { "\($0.name) has \($0.measurements.map(\.id).joined(separator: ", "))" }
            throw HarnessError.configuration(
                "no baseline for \(missing.joined(separator: ", ")); found: \(there.joined(separator: "; ")). "
                    + "Create one: spinebench baseline update RUN RUN RUN --name NAME; or check targets only: "
                    + "--baseline none"
            )
        }
        notes += run.origins
        if !missing.isEmpty { notes.append("In no baseline, so not compared: \(missing.joined(separator: ", ")).") }
        self.init(
            tool: tool,
            method: "A stored run against a baseline of other runs.",
            tolerances: tolerances,
            parts: parts,
            notes: notes
        )
        (host, kind) = (run.result.host, .gate)
        if run.result.isPartial { stop() }
    }
}

extension Baseline {
    fileprivate var update: String { "spinebench baseline update RUN RUN RUN --name \(name)" }

    /// Returns a note on titles that were scored by another rule than those of a run; nil where the rule is the same.
    fileprivate func note(of part: Part) -> String? {
        let rule = part.readings.scoringRule
        return rule == ScoringRule.current
            ? nil
            : "\(part.id): titles, authors and publishers of baseline \(name) were scored by rule \(rule), those "
                + "of this run by rule \(ScoringRule.current): the ruler changed, and whether the reader did is not decided. Take "
                + "the baseline again with this program: spinebench run, then \(update)."
    }

    /// Returns why figures of a part decide nothing about a run, with the families of those figures.
    fileprivate func doubts(of part: Part, for run: RunResult) -> [(families: Set<Metric.Family>, reason: String)] {
        let result = run.measurements.first { $0.id == part.id }
        let (machine, machines) = (run.host.fingerprint, run.measurements.compactMap(\.machines?.count).max() ?? 1)
        let origin: String? =
            machines > 1
            ? "of one machine (the run is of \(machines))"
            : host != machine
                ? "from another machine (\(host ?? "several"); this one is \(machine))"
                : runs < 2 ? "from one run, without a noise estimate" : nil
        let doubts: [(families: Set<Metric.Family>, reason: String?)] = [
            (
                [.speed, .memory, .traffic],
                origin.map { "latency and memory are shown and do not gate, as the baseline comes \($0)" }
            ),
            (
                [.memory],
                part.readings.hasEarlierMemory
                    ? "memory does not gate: of the baseline \(name), \(MemorySummary.redefined), \(update)" : nil
            ),
            // As for targets: such latencies decide nothing.
            ([.speed], (result?.invalidReason ?? result?.doubtReason).map { "latency does not gate: \($0)" }),
        ]
        return doubts.compactMap { families, reason in reason.map { (families, $0) } }
    }
}
