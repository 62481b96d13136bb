import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Reports
import Results
import SpineDatasets

/// Comparison of two builds by one variant, read in turns, each in its own folder.
struct BuildComparison {
    let dataset: Dataset
    let variant: ComposedVariant
    let metric: Metric
    var limit: Int?
    var timeout: Double
    /// The built program relative to a folder.
    let program: String
    let interruption: Interruption

    /// Reads with the good build and another one, and returns the change of the metric; `folder` is new.
    func measure(
        good: String,
        other: String,
        rounds: Int,
        seed: UInt64,
        in folder: String
    ) throws -> Result<
        BuildEvidence, BisectError
    > {
        let record = try variant.record()
        var configuration = ComparisonConfiguration(
            tool: ProgramVersion.tool,
            datasets: [DatasetReference(dataset)],
            a: record,
            b: record
        )
        (configuration.rounds, configuration.seed, configuration.limit) = (rounds, seed, limit)
        configuration.sampleTimeoutSeconds = timeout
        (configuration.nameA, configuration.nameB) = ("good", "candidate")
        try configuration.validate()
        // What a killed comparison left is read again.
        try? FileManager.default.removeItem(atPath: folder)
        let records = try RunFolder.create(folder, configuration)
        let stage = try ScanStage(for: [record], in: folder, given: nil, interruption: interruption)
        defer { stage.end() }
        let environment = stage.environment(of: record)
        let run = ComparisonRun(configuration: configuration, setup: stage.setup([dataset], in: records)) {
            side,
            variant in
            launch(variant, environment, in: side == .b ? other : good)
        }
        try run.run()
        let report = run.report()
        try ComparisonReports(report, datasets: [dataset]).write(to: folder)
        guard let comparison = report.comparisons.first, let row = comparison.rows.first(where: { $0.metric == metric })
        else { return .failure(.notMeasured("the comparison has no \(metric.id)")) }
        return BuildEvidence.of(row, rounds: rounds).map { evidence in
            var evidence = evidence
            evidence.detail =
                metric.meaning.family == .accuracy
                ? Self.slices(comparison) : Self.stages(records.records())
            return evidence
        }
    }

    /// The worker of a build, in its folder: relative paths of a user's command are those of the build.
    private func launch(_ variant: Variant, _ environment: ScanEnvironment, in folder: String) -> WorkerLaunch {
        let isCommand = self.variant.settings.reader != nil
        let launch = WorkerOptions.launch(
            variant,
            in: environment,
            program: isCommand ? Self.ownProgram : "\(folder)/\(program)"
        )
        return WorkerLaunch(
            executable: "/bin/sh",
            arguments: ["-c", "cd \"$0\" && exec \"$@\"", folder, launch.executable] + launch.arguments
        )
    }

    private static var ownProgram: String {
        URL(filePath: Process.ownProgram).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "spinebench").path
    }

    /// Returns the stages whose time changed most, of the samples' medians: "recognitionInference +2.1 of +2.4 ms".
    static func stages(_ records: [SampleRecord]) -> String {
        func means(_ side: ComparisonPlan.Side) -> [String: Double] {
            var times: [String: [String: [Double]]] = [:]
            for record in records where record.measurement.hasPrefix(side.rawValue) && record.outcome == .read {
                // A′ has A's letter, and is another measurement.
                guard side != .a || !record.measurement.hasPrefix(ComparisonPlan.Side.control.rawValue) else {
                    continue
                }
                let stages = record.prediction?.stages ?? StageTimes()
                let named = stages.names.filter { $0 != Stage.total.name }
                for name in named { times[name, default: [:]][record.id, default: []].append(stages[name] ?? 0) }
                guard let all = record.milliseconds else { continue }
                times[Self.whole, default: [:]][record.id, default: []].append(all)
                let known = named.reduce(0) { $0 + (stages[$1] ?? 0) }
                times[Self.rest, default: [:]][record.id, default: []].append(all - known)
            }
            return times.mapValues { bySample in
                let medians = bySample.values.compactMap { Percentile.median($0) }.sorted()
                return medians.reduce(0, +) / Double(max(1, medians.count))
            }
        }
        let (a, b) = (means(.a), means(.b))
        let changes = b.compactMap { name, after in a[name].map { (name: name, change: after - $0) } }
        guard let all = changes.first(where: { $0.name == whole })?.change else { return "" }
        let stages = changes.filter { $0.name != whole }.sorted { abs($0.change) > abs($1.change) }
        guard stages.count > 1 else { return "the reader reports no stages" }
        let texts = stages.prefix(2).map { "\($0.name) \(signed($0.change))" }
        return "stages: \(texts.joined(separator: ", ")) of \(signed(all)) ms"
    }

    private static let (whole, rest) = ("reading", "outside the stages")

    private static func signed(_ value: Double) -> String { (value < 0 ? "−" : "+") + NumberText.fixed(abs(value), 2) }

    /// Returns the category with most titles lost, and the first samples.
    static func slices(_ comparison: Comparison) -> String {
        let lost = comparison.flips.filter(\.isLost)
        let byCategory = Dictionary(grouping: lost, by: \.category).sorted {
            ($0.value.count, $1.key) > ($1.value.count, $0.key)
        }
        guard let most = byCategory.first else { return "no title lost" }
        let ids = lost.prefix(5).map(\.id).joined(separator: ", ")
        return
            "titles lost: \(lost.count), of them \(most.value.count) of \(most.key) (\(ids)\(lost.count > 5 ? ", …" : ""))"
    }
}

extension Percentile {
    /// Returns the mean of the two middle values; nil without values.
    fileprivate static func median(_ values: [Double]) -> Double? {
        if values.isEmpty { return nil }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
