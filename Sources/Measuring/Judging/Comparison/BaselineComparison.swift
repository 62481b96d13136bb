package import Harness

/// A run against baselines: the same analysis as between two sides that are measured now.
package struct BaselineComparison: Sendable {
    private let run: StoredRun
    private let baselines: [Baseline]
    private let tool: String
    private let tolerances: ComparisonTolerances

    /// - Parameters:
    ///   - run: What is judged.
    ///   - baselines: What it is judged by.
    ///   - tool: Program and version.
    ///   - tolerances: What is accepted.
    package init(_ run: StoredRun, baselines: [Baseline], tool: String, tolerances: ComparisonTolerances) {
        self.run = run
        self.baselines = baselines
        self.tool = tool
        self.tolerances = tolerances
    }

    /// The comparison of every measurement that a baseline has.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when no baseline has any, or one is of another dataset.
    package func report() throws -> ComparisonReport {
        var (comparisons, notes): ([Comparison], [String]) = ([], [])
        var missing: [String] = []
        for measurement in run.measurements {
            let found = baselines.compactMap { baseline in
                baseline.measurements.first { $0.id == measurement.id }.map { (baseline, $0) }
            }
            if found.isEmpty { missing.append(measurement.id) }
            for (baseline, part) in found {
                guard part.datasetDigest == measurement.dataset.digest else {
                    throw HarnessError.configuration(
                        "baseline \(baseline.name) of \(part.id) was taken over \(part.dataset) \(part.datasetDigest), and "
                            + "\(run.path) read \(measurement.dataset.name) \(measurement.dataset.digest): other samples "
                            + "cannot be compared. Run over that dataset, or, if the dataset was changed on purpose, make "
                            + "the baseline anew: spinebench baseline update RUN RUN RUN --name \(baseline.name)"
                    )
                }
                comparisons.append(comparison(measurement, baseline, part, &notes))
            }
        }
        guard !comparisons.isEmpty else {
            throw HarnessError.configuration(
                "no baseline has \(missing.joined(separator: ", ")); "
                    + "there \(baselines.map { "\($0.name) has \($0.measurements.map(\.id).joined(separator: ", "))" }.joined(separator: "; ")). "
                    + "Make one: spinebench baseline update RUN RUN RUN --name NAME"
            )
        }
        if !missing.isEmpty { notes.append("In no baseline, so not compared: \(missing.joined(separator: ", ")).") }
        var report = ComparisonReport(
            tool: tool,
            method: "A stored run against a baseline of other runs.",
            tolerances: tolerances,
            comparisons: comparisons,
            notes: notes
        )
        report.host = run.result.host
        if run.result.isPartial { report.stop() }
        return report
    }

    private func comparison(
        _ measurement: Measurement,
        _ baseline: Baseline,
        _ part: Baseline.Part,
        _ notes: inout [String]
    ) -> Comparison {
        var tolerances = tolerances
        let here = run.result.host.fingerprint
        if baseline.host != here {
            tolerances = tolerances.accuracyOnly
            notes.append(
                "\(part.id): latency and memory are shown and do not gate, as the baseline is of another machine "
                    + "(\(baseline.host ?? "several"); this one is \(here))."
            )
        } else if baseline.runs < 2 {
            tolerances = tolerances.accuracyOnly
            notes.append(
                "\(part.id): latency and memory are shown and do not gate, as the baseline is of one run and knows no noise."
            )
        }
        return Comparison(
            a: part.readings(name: "baseline \(baseline.name)"),
            b: run.readings(measurement, name: run.path),
            label: part.id,
            dataset: measurement.dataset.name,
            noise: part.noise,
            tolerances: tolerances
        )
    }
}
