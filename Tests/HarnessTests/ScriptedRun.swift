import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Run in a separate folder.
struct ScriptedRun {
    let folder: TemporaryFolder
    let dataset: Dataset
    var configuration: RunConfiguration
    var behaviour: [String: String]
    let progress = Collected<RunProgress>()
    /// Clock moved by the test alone: on a slow machine, no worker counts as hanging.
    let deadlines = ManualDeadlines()

    init(
        _ samples: [Sample],
        variants: [String: String],
        scenario: Scenario = Scenario(kind: .single),
        repetitions: Int = 2
    ) throws {
        folder = try TemporaryFolder()
        dataset = .made(samples)
        behaviour = variants
        configuration = RunConfiguration(
            tool: "test",
            datasets: [DatasetReference(dataset)],
            variants: variants.keys.sorted().map { Variant(name: $0) },
            scenarios: [scenario],
            repetitions: repetitions,
            warmUpReadings: 2
        )
    }

    var path: String { folder.path + "/run" }

    func start(
        in runFolder: RunFolder,
        interruption: Interruption = Interruption(),
        cache: CompileCache = .none,
        watch: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) throws -> RunResult {
        let worker = try worker()
        let run = BenchmarkRun(
            configuration: configuration,
            setup: setup(runFolder, interruption, cache, watch),
            worker: { worker($0.name) }
        )
        try run.run()
        return try run.result()
    }

    /// Compares the first variant with the second.
    func compare(
        interruption: Interruption = Interruption(),
        watch: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) throws -> (records: [SampleRecord], events: [RunEvent]) {
        let worker = try worker()
        var comparison = ComparisonConfiguration(
            tool: "test",
            datasets: configuration.datasets,
            a: configuration.variants[0],
            b: configuration.variants[1]
        )
        (comparison.rounds, comparison.measuresNoise) = (configuration.repetitions, false)
        let folder = try RunFolder.create(path, comparison)
        let run = ComparisonRun(
            configuration: comparison,
            setup: setup(folder, interruption, .none, watch),
            worker: { worker($1.name) }
        )
        try run.run()
        return (folder.records(), folder.recordedEvents())
    }

    private func setup(
        _ runFolder: RunFolder,
        _ interruption: Interruption,
        _ cache: CompileCache,
        _ watch: @escaping @Sendable (RunProgress) -> Void
    ) -> RunSetup {
        RunSetup(
            datasets: [dataset],
            folder: runFolder,
            cache: cache,
            interruption: interruption,
            clock: deadlines.clock,
            progress: { [progress] in
                progress.add($0)
                watch($0)
            }
        )
    }

    /// The launch of the worker of a variant, by its name.
    private func worker() throws -> @Sendable (String) -> WorkerLaunch {
        let script = try #require(Bundle.module.path(forResource: "Fixtures/worker", ofType: "sh"))
        return { [behaviour, state = folder.path] name in
            WorkerLaunch(
                executable: "/bin/sh",
                arguments: [script, behaviour[name] ?? "", "\(state)/\(name).state"]
            )
        }
    }

    /// Calls `act` when a worker has reported that it hangs, and the harness waits for its next message.
    func whenAWorkerHangs(_ act: @escaping @Sendable (ManualDeadlines) -> Void) {
        let (events, deadlines) = (path + "/events.jsonl", deadlines)
        Thread.detachNewThread {
            let isTold = { (try? String(contentsOfFile: events, encoding: .utf8))?.contains("now it hangs") == true }
            while !(isTold() && deadlines.isWaitedFor) { usleep(2_000) }
            act(deadlines)
        }
    }

    func run() throws -> (result: RunResult, folder: RunFolder) {
        let runFolder = try RunFolder.create(path, configuration)
        return (try start(in: runFolder), runFolder)
    }
}

func spines(_ count: Int, victim: Int? = nil) -> [Sample] {
    (0..<count).map { Sample.made($0 == victim ? "victim" : "spine\($0)", SampleCategory.allCases[$0 % 5]) }
}

func expectEveryReadingOnce(_ records: [SampleRecord], _ setup: ScriptedRun) {
    let expected =
        setup.configuration.variants.count * setup.configuration.repetitions * setup.dataset.samples.count
    #expect(records.count == expected)
    #expect(Set(records.map(\.key)).count == expected)
}
