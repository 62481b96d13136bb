import ArgumentParser
import Basics
import CommandSupport
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets
import Systems

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Benchmark variants on a dataset and check the targets.",
        discussion: """
            Examples:

              spinebench run --dataset Datasets/spines-1 --variants fast,threads=1
              spinebench run --suite smoke --plan
              spinebench run --resume Reports/runs/20260301T120000Z

            Writes report.html, report.md and the figures into the run's folder. Manual: Docs/MEASURING.md, of \
            parts: Docs/MANY-MACHINES.md. Exit codes: Docs/MEASURING.md#exit-codes.
            """
    )

    @Option(help: "Suite ('spinebench suites') or suite file; other options override it.")
    var suite: String?

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "Dataset folder (repeatable).")
    )
    var datasets: [String] = []

    @Option(
        help: """
            Variants with settings, such as fast,threads=1,accurate. \
            (default: \(Self.standardVariants.joined(separator: ",")), for shelves alone \
            \(Self.standardShelfVariants.joined(separator: ",")))
            """
    )
    var variants: NameList?

    @OptionGroup var readers: ReaderOptions

    @Option(
        name: .customLong("scenario"),
        help: "Scenario (repeatable): \(Scenario.examples). (default: single)"
    )
    var scenarios: [String] = []

    @Option(help: "Readings of each spine by each variant. (default: 3)")
    var repetitions: Int?

    @Option(help: "Uncounted warm-up readings. (default: 3)")
    var warmup: Int?

    @Option(help: .value("n,n", "Random seeds of the spines' order. (default: 1)"))
    var seeds: NumberList?

    @Option(help: .value("seconds", "Timeout of a reading. (default: 30)"))
    var timeout: Double?

    @Option(help: .value("n", "Maximum spines, the categories taking turns. (default: all)"))
    var limit: Int?

    @Option(
        help: .value(
            "variants",
            "Variants whose targets decide the verdict. (default: \(Self.gatingVariants.joined(separator: ",")), as far "
                + "as they run; without one, variants made of them)"
        )
    )
    var gate: NameList?

    @Option(help: .value("how", "Percentile method. (default: nearest-rank)"))
    var percentile: PercentileMethod?

    @Option(
        help: .value(
            "rule",
            "Compare targets with the figure or its whole interval. (default: point)"
        )
    )
    var decideBy: DecisionRule?

    @OptionGroup var backEnd: BackEndOverrideOptions

    @Option(help: .hidden)
    var plant: InjectedFault?

    @Option(
        help: .value(
            "names",
            "Modelled devices, separated by commas; all or none. (default: "
                + "\(DeviceAssessment.seedMatrix.map(\.device).joined(separator: ", ")))"
        )
    )
    var devices: NameList?

    @OptionGroup var profiles: DeviceOptions

    @Option(
        defaultAsFlag: .all,
        help: .value(
            "what",
            "Targets that modelled devices decide; all includes battery and memory. (default: latency)"
        )
    )
    var gateDevices: DeviceSelection.Gating?

    @Option(help: .value("dir", "Output folder. (default: Reports/runs/<UTC time>)"))
    var out: String?

    @Option(help: .value("run", "Run (folder or report.json) whose settings are used."))
    var like: String?

    @Flag(help: "Print readings, time and how many decide; measure nothing (make tools).")
    var plan = false

    @Option(help: .value("dir", "Continue the run in this folder."))
    var resume: String?

    @Option(
        help: .value(
            "k/n",
            "Read one part, numbered from 1; requires --out."
        )
    )
    var part: Part?

    func validate() throws {
        try refuse([
            (
                datasets.isEmpty && suite == nil && resume == nil && like == nil,
                "Specify --dataset DIR, --suite NAME, --like RUN or --resume DIR."
            ),
            (like != nil && (suite ?? resume) != nil, "--like uses the settings of a run: remove --suite or --resume."),
            (plan && (resume != nil || part != nil), "--plan is of a whole run: remove --resume or --part."),
            (
                resume != nil && ((suite ?? out) != nil || !readers.systems.isEmpty),
                "--resume uses the run's own suite, systems and folder: remove --suite, --system and --out."
            ),
            (part != nil && resume != nil, "Repeating a part's command continues it: remove --resume."),
            (part != nil && out == nil, "--part requires --out, the output folder of the part."),
            (out?.isEmpty == true, "Invalid --out '': expected a folder."),
        ])
    }

    func run() async throws {
        if plan { return try printPlan() }
        let (folder, configuration, datasets, interruption) = try prepare()
        if let part, folder.recordedEvents().last?.kind == .runFinished {
            return print("Part \(part) is finished, in \(folder.path): nothing to do.")
        }
        do {
            try await measure(configuration, datasets, folder, interruption)
        } catch let error as HarnessError {
            if part != nil {
                Console.standardError("Readings are saved in \(folder.path). The same command continues the part.")
            } else if interruption.signal != nil || !folder.records().isEmpty {
                Console.standardError("Readings are saved. Continue with: spinebench run --resume \(folder.path)")
            }
            throw error
        }
    }

    private func measure(
        _ configuration: RunConfiguration,
        _ datasets: [Dataset],
        _ folder: RunFolder,
        _ interruption: Interruption
    ) async throws {
        let (profiles, plant) = (profiles, plant)
        let devices = try await OwnThread.run { try DeviceStage(for: configuration, profiles: profiles) }
        for dataset in datasets { Console.standardError(DatasetText.summary(dataset)) }
        if Console.isInteractive, Companion.problem == nil {
            Console.standardError("Watch it: spinebench watch \(folder.path)")
        }
        let site = try MeasuringSite(
            for: configuration.variants,
            in: folder.path,
            given: backEnd.given,
            interruption: interruption
        )
        defer { site.end() }
        let run = BenchmarkRun(
            configuration: configuration,
            setup: site.setup(datasets, in: folder, part: part),
            worker: { WorkerOptions.launch($0, in: site.environment(of: $0), plant: plant) }
        )
        if let part {
            try await OwnThread.run { try run.run() }
            return try finish(part, unread: run.unreadCount, folder)
        }
        var contents: RunContents
        do {
            try await OwnThread.run { try run.run() }
            contents = RunContents(try run.result(), in: folder, datasets: datasets)
            contents = try await devices?.assessed(contents, in: folder.path) ?? contents
        } catch let error as HarnessError {
            _ = try? report(RunContents(try run.result(), in: folder, datasets: datasets), folder)
            throw error
        }
        try report(contents, folder)
        throw ExitCode(contents.result.exitCode)
    }

    private func finish(_ part: Part, unread: Int, _ folder: RunFolder) throws {
        guard unread == 0 else {
            let problem = "\(NumberText.count(unread, "reading")) of part \(part) were not made; see the reason above"
            throw HarnessError.runFolder(path: folder.path, problem: problem)
        }
        print(
            """
            Part \(part) is finished: \(NumberText.count(folder.records().count, "reading")), in \(folder.path).
            Next:   when all \(part.count) parts are finished, spinebench merge DIRS --out DIR
            """.typed
        )
    }

    /// Continues as the program that prints plans.
    private func printPlan() throws {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: "spinebench-plan-\(UUID().uuidString).json")
        try Data(JSONFile.bytes(configured(.all).0)).write(to: file)
        let runs = URL(filePath: out ?? "Reports/runs/x").deletingLastPathComponent().relativePath
        Console.error(Companion.runInstead(["plan", file.path, "--runs", runs]))
        try? FileManager.default.removeItem(at: file)
        throw ExitCode(ExitStatus.environment.code)
    }

    private func report(_ contents: RunContents, _ folder: RunFolder) throws {
        guard contents.result.measurements.contains(where: { !$0.outcomes.isEmpty }) else { return }
        try RunReports(contents).write(to: folder.path)
        print(RunSummary(result: contents.result, folder: folder.path, run: folder.path).shown)
    }

    /// Checks everything and makes or opens the run's folder; from then on, a signal leaves a run that can be resumed.
    private func prepare() throws -> (RunFolder, RunConfiguration, [Dataset], Interruption) {
        guard let resume else {
            let (configuration, datasets) = try configured(part.map { .read($0) } ?? .all)
            if part != nil { try configuration.validateForParts() }
            let interruption = Signals.interruption()
            let path = out ?? "Reports/runs/\(RunClock.folderName())"
            let folder =
                try part.map { try RunFolder.begin($0, of: configuration, at: path) }
                ?? RunFolder.create(path, configuration)
            return (folder, configuration, datasets, interruption)
        }
        if let part = try RunFolder.part(in: resume) {
            throw HarnessError.runFolder(
                path: resume,
                problem: "is part \(part): repeat its command, with --part \(part)"
            )
        }
        let (folder, stored) = try RunFolder.open(resume)
        guard stored.variants.allSatisfy({ $0.origin == nil }) else {
            throw HarnessError.runFolder(path: resume, problem: "has readings made elsewhere: score their files again")
        }
        let datasets = try (datasets.isEmpty ? stored.datasets.map(\.path) : datasets).map {
            try DatasetLoader().labelled($0)
        }
        let configuration = try configuration(datasets, over: stored)
        guard try configuration.digest == stored.digest else {
            throw HarnessError.resumeMismatch(path: resume, differences: configuration.differences(from: stored))
        }
        return (folder, configuration, datasets, Signals.interruption())
    }

    private func configured(_ scope: DatasetLoader.Pictures) throws -> (RunConfiguration, [Dataset]) {
        let suite = try suite.map(SuiteLibrary.suite)
        let stored = try like.map(RunFolder.configuration)
        let named = datasets.isEmpty ? suite?.datasets ?? stored?.datasets.map(\.path) ?? [] : datasets
        guard !named.isEmpty else {
            throw HarnessError.configuration("the suite has no dataset; specify --dataset DIR")
        }
        let datasets = try named.map { try DatasetLoader(lookingAt: scope).labelled($0) }
        let configuration = try configuration(datasets, suite: suite, over: stored)
        try configuration.validate()
        return (configuration, datasets)
    }

    /// The variants that run unless others are named, in order: the instant tier, the local fallback, and a rival.
    static let standardVariants = ["fast", "accurate", "tesseract"]

    static let standardShelfVariants = ["shelf-fast", "shelf-accurate"]

    /// The ones whose targets decide the verdict unless others are named.
    static let gatingVariants =
        ["fast", "accurate", "enrich", "upload", "talaria-only", "hybrid", "on-device-only"] + standardShelfVariants
        + ["shelf-upload"]
}

extension DeviceSelection.Gating: ExpressibleByArgument {}
