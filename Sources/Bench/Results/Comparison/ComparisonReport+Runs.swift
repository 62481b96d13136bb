package import Harness
import SpineDatasets

extension RunContents {
    /// The measurements in which one reading followed the other: those that can be compared sample by sample.
    var comparable: [Measurement] { result.configuration.measurements.filter { $0.scenario.kind == .single } }

    /// Sentences on the times of readings that were made elsewhere.
    fileprivate var origins: [String] {
        result.measurements.compactMap { one in one.originOfTimes.map { "\(one.id) of \(path): \($0)." } }
    }

    func readings(_ measurement: Measurement, name: String) -> ReadingSet {
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
    /// Compares two stored runs, measurement by measurement; tolerances of speed and memory are not used.
    ///
    /// `measurement` is the only one to compare, nil for all that both have, or the only one of each.
    /// - Throws: ``HarnessError/configuration(_:)`` when they have no measurement in common or read other datasets.
    package init(
        _ a: RunContents,
        _ b: RunContents,
        measurement: String? = nil,
        tool: String,
        tolerances: ComparisonTolerances
    ) throws {
        let (first, second) = (a.comparable, b.comparable)
        var pairs = first.compactMap { one in second.first { $0.id == one.id }.map { (a: one, b: $0) } }
        if let measurement { pairs = pairs.filter { $0.a.id == measurement } }
        if pairs.isEmpty, measurement == nil, first.count == 1, second.count == 1 { pairs = [(first[0], second[0])] }
        guard !pairs.isEmpty else {
            throw HarnessError.configuration(
                "\(a.path) has \(first.map(\.id).joined(separator: ", ")), \(b.path) has "
                    + "\(second.map(\.id).joined(separator: ", "))"
                    + (measurement.map { ": \($0) is not in both" } ?? ": no measurement is in both")
            )
        }
        for pair in pairs where pair.a.dataset.digest != pair.b.dataset.digest {
            throw HarnessError.configuration(
                "\(a.path) read \(pair.a.dataset.name) \(pair.a.dataset.digest), \(b.path) read \(pair.b.dataset.name) "
                    + "\(pair.b.dataset.digest): different samples cannot be compared; run one of them again"
            )
        }
        let isAlone = pairs.count == 1
        let tolerances = tolerances.accuracyOnly
        self.init(
            tool: tool,
            method: "Two stored runs: A of \(a.result.startedAt), B of \(b.result.startedAt).",
            tolerances: tolerances,
            comparisons: pairs.map { pair in
                let before = a.readings(pair.a, name: isAlone ? "\(pair.a.id) of \(a.path)" : a.path)
                return Comparison(
                    a: before,
                    b: b.readings(pair.b, name: isAlone ? "\(pair.b.id) of \(b.path)" : b.path),
                    label: pair.a.id,
                    dataset: pair.a.dataset.name,
                    noise: NoiseFloor(unmeasured: before),
                    tolerances: tolerances
                )
            },
            notes: [
                "The runs were measured at different times, so latency and memory are shown and do not gate; to gate on "
                    + "them, measure both now (compare two variants, or --against-binary)."
            ] + a.origins + b.origins
                + (measurement == nil ? Self.unmatched(a, b, matched: pairs.flatMap { [$0.a.id, $0.b.id] }) : [])
        )
        if a.result.isPartial || b.result.isPartial { stop() }
        host = b.result.host
    }

    /// Returns the measurements of two runs that a comparison omits, a sentence each.
    private static func unmatched(_ a: RunContents, _ b: RunContents, matched: [String]) -> [String] {
        func sentence(_ beginning: String, _ ids: [String]) -> String? {
            let left = ids.filter { !matched.contains($0) }
            return left.isEmpty ? nil : "\(beginning), so not compared: \(left.joined(separator: ", "))."
        }
        func others(_ run: RunContents) -> [String] {
            run.result.configuration.measurements.filter { $0.scenario.kind != .single }.map(\.id)
        }
        let otherScenarios = others(a) + others(b).filter { !others(a).contains($0) }
        return [
            sentence("Only in A, \(a.path)", a.comparable.map(\.id)),
            sentence("Only in B, \(b.path)", b.comparable.map(\.id)),
            sentence("Of a scenario other than single, whose readings cannot be paired", otherScenarios),
        ].compactMap(\.self)
    }

    /// Compares a stored run with baselines, as two sides that are measured now, in every measurement that a baseline
    /// has.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when no baseline has any, or one is of another dataset.
    package init(_ run: RunContents, baselines: [Baseline], tool: String, tolerances: ComparisonTolerances) throws {
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
                let doubt = baseline.doubt(on: run.result)
                if let doubt {
                    notes.append(
                        "\(part.id): latency and memory are shown and do not gate, as the baseline comes \(doubt)."
                    )
                }
                comparisons.append(
                    Comparison(
                        a: part.readings(name: "baseline \(baseline.name)"),
                        b: run.readings(measurement, name: run.path),
                        label: part.id,
                        dataset: measurement.dataset.name,
                        noise: part.noise,
                        tolerances: doubt == nil ? tolerances : tolerances.accuracyOnly
                    )
                )
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

extension Baseline {
    /// Why its latency and memory say nothing on a machine; nil when they do.
    fileprivate func doubt(on run: RunResult) -> String? {
        let (machine, machines) = (run.host, run.shards?.machines.count ?? 1)
        guard machines == 1 else { return "of one machine (the run is of \(machines))" }
        guard host == machine.fingerprint else {
            return "from another machine (\(host ?? "several"); this one is \(machine.fingerprint))"
        }
        return runs < 2 ? "from one run, without a noise estimate" : nil
    }
}
