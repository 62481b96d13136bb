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
        // Any certain change has its stage or slice named.
        configuration.tolerances[metric] = 0
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
            evidence.detail = (comparison.causes ?? []).joined(separator: " ")
            return evidence
        }
    }

    /// The worker of a build, in its folder: relative paths of a user's command are those of the build.
    private func launch(_ variant: Variant, _ environment: ScanEnvironment, in folder: String) -> WorkerLaunch {
        let isCommand = self.variant.settings.reader != nil
        let launch = WorkerOptions.launch(
            variant,
            in: environment,
            program: isCommand ? Companion.mainProgram : "\(folder)/\(program)"
        )
        return WorkerLaunch(
            executable: "/bin/sh",
            arguments: ["-c", "cd \"$0\" && exec \"$@\"", folder, launch.executable] + launch.arguments
        )
    }
}
