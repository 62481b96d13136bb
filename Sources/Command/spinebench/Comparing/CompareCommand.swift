import ArgumentParser
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Reports
import Results
import SpineDatasets
import SpineReaders

struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Says what becomes better or worse from A to B: two variants, two builds, or two stored runs.",
        discussion: """
            For example:

              spinebench compare fast accurate --dataset Datasets/spines-1
              spinebench compare fast --against-binary old/spinebench --dataset Datasets/spines-1
              spinebench compare Reports/runs/20260301T120000Z Reports/runs/20260302T120000Z

            Variants are measured now: processes of A, of B and of A once more are resident together and read the same \
            spines in turns, and are started afresh every \(ComparisonPlan.stintLength) spines. A against A says how much this machine makes a \
            system differ from itself: a row whose noise exceeds what it is to detect does not gate changes below it, and says so. With \
            --against-binary, A is the variant of the other program and B that of this one. \
            Stored runs were taken at different times: their latencies and memory are shown and do not gate.

            A row is worse when its whole 95 % interval is on the bad side of 0, and the change exceeds both what --gate \
            accepts and the noise. What --gate accepts by default: latency=5%, p95=10%, title-read=2 (points), memory=5% \
            and memory=10MB, of which both have to be exceeded. Others gate when they are named: \(Metric.compared.map(\.id).joined(separator: ", ")).

            comparison.md in the folder of --out is fit for a pull request; comparison.html shows the spines that flipped; \
            comparison.json and flips.csv hold the figures.

            Exit codes: 0 no regression, 1 a regression, 2 wrong usage or dataset, 3 accuracy, speed or memory could not be \
            judged, 4 a variant cannot run on this machine, 130 and 143 stopped by a signal.
            """
    )

    @Argument(help: .value("a b", "Two variants, two folders of runs, or one variant with --against-binary."))
    var sides: [String]

    @Option(help: .value("path", "Another build of this program; A is its variant."))
    var againstBinary: String?

    @Option(name: .customLong("dataset"), help: .value("dir", "A dataset's folder; may be repeated."))
    var datasets: [String] = []

    @Option(help: "How often each side reads each spine.")
    var rounds: Int = 2

    @Option(help: .value("n", "Read only so many spines, the categories taking turns. (default: all)"))
    var limit: Int?

    @Option(help: .value("n", "What the orders of the spines are drawn from."))
    var seed: UInt64 = 1

    @Option(help: .value("seconds", "Give a reading up after this long."))
    var timeout: Double = 30

    @Option(help: .value("gates", "What is accepted: latency=5%,p95=10%,title-read=2,memory=off."))
    var gate: String = ""

    @Flag(help: "Do not measure A against A; latency and memory then do not gate.")
    var noNoiseFloor = false

    @Option(help: .value("id", "Of stored runs: which measurement. (default: those that both have)"))
    var measurement: String?

    @OptionGroup var backEnd: GivenBackEndOptions

    @Option(help: .value("dir", "The comparison's folder. (default: Reports/comparisons/<UTC time>)"))
    var out: String?

    @Option(help: .hidden)
    var plant: PlantedFault?

    @OptionGroup(title: "For CI")
    var exports: ExportOptions

    /// Whether the sides are folders of runs.
    private var isStored: Bool {
        againstBinary == nil && sides.allSatisfy { FileManager.default.fileExists(atPath: "\($0)/config.json") }
    }

    func validate() throws {
        if againstBinary != nil {
            guard sides.count == 1 else {
                throw ValidationError(
                    "With --against-binary name one variant: spinebench compare fast --against-binary PATH"
                )
            }
        } else if sides.count != 2 {
            throw ValidationError("Name two sides: spinebench compare fast accurate --dataset DIR")
        }
        if !isStored && datasets.isEmpty {
            throw ValidationError(
                "Say what to read: --dataset DIR. (To compare stored runs, name two folders that hold a config.json.)"
            )
        }
    }

    func run() async throws {
        let tolerances = try ComparisonTolerances.parse(gate)
        let folder = out ?? "Reports/comparisons/\(RunClock.folderName())"
        if isStored { return try compareStored(tolerances, folder) }
        let datasets = try datasets.map { try RunCommand.load($0) }
        let configuration = try resolve(datasets, tolerances)
        try configuration.validate()
        let records = try RunFolder.create(folder, configuration)
        if [configuration.a, configuration.b].contains(where: CompileCache.networks.holds),
            let notice = Installation.firstRunNotice
        {
            Console.standardError(notice)
        }
        let interruption = Signals.interruption()
        let (display, other, plant) = (ProgressDisplay(), againstBinary, plant)
        let variants = try [configuration.a, configuration.b].map { try ComposedVariant($0) }
        let stage = try ScanStage(for: variants, in: folder, given: backEnd.given, interruption: interruption)
        defer { stage.end() }
        let run = ComparisonRun(
            configuration: configuration,
            setup: RunSetup(
                datasets: datasets,
                folder: records,
                cache: .networks,
                judge: stage.judge,
                interruption: interruption,
                progress: { display.show($0) }
            ),
            worker: { side, variant in
                let environment = stage.environment(of: variant)
                let (program, fault) = side == .b ? (nil, plant) : (other, nil)
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
                    "its worker ended before it was ready, \(starts) times in a row (\(last)); if that is the one of "
                    + "\(other ?? ""), that build's workers do not speak this build's protocol: compare its stored run instead"
            )
        } catch let error as HarnessError {
            // Earlier readings are compared all the same; a variant that cannot run has none.
            if !records.records().isEmpty { try? write(run.report(), datasets, folder) }
            throw error
        }
    }

    private func resolve(_ datasets: [Dataset], _ tolerances: ComparisonTolerances) throws -> ComparisonConfiguration {
        if let againstBinary, !FileManager.default.isExecutableFile(atPath: againstBinary) {
            throw HarnessError.configuration("--against-binary \(againstBinary) is no program that can be started")
        }
        let variants = try sides.map { try ComposedVariant($0) }
        guard let first = variants.first, let last = variants.last else {
            throw HarnessError.configuration("there is nothing to compare; name a variant at least")
        }
        for variant in variants { try variant.settings.check(variant.name) }
        let (a, b) = (try first.record(), try last.record())
        var comparison = ComparisonConfiguration(
            tool: ProgramVersion.tool,
            datasets: datasets.map(DatasetReference.init),
            a: a,
            b: b
        )
        comparison.codeDigest = RunOptions.codeDigest
        if let againstBinary {
            comparison.otherCodeDigest = RunOptions.digest(ofProgram: againstBinary)
            comparison.nameA = "\(a.name) of \(againstBinary)"
            comparison.nameB = "\(b.name) of this build"
        }
        comparison.rounds = rounds
        comparison.seed = seed
        comparison.sampleTimeoutSeconds = timeout
        comparison.limit = limit
        comparison.measuresNoise = !noNoiseFloor
        comparison.tolerances = noNoiseFloor ? tolerances.accuracyOnly : tolerances
        return comparison
    }

    private func compareStored(_ tolerances: ComparisonTolerances, _ folder: String) throws {
        let runs = try sides.map { try RunContents.scored($0, datasets: datasets) }
        let report = try ComparisonReport(
            runs[0],
            runs[1],
            measurement: measurement,
            tool: ProgramVersion.tool,
            tolerances: tolerances
        )
        guard !FileManager.default.fileExists(atPath: "\(folder)/\(ComparisonReports.Name.json)") else {
            throw HarnessError.runFolder(
                path: folder,
                problem: "holds a comparison already; name another folder with --out"
            )
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(report, runs[1].datasets, folder)
        throw ExitCode(report.exitCode)
    }

    private func write(_ report: ComparisonReport, _ datasets: [Dataset], _ folder: String) throws {
        try ComparisonReports(report, datasets: datasets).write(to: folder)
        let runs = isStored ? sides.flatMap(OutputFile.files(ofRun:)) : []
        try exports.write(CheckReport(report), over: datasets.flatMap(\.files) + runs)
        print(ComparisonSummary(report: report, folder: folder).text)
    }
}
