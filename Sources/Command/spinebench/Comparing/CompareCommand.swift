import ArgumentParser
import CommandSupport
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets
import Systems

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare variants, two builds or stored runs: A with B, C and so on.",
        discussion: """
            Examples:

              spinebench compare fast accurate --dataset Datasets/spines-1
              spinebench compare fast --against-binary old/spinebench --dataset Datasets/spines-1
              spinebench compare Reports/runs/A Reports/runs/B

            Variants and builds are measured now, in turns; of stored runs only accuracy and counts gate. Metrics of --gate: \
            \(Metric.gateNames), memory, counts.

            Manual: Docs/COMPARING.md#read-a-comparison. Exit codes: Docs/MEASURING.md#exit-codes.
            """
    )

    @Argument(help: .value("a b", "Two or more variants or runs, or one with --against-binary."))
    var sides: [String]

    @Option(help: .value("name", "Side that the others are compared with. (default: the first)"))
    var against: String?

    @Option(help: .value("path", "Another build of this program, used as A."))
    var againstBinary: String?

    @OptionGroup var readers: ReaderOptions

    @Option(
        help: .value("name", "Suite with the variants and, without --dataset, the datasets.")
    )
    var suite: String?

    @Option(name: .customLong("dataset"), help: .value("dir", "Dataset folder (repeatable)."))
    var datasets: [String] = []

    @Option(help: "Readings of each spine by each side.")
    var rounds: Int = 2

    @Option(help: .value("n", "Maximum spines, the categories taking turns. (default: all)"))
    var limit: Int?

    @Option(help: .value("n", "Random seed of the spines' order."))
    var seed: UInt64 = 1

    @Option(help: .value("seconds", "Timeout of a reading."))
    var timeout: Double = 30

    @Option(help: .value("gates", "Tolerances, such as latency=5%,title-read=2,memory=off."))
    var gate: String = ""

    @Flag(help: "Skip A against A; latency and memory then do not gate.")
    var noNoiseFloor = false

    @Option(help: .value("id", "Measurement of stored runs. (default: those that both have)"))
    var measurement: String?

    @OptionGroup var backEnd: BackEndOverrideOptions

    @Option(help: .value("dir", "Output folder. (default: Reports/comparisons/<UTC time>)"))
    var out: String?

    @Option(help: .hidden)
    var plant: InjectedFault?

    @OptionGroup(title: "For CI")
    var exports: ExportOptions

    private var isStored: Bool {
        againstBinary == nil && sides.allSatisfy { FileManager.default.fileExists(atPath: "\($0)/config.json") }
    }

    /// Sides, that of --against first.
    private var ordered: [String] {
        guard let place = against.flatMap(sides.firstIndex) else { return sides }
        return [sides[place]] + sides[..<place] + sides[(place + 1)...]
    }

    func validate() throws {
        try refuse([
            (
                againstBinary != nil && sides.count != 1,
                "With --against-binary specify one variant: spinebench compare fast --against-binary PATH"
            ),
            (
                againstBinary == nil && sides.count < 2,
                "Specify two or more sides: spinebench compare fast accurate --dataset DIR"
            ),
            (
                against.map { !sides.contains($0) } ?? false,
                "Invalid --against '\(against ?? "")': expected one of \(sides.joined(separator: ", "))"
            ),
            (
                !isStored && datasets.isEmpty && suite == nil,
                "Specify --dataset DIR. (To compare stored runs, specify two folders that contain a config.json.)"
            ),
        ])
    }

    func run() async throws {
        let tolerances = try ComparisonTolerances.parse(gate)
        let folder = out ?? "Reports/comparisons/\(RunClock.folderName())"
        if isStored { return try compareStored(tolerances, folder) }
        let suite = try suite.map(SuiteLibrary.suite)
        let datasets = try (datasets.isEmpty ? suite?.datasets ?? [] : datasets).map {
            try DatasetLoader().labelled($0)
        }
        let configuration = try resolve(datasets, suite, tolerances)
        try configuration.validate()
        let records = try RunFolder.create(folder, configuration)
        let (other, plant) = (againstBinary, plant)
        let interruption = Signals.interruption()
        let site = try MeasuringSite(
            for: configuration.variants,
            in: folder,
            given: backEnd.given,
            interruption: interruption
        )
        defer { site.end() }
        let run = ComparisonRun(
            configuration: configuration,
            setup: site.setup(datasets, in: records),
            worker: { side, variant in
                let environment = site.environment(of: variant)
                let (program, fault) = side == .a || side == .control ? (other, nil) : (nil, plant)
                return WorkerOptions.launch(variant, in: environment, program: program, plant: fault)
            }
        )
        do {
            try await OwnThread.run { try run.run() }
            let report = run.report()
            try write(report, datasets, folder)
            throw ExitCode(report.exitCode)
        } catch HarnessError.workerNeverReady(let variant, let starts, let last) where other != nil {
            throw HarnessError.unavailable(
                variant: variant,
                reason:
                    "its worker ended before it was ready, \(starts) times in a row (\(last)); if it is the worker of "
                    + "\(other ?? ""), that build uses an incompatible worker protocol: compare its stored run instead"
            )
        } catch let error as HarnessError {
            // Earlier readings are compared all the same; a variant that cannot run has none.
            if !records.records().isEmpty { try? write(run.report(), datasets, folder) }
            throw error
        }
    }

    private func resolve(
        _ datasets: [Dataset],
        _ suite: Suite?,
        _ tolerances: ComparisonTolerances
    ) throws -> ComparisonConfiguration {
        if let againstBinary, !FileManager.default.isExecutableFile(atPath: againstBinary) {
            throw HarnessError.configuration(
                "invalid --against-binary \(againstBinary): expected an executable program"
            )
        }
        let known = try readers.variants() + (suite?.variants.map { try ComposedVariant($0) } ?? [])
        let variants = try ordered.map { try ComposedVariant($0, known: known) }
        for variant in variants { try variant.settings.check(variant.name) }
        let records = try variants.map { try $0.record() }
        let (a, b) = (records[0], records[againstBinary == nil ? 1 : 0])
        var comparison = ComparisonConfiguration(
            tool: ProgramVersion.tool,
            datasets: datasets.map(DatasetReference.init),
            a: a,
            b: b
        )
        comparison.codeDigest = RunCommand.codeDigest
        comparison.others = records.count > 2 ? Array(records.dropFirst(2)) : nil
        if let againstBinary {
            comparison.otherCodeDigest = RunCommand.digest(ofProgram: againstBinary)
            comparison.nameA = "\(a.name) of \(againstBinary)"
            comparison.nameB = "\(b.name) of this build"
        }
        comparison.rounds = rounds
        comparison.seed = seed
        comparison.sampleTimeoutSeconds = timeout
        comparison.limit = limit
        comparison.measuresNoise = !noNoiseFloor
        comparison.tolerances = noNoiseFloor ? tolerances.exactOnly : tolerances
        return comparison
    }

    private func compareStored(_ tolerances: ComparisonTolerances, _ folder: String) throws {
        let runs = try ordered.map { try RunContents.scored($0, datasets: datasets) }
        let report = try ComparisonReport(
            runs,
            measurement: measurement,
            tool: ProgramVersion.tool,
            tolerances: tolerances
        )
        guard !FileManager.default.fileExists(atPath: "\(folder)/\(ComparisonReports.Name.json)") else {
            throw HarnessError.runFolder(
                path: folder,
                problem: "already contains a comparison; specify another folder with --out"
            )
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(report, runs[runs.count - 1].datasets, folder)
        throw ExitCode(report.exitCode)
    }

    private func write(_ report: ComparisonReport, _ datasets: [Dataset], _ folder: String) throws {
        var report = report
        if against != nil { report.kind = .change }
        try ComparisonReports(report, datasets: datasets).write(to: folder)
        let runs = isStored ? sides.flatMap(OutputFile.files(ofRun:)) : []
        try exports.write(CheckReport(report), over: datasets.flatMap(\.files) + runs)
        print(ComparisonSummary(report: report, folder: folder).text)
    }
}
