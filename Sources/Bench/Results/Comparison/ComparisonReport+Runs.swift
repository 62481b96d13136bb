import Basics
import Evaluation
package import Harness
import SpineDatasets

extension RunContents {
    /// The measurements in which one reading followed the other: those that can be compared sample by sample.
    package var comparable: [Measurement] { result.configuration.measurements.filter { $0.scenario.kind == .single } }

    /// Sentences on the times of readings that were made elsewhere.
    fileprivate var origins: [String] {
        result.measurements.compactMap { one in one.originOfTimes.map { "\(one.id) of \(path): \($0)." } }
    }

    package func readings(_ measurement: Measurement, name: String) -> ReadingSet {
        let own = records.filter { $0.measurement == measurement.id }
        let ownEvents = events.filter { $0.measurement == measurement.id }
        let dataset = datasets.first { $0.manifest.name == measurement.dataset.name }
        let result = result.measurements.first { $0.id == measurement.id }
        var set = ReadingSet(
            name: name + (result?.description["reader"].map { " (\($0))" } ?? ""),
            samples: dataset.map { measurement.pictures(of: $0, limit: self.result.configuration.limit) } ?? [],
            records: own,
            workers: [.init(events: ownEvents, records: own)],
            lost: ownEvents.filter { $0.kind == .workerLost }.compactMap(\.message)
        )
        guard result?.isOfSeveralMachines == true else { return set }
        // Latencies of several machines are no side of a comparison.
        for index in set.entries.indices { (set.entries[index].readings, set.entries[index].isTimed) = ([], false) }
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
        var parts = own[0].compactMap { one -> [Measurement]? in
            let same = own.compactMap { $0.first { $0.id == one.id } }
            return same.count == runs.count ? same : nil
        }
        if let measurement { parts = parts.filter { $0[0].id == measurement } }
        if parts.isEmpty, measurement == nil, own.allSatisfy({ $0.count == 1 }) { parts = [own.map { $0[0] }] }
        guard !parts.isEmpty else {
            let (place, all) = runs.count > 2 ? ("every run", "all") : ("both", "both")
            throw HarnessError.configuration(
                zip(runs, own).map { "\($0.path) has \($1.map(\.id).joined(separator: ", "))" }.joined(separator: ", ")
                    + (measurement.map { ": \($0) is not in \(all)" } ?? ": no measurement is in \(place)")
            )
        }
        for part in parts {
            let first = part[0].dataset
            for (run, one) in zip(runs, part) where one.dataset.digest != first.digest {
                throw HarnessError.configuration(
                    "\(runs[0].path) read \(first.name) \(first.digest), \(run.path) read \(one.dataset.name) "
                        + "\(one.dataset.digest): different samples cannot be compared; run one of them again"
                )
            }
        }
        let isAlone = parts.count == 1
        let tolerances = tolerances.accuracyOnly
        let found = parts.map { part in
            let sides = zip(runs, part).map { run, one in
                run.readings(one, name: isAlone ? "\(one.id) of \(run.path)" : run.path)
            }
            return Standings.compare(
                sides,
                label: isAlone && runs.count > 2 ? nil : part[0].id,
                dataset: part[0].dataset.name,
                contents: runs[0].datasets.first { $0.digest == part[0].dataset.digest },
                noise: NoiseFloor(unmeasured: sides[0]),
                tolerances: tolerances
            )
        }
        let times = runs.enumerated().map { "\(Standings.letter($0)) of \($1.result.startedAt)" }
        self.init(
            tool: tool,
            method: "\(runs.count == 2 ? "Two" : "\(runs.count)") stored runs: \(times.joined(separator: ", ")).",
            tolerances: tolerances,
            comparisons: found.flatMap(\.comparisons),
            standings: found.compactMap(\.standings),
            notes: [
                "The runs were measured at different times, so latency and memory are shown and do not gate; to gate on "
                    + "them, measure \(runs.count == 2 ? "both" : "all") now (compare \(runs.count == 2 ? "two variants" : "the variants"), or --against-binary)."
            ] + runs.flatMap(\.origins)
                + (measurement == nil ? Self.unmatched(runs, matched: parts.joined().map(\.id)) : [])
        )
        if runs.contains(where: \.result.isPartial) { stop() }
        host = runs.last?.result.host
    }

    /// Returns the measurements of runs that a comparison omits, a sentence each.
    private static func unmatched(_ runs: [RunContents], matched: [String]) -> [String] {
        func sentence(_ beginning: String, _ ids: [String]) -> String? {
            let left = ids.filter { !matched.contains($0) }
            return left.isEmpty ? nil : "\(beginning), so not compared: \(left.joined(separator: ", "))."
        }
        let others = runs.flatMap { $0.result.configuration.measurements }.filter { $0.scenario.kind != .single }
            .map(\.id).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let place = runs.count == 2 ? "Only in" : "Not in every run, but in"
        return runs.enumerated().compactMap { index, run in
            sentence("\(place) \(Standings.letter(index)), \(run.path)", run.comparable.map(\.id))
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
        var (comparisons, notes): ([Comparison], [String]) = ([], [])
        var missing: [String] = []
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
                            + "the baseline: spinebench baseline update RUN RUN RUN --name \(baseline.name); to check "
                            + "targets only: --baseline none"
                    )
                }
                let trust = baseline.trust(in: part, on: run.result)
                notes += trust.note.map { ["\(part.id): \($0)"] } ?? []
                if let rule = part.otherRule {
                    notes.append(
                        "\(part.id): titles, authors and publishers of baseline \(baseline.name) were scored by rule \(rule), those "
                            + "of this run by rule \(ScoringRule.current): the ruler changed, and whether the reader did is not decided. Take "
                            + "the baseline again with this program: spinebench run, then spinebench baseline update RUN RUN RUN "
                            + "--name \(baseline.name)."
                    )
                }
                let sides = (
                    a: part.readings(name: "baseline \(baseline.name)"),
                    b: run.readings(measurement, name: run.path)
                )
                let tolerances = tolerances.keeping { trust.gates($0) }
                var compared = Standings.compare(
                    [sides.a, sides.b],
                    label: part.id,
                    dataset: measurement.dataset.name,
                    contents: run.datasets.first { $0.digest == part.datasetDigest },
                    noise: trust.noise,
                    tolerances: tolerances
                ).comparisons
                for index in compared.indices {
                    let variant = measurement.variant.name
                    acceptance.apply(to: &compared[index], sides, variant: variant, tolerances: tolerances)
                }
                comparisons += compared
            }
        }
        guard !comparisons.isEmpty else {
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
            comparisons: comparisons,
            notes: notes
        )
        host = run.result.host
        if run.result.isPartial { stop() }
    }
}

extension Baseline.Part {
    /// The rule by which it was scored; nil if that is the present one.
    package var otherRule: Int? { scoringRule == ScoringRule.current ? nil : scoringRule ?? 1 }
}

extension Baseline {
    /// What of a baseline's latency and memory holds for a run.
    fileprivate struct Trust {
        var noise: NoiseFloor
        var note: String?
        var gates: (Metric) -> Bool
    }

    fileprivate func trust(in part: Part, on run: RunResult) -> Trust {
        let result = run.measurements.first { $0.id == part.id }
        var trust = trustOfHost(in: part, on: run)
        if part.peakBytes != nil {
            let gates = trust.gates
            trust.gates = { gates($0) && $0.family != .memory }
            trust.note =
                (trust.note.map { "\($0) " } ?? "") + "memory does not gate: of the baseline \(name), "
                + "\(MemorySummary.redefined), spinebench baseline update RUN RUN RUN --name \(name)."
        }
        // As for targets: such latencies decide nothing.
        guard let reason = result?.invalidReason ?? result?.doubtReason else { return trust }
        let gates = trust.gates
        trust.gates = { gates($0) && $0.family != .speed }
        trust.note = (trust.note.map { "\($0) " } ?? "") + "latency does not gate: \(reason)."
        return trust
    }

    private func trustOfHost(in part: Part, on run: RunResult) -> Trust {
        let isAccuracy = { (metric: Metric) in metric.family == .accuracy }
        func untrusted(_ doubt: String) -> Trust {
            let note = "latency and memory are shown and do not gate, as the baseline comes \(doubt)."
            return Trust(noise: part.noise, note: note, gates: isAccuracy)
        }
        let (machine, machines) = (run.host, run.measurements.compactMap(\.machines?.count).max() ?? 1)
        guard machines == 1 else { return untrusted("of one machine (the run is of \(machines))") }
        if host == machine.fingerprint {
            return runs < 2
                ? untrusted("from one run, without a noise estimate") : Trust(noise: part.noise) { _ in true }
        }
        return untrusted("from another machine (\(host ?? "several"); this one is \(machine.fingerprint))")
    }
}
