import ArgumentParser
import BenchmarkHarness
import Foundation
import SpineDatasets

/// `spinebench run`.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Reads every spine of a dataset with every tier, and says whether the targets are met.",
        discussion: """
            For example:

              spinebench run --dataset Datasets/spines-1
              spinebench run --dataset Datasets/spines-1 --tiers fast --repetitions 10
              spinebench run --resume Reports/runs/20260301T120000Z

            The dataset is checked first; 'spinebench dataset validate --help' shows its format. Each tier then works in a \
            process of its own. A spine that crashes a tier, or takes longer than --timeout, costs only itself. Every \
            reading is on disk as soon as it is there: a run that was stopped goes on with --resume.

            The verdict, what it rests on and how it was measured are in report.md in the run's folder; report.csv, \
            samples.csv and report.json hold the figures.

            Exit codes: 0 all targets of the gate tiers met, 1 one missed, 2 wrong usage or dataset, 3 not enough to \
            decide, 4 a tier cannot run on this machine, 130 and 143 stopped by a signal.
            """
    )

    @Option(help: ArgumentHelp("The dataset's folder.", valueName: "dir"))
    var dataset: String?

    @Option(
        help: ArgumentHelp(
            "Tiers to run, in order, with commas between: \(TierFactory.tiers.joined(separator: ", ")). (default: all)",
            valueName: "tiers"
        )
    )
    var tiers: NameList?

    @Option(help: "How often each tier reads each spine. (default: 3)")
    var repetitions: Int?

    @Option(help: "Readings to warm up with, not counted. (default: 3)")
    var warmup: Int?

    @Option(help: "What the order of the spines is drawn from. (default: 1)")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Give a reading up after this long. (default: 30)", valueName: "seconds"))
    var timeout: Double?

    @Option(help: ArgumentHelp("Read only so many spines, the categories taking turns. (default: all)", valueName: "n"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Tiers whose targets decide the verdict. (default: \(TierFactory.gateTiers.joined(separator: ",")), as far "
                + "as they run)",
            valueName: "tiers"
        )
    )
    var gateTiers: NameList?

    @Option(help: ArgumentHelp("The run's folder. (default: Reports/runs/<UTC time>)", valueName: "dir"))
    var out: String?

    @Option(help: ArgumentHelp("Go on with the run in this folder, with its settings.", valueName: "dir"))
    var resume: String?

    func validate() throws {
        if dataset == nil && resume == nil {
            throw ValidationError("Say what to read: --dataset DIR, or --resume DIR to go on with a run.")
        }
        if out != nil && resume != nil {
            throw ValidationError("--resume goes on in the run's own folder: leave --out away.")
        }
        let unknown = (tiers?.names ?? []).filter { !TierFactory.tiers.contains($0) }
        if !unknown.isEmpty {
            throw ValidationError(
                "There is no tier \(unknown.joined(separator: ", ")); there are \(TierFactory.tiers.joined(separator: ", "))."
            )
        }
    }

    func run() async throws {
        let (folder, configuration, dataset) = try prepare()
        Console.standardError(DatasetText.summary(dataset))
        if let notice = Installation.firstRunNotice { Console.standardError(notice) }
        let interruption = Interruption()
        let signals = Signals.stop(interruption)
        defer { for source in signals { source.cancel() } }
        let display = ProgressDisplay()
        let run = BenchmarkRun(
            configuration: configuration,
            dataset: dataset,
            folder: folder,
            worker: { WorkerCommand.launch(tier: $0) },
            interruption: interruption,
            progress: { display.show($0) }
        )
        do {
            let result = try await Self.onOwnThread { try run.run() }
            let reports = RunReports(
                result,
                samples: dataset.limited(to: configuration.limit),
                records: folder.records()
            )
            try reports.write(to: folder)
            print(RunSummary(result: result, folder: folder.path).text)
            throw ExitCode(result.exitCode)
        } catch let error as HarnessError {
            Console.standardError(
                "What was read is kept, and there is no report yet. Go on with: spinebench run --resume \(folder.path)"
            )
            throw error
        }
    }

    /// Checks everything and makes or opens the run's folder.
    private func prepare() throws -> (RunFolder, RunConfiguration, Dataset) {
        guard let resume else {
            let dataset = try load(dataset ?? "")
            let configuration = resolve(dataset)
            try configuration.validate()
            try checkTiers(configuration.tiers)
            let path = out ?? "Reports/runs/\(RunClock.folderName())"
            return (try RunFolder.create(path, configuration), configuration, dataset)
        }
        let (folder, stored) = try RunFolder.open(resume)
        let dataset = try load(dataset ?? stored.datasetPath)
        let configuration = resolve(dataset, over: stored)
        guard try configuration.digest == stored.digest else {
            throw HarnessError.resumeMismatch(path: resume, differences: configuration.differences(from: stored))
        }
        try checkTiers(configuration.tiers)
        return (folder, configuration, dataset)
    }

    /// A dataset that has something to read.
    private func load(_ path: String) throws -> Dataset {
        let dataset = try DatasetLoader().load(path)
        guard !dataset.samples.isEmpty else {
            throw HarnessError.configuration(
                "\(path) has \(NumberText.count(dataset.shelves.count, "shelf", plural: "shelves")) and no samples.jsonl; "
                    + "'run' reads pictures of single spines"
            )
        }
        return dataset
    }

    /// Finds out before the first reading that a later tier is missing.
    private func checkTiers(_ tiers: [String]) throws {
        for tier in tiers {
            guard let problem = TierFactory.problem(tier: tier) else { continue }
            let others = tiers.filter { TierFactory.problem(tier: $0) == nil }
            let without = others.isEmpty ? "" : "; or leave it out: --tiers \(others.joined(separator: ","))"
            throw HarnessError.unavailable(tier: tier, reason: problem + without)
        }
    }

    /// The options over those of the run that is resumed, or over the defaults.
    private func resolve(_ dataset: Dataset, over stored: RunConfiguration? = nil) -> RunConfiguration {
        let tiers = tiers?.names ?? stored?.tiers ?? TierFactory.tiers
        return RunConfiguration(
            tool: Self.tool,
            dataset: dataset,
            tiers: tiers,
            gateTiers: gateTiers?.names ?? stored?.gateTiers ?? TierFactory.gateTiers.filter(tiers.contains),
            repetitions: repetitions ?? stored?.repetitions ?? 3,
            warmUpReadings: warmup ?? stored?.warmUpReadings ?? 3,
            seed: seed ?? stored?.seed ?? 1,
            sampleTimeoutSeconds: timeout ?? stored?.sampleTimeoutSeconds ?? 30,
            limit: limit ?? stored?.limit
        )
    }

    /// Program and version; a resumed run has to be of the same.
    private static let tool = "spinebench 0.1.0"

    /// Runs blocking work without holding one of the concurrency runtime's few threads.
    private static func onOwnThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}

/// Names with commas between.
struct NameList: ExpressibleByArgument {
    var names: [String]

    init?(argument: String) {
        names = argument.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
        if names.isEmpty { return nil }
    }
}
