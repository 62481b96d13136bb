import ArgumentParser
import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Reports
import SpineDatasets

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Benchmark variants on a dataset and check the targets.",
        discussion: """
            For example:

              spinebench run --dataset Datasets/spines-1
              spinebench run --dataset Datasets/spines-1 --variants fast,threads=1 --repetitions 10
              spinebench run --dataset Datasets/spines-1 --variants fast --system "mine=python3 reader.py"
              spinebench run --suite smoke
              spinebench run --suite smoke --plan
              spinebench run --dataset Datasets/spines-1 --variants fast --scenario server:rate=5,seconds=60
              spinebench run --resume Reports/runs/20260301T120000Z
              spinebench run --dataset Datasets/spines-1 --part 2/7 --out parts/2

            The dataset is checked first; 'spinebench dataset validate --help' shows its format. Each variant then works in \
            its own process. A spine that crashes it, or exceeds --timeout, fails alone. Every \
            reading is saved at once: --resume continues a stopped run.

            --plan prints what will be measured, for how long, and how many readings decide each target (make tools).

            Limits in milliseconds are those of phones: the devices of --devices decide them, modelled from the readings here, and the \
            table says so. --gate-devices none leaves the model out of the verdict.

            The verdict, its evidence and the method are in report.html and report.md in the run's folder; figures.csv, \
            samples.csv and report.json contain the figures, those of modelled devices too.

            Before the measurement, a process of each variant compiles the networks that are not cached yet, so figures do not \
            depend on the order of compilation.

            --part reads one part of the samples; 'spinebench merge' makes one run of all parts. Samples of one photo stay \
            together. The same command again continues an interrupted part, and does nothing for a finished one. A part has no \
            verdict: it exits with 0 when it is finished, with 2 where a retry cannot help, and with 4 or by a signal where it may.

            Exit codes: 0 all targets of the gating variants met, or none gates and every measurement is valid, 1 a target missed, 2 invalid usage or dataset, 3 not enough data to \
            decide, 4 a variant cannot run on this machine or reads nothing, 130 and 143 stopped by a signal: --resume continues. A signal while reports \
            are written lets them finish, with the code of their verdict; a second signal ends the program at once.
            """
    )

    @Option(help: "Built-in suite ('spinebench suites') or suite file. Other options override it.")
    var suite: String?

    @Option(
        name: .customLong("dataset"),
        help: .value("dir", "Dataset folder (repeatable).")
    )
    var datasets: [String] = []

    @Option(
        help: """
            Variants to run, separated by commas; a setting follows its variant: fast,threads=1,accurate. \
            (default: \(Self.standardVariants.joined(separator: ",")), and for datasets with only shelves \
            \(Self.standardShelfVariants.joined(separator: ",")))
            """
    )
    var variants: NameList?

    @OptionGroup var readers: ReaderOptions

    @Option(
        name: .customLong("scenario"),
        help: "Load scenario: \(Scenario.examples) (repeatable). (default: single)"
    )
    var scenarios: [String] = []

    @Option(help: "Number of times that each variant reads each spine. (default: 3)")
    var repetitions: Int?

    @Option(help: "Number of uncounted warm-up readings. (default: 3)")
    var warmup: Int?

    @Option(help: .value("n,n", "Random seed of the orders of spines. (default: 1)"))
    var seeds: NumberList?

    @Option(help: .value("seconds", "Timeout of a reading. (default: 30)"))
    var timeout: Double?

    @Option(help: .value("n", "Maximum number of spines, the categories taking turns. (default: all)"))
    var limit: Int?

    @Option(
        help: .value(
            "variants",
            "Gating variants, whose targets decide the verdict. (default: \(Self.gatingVariants.joined(separator: ",")), as far "
                + "as they run)"
        )
    )
    var gate: NameList?

    @Option(help: .value("how", "Percentile method: nearest-rank or seed. (default: nearest-rank)"))
    var percentile: PercentileMethod?

    @Option(
        help: .value(
            "rule",
            "Compare targets with the figure (point) or with its whole interval (interval). (default: point)"
        )
    )
    var decideBy: DecisionRule?

    @OptionGroup var backEnd: BackEndOverrideOptions

    @Option(help: .hidden)
    var plant: PlantedFault?

    @Option(
        help: .value(
            "names",
            "Devices on which every tier is modelled, separated by commas; all, or none. (default: "
                + "\(DeviceAssessment.seedMatrix.map(\.device).joined(separator: ", ")))"
        )
    )
    var devices: NameList?

    @OptionGroup var profiles: DeviceOptions

    @Option(
        defaultAsFlag: .all,
        help: .value(
            "what",
            "Targets that modelled devices decide: latency (limits in milliseconds of phones), all (battery and memory, too; also "
                + "without a value), or none. (default: latency)"
        )
    )
    var gateDevices: DeviceSelection.Gating?

    @Option(help: .value("dir", "Output folder of the run. (default: Reports/runs/<UTC time>)"))
    var out: String?

    @Option(help: .value("run", "Use the settings of an earlier run: its folder or report.json."))
    var like: String?

    @Flag(help: "Print what will be measured, how long it takes and how many readings decide; measure nothing.")
    var plan = false

    @Option(help: .value("dir", "Continue the run in this folder, with its settings."))
    var resume: String?

    @Option(
        help: .value(
            "k/n",
            "Read one part of the samples, numbered from 1; requires --out."
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
            (suite != nil && resume != nil, "--resume uses the run's own suite: remove --suite."),
            (!readers.systems.isEmpty && resume != nil, "--resume uses the run's own systems: remove --system."),
            (out != nil && resume != nil, "--resume uses the run's own folder: remove --out."),
            (part != nil && resume != nil, "Repeating a part's command continues it: remove --resume."),
            (part != nil && out == nil, "--part requires --out, the output folder of the part."),
            (out?.isEmpty == true, "Invalid --out '': expected a folder."),
        ])
    }

    func run() async throws {
        if let part { return try await run(part, out ?? "") }
        if plan { return try printPlan() }
        let (folder, configuration, datasets, interruption) = try prepare()
        let profiles = profiles
        do {
            let devices = try await Self.unlessStopped(interruption) {
                try await OwnThread.run { try DeviceStage(for: configuration, profiles: profiles) }
            }
            try await withRun(configuration, datasets, folder, interruption) { run in
                var contents: RunContents
                do {
                    try await OwnThread.run { try run.run() }
                    let measured = RunContents(try run.result(), in: folder, datasets: datasets)
                    contents = try await Self.unlessStopped(interruption) {
                        try await devices?.assessed(measured, in: folder.path) ?? measured
                    }
                } catch let error as HarnessError {
                    _ = try? report(RunContents(try run.result(), in: folder, datasets: datasets), folder)
                    throw error
                }
                try report(contents, folder)
                throw ExitCode(contents.result.exitCode)
            }
        } catch let error as HarnessError {
            if interruption.signal != nil || !folder.records().isEmpty {
                Console.standardError("Readings are saved. Continue with: spinebench run --resume \(folder.path)")
            }
            throw error
        }
    }

    /// Continues as the program that prints plans.
    private func printPlan() throws {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: "spinebench-plan-\(UUID().uuidString).json")
        try Data(JSONFile.bytes(try configured { try DatasetLoader().labelled($0) }.0)).write(to: file)
        let runs = URL(filePath: out ?? "Reports/runs/x").deletingLastPathComponent().relativePath
        Console.error(Companion.tools.take(over: ["plan", file.path, "--runs", runs]))
        try? FileManager.default.removeItem(at: file)
        throw ExitCode(ExitStatus.environment.code)
    }

    /// Reads one part of a run, or the rest of it.
    private func run(_ part: Part, _ path: String) async throws {
        let (configuration, datasets) = try configured { try DatasetLoader(lookingAt: .read(part)).labelled($0) }
        try configuration.validateForParts()
        let interruption = Signals.interruption()
        let folder = try RunFolder.begin(part, of: configuration, at: path)
        if folder.recordedEvents().last?.kind == .runFinished {
            return print("Part \(part) is finished, in \(path): nothing to do.")
        }
        do {
            try await withRun(configuration, datasets, folder, interruption, part: part) { run in
                try await OwnThread.run { try run.run() }
                guard run.unreadCount == 0 else {
                    throw HarnessError.runFolder(
                        path: path,
                        problem:
                            "\(NumberText.count(run.unreadCount, "reading")) of part \(part) were not made; see the reason above"
                    )
                }
            }
        } catch let error as HarnessError {
            Console.standardError("Readings are saved in \(path). The same command continues the part.")
            throw error
        }
        print(
            """
            Part \(part) is finished: \(NumberText.count(folder.records().count, "reading")), in \(path).
            Next:   when all \(part.count) parts are finished, spinebench merge DIRS --out DIR
            """
        )
    }

    /// Calls `body` with a run, and with the back ends that it needs beside it.
    private func withRun(
        _ configuration: RunConfiguration,
        _ datasets: [Dataset],
        _ folder: RunFolder,
        _ interruption: Interruption,
        part: Part? = nil,
        _ body: (BenchmarkRun) async throws -> Void
    ) async throws {
        for dataset in datasets { Console.standardError(DatasetText.summary(dataset)) }
        if Console.isInteractive, Companion.tools.problem == nil {
            Console.standardError("Watch it: spinebench watch \(folder.path)")
        }
        let stage = try ScanStage(
            for: configuration.variants,
            in: folder.path,
            given: backEnd.given,
            interruption: interruption
        )
        defer { stage.end() }
        let plant = plant
        let run = BenchmarkRun(
            configuration: configuration,
            setup: stage.setup(datasets, in: folder, part: part),
            worker: { WorkerOptions.launch($0, in: stage.environment(of: $0), plant: plant) }
        )
        try await body(run)
    }

    private func report(_ contents: RunContents, _ folder: RunFolder) throws {
        guard contents.result.measurements.contains(where: { !$0.outcomes.isEmpty }) else { return }
        try RunReports(contents).write(to: folder.path)
        print(RunSummary(result: contents.result, folder: folder.path, run: folder.path).shown)
    }

    /// Checks everything and makes or opens the run's folder; from then on, a signal leaves a run that can be resumed.
    private func prepare() throws -> (RunFolder, RunConfiguration, [Dataset], Interruption) {
        guard let resume else {
            let (configuration, datasets) = try configured { try DatasetLoader().labelled($0) }
            let path = out ?? "Reports/runs/\(RunClock.folderName())"
            let interruption = Signals.interruption()
            return (try RunFolder.create(path, configuration), configuration, datasets, interruption)
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
        let configuration = try RunOptions(self).configuration(datasets, over: stored)
        guard try configuration.digest == stored.digest else {
            throw HarnessError.resumeMismatch(path: resume, differences: configuration.differences(from: stored))
        }
        return (folder, configuration, datasets, Signals.interruption())
    }

    private func configured(_ load: (String) throws -> Dataset) throws -> (RunConfiguration, [Dataset]) {
        let suite = try suite.map(SuiteLibrary.suite)
        let stored = try like.map(RunFolder.configuration)
        let named = datasets.isEmpty ? suite?.datasets ?? stored?.datasets.map(\.path) ?? [] : datasets
        guard !named.isEmpty else {
            throw HarnessError.configuration("the suite has no dataset; specify --dataset DIR")
        }
        let datasets = try named.map(load)
        let configuration = try RunOptions(self).configuration(datasets, suite: suite, over: stored)
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

    /// Returns the result of `work`; a signal ends the wait at once.
    private static func unlessStopped<Value: Sendable>(
        _ interruption: Interruption,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (outcomes, sender) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        let task = Task {
            do { sender.yield(.success(try await work())) } catch { sender.yield(.failure(error)) }
        }
        interruption.onStop {
            sender.yield(.failure(HarnessError.interrupted(signal: interruption.signal ?? SIGTERM)))
            task.cancel()
        }
        defer { interruption.onStop(nil) }
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }
}

extension DeviceSelection.Gating: ExpressibleByArgument {}
