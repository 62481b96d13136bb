public import ArgumentParser
import Basics
import CommandSupport
import Evaluation
import Foundation
import Harness
public import OpenVINOEngine
import ScanningPolicies
import SpineDatasets
import Synchronization
import Systems

struct ModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Measure an ONNX or TensorFlow Lite model against a budget.",
        discussion: """
            Examples:

              spinebench model pose.tflite --budget "Pose Detection"
              spinebench model detector.onnx --budget mine.json --shape x=1,3,96,640

            Inputs are random. A phone's battery is modelled, and gates with --gate-devices. Exit codes: \
            Docs/MEASURING.md#exit-codes.
            """
    )

    @Argument(help: .value("file", "An ONNX or TensorFlow Lite file."))
    var file: String?

    @Option(help: .value("name", "Budget: a name, a JSON file, or 'list'."))
    var budget: String

    @Option(
        name: .customLong("shape"),
        help: .value(
            "input=n,n",
            "Shape of an input with dynamic sizes (repeatable). (default: 1, 224 pixels, 128 steps)"
        )
    )
    var shapes: [ShapeOption] = []

    @Option(help: "Counted warm inferences.")
    var readings = 100

    @Option(help: "Warm-up inferences after the first one.")
    var warmup = 3

    @Option(help: "Processes that load the model; the longest load counts.")
    var loads = 3

    @Option(help: "Threads of an inference.")
    var threads = 2

    @Option(help: "Precision.")
    var precision = InferencePrecision.auto

    @Option(help: "Random seed of the inputs.")
    var seed: UInt64 = 1

    @Option(help: "Percentile method.")
    var percentile = PercentileMethod.nearestRank

    @Option(help: .value("n", "Inferences per second, for the battery. (default: the budget's)"))
    var hertz: Double?

    @Option(help: "Compute unit of the phone, for the battery.")
    var unit = ComputeUnit.neuralEngine

    @Option(help: .value("name", "Phone of the modelled battery. (default: \(PhoneBattery.standard))"))
    var device: String?

    @Flag(name: .customLong("gate-devices"), help: "Also fail when the modelled battery misses the budget.")
    var gatesDevices = false

    @Option(help: .value("seconds", "Timeout of a load, or an inference."))
    var timeout = 600.0

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if file == nil, budget != "list" { throw ValidationError("Specify the model's file.") }
        try range("--readings", readings, 1...1_000_000)
        try range("--warmup", warmup, 0...1_000_000)
        try range("--loads", loads, 1...1_000_000)
        try range("--threads", threads, 1...1_000_000)
        try range("--hertz", hertz, 0.001...10_000)
        try range("--timeout", timeout, 0.001...86_400)
    }

    func run() async throws {
        guard budget != "list", let file else { return print(BudgetFile.list) }
        let budget = try BudgetFile.budget(budget)
        // Checked before a process is started, to reject files that are not models.
        do { _ = try NetworkFormat.of(file) } catch { throw HarnessError.configuration(error.description) }
        let battery = ModelReport.Battery(
            hertz: hertz ?? budget.hertz,
            unit: unit,
            device: try PhoneBattery.device(device),
            gates: gatesDevices
        )
        var request = ModelRequest(path: file, shapes: shapes, threads: threads, precision: precision, seed: seed)
        let warm = try await measure(request, "single", samples: readings)
        request.isWarmed = false
        let cold = try await measure(request, "cold:readings=\(loads)", samples: 1)
        let report = ModelReport(
            file,
            warm: warm,
            cold: cold.records,
            budget: budget,
            battery: battery,
            method: percentile
        )
        print(json ? try JSONText.of(report) : report.text)
        throw ExitCode(report.verdict.exitCode)
    }

    /// Runs the model in a scenario.
    ///
    /// - Throws: `HarnessError.configuration` for a model that cannot be measured, crashes or hangs.
    private func measure(_ request: ModelRequest, _ scenario: String, samples: Int) async throws -> RunFolder.Contents {
        let place = FileManager.default.temporaryDirectory.appending(path: "spinebench-model-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: place) }
        let samples = (0..<samples).map {
            Sample(
                id: "\($0)",
                image: "input",
                category: .vertical,
                title: nil,
                transcription: "",
                orientation: .upright
            )
        }
        let dataset = Dataset(
            path: place,
            manifest: DatasetManifest(name: "random inputs"),
            digest: "",
            samples: samples
        )
        let name = URL(filePath: request.path).lastPathComponent
        var configuration = RunConfiguration(
            tool: ProgramVersion.tool,
            datasets: [DatasetReference(dataset)],
            variants: [Variant(name: name, tier: nil, settings: [:])]
        )
        configuration.scenarios = [try Scenario.parse(scenario)]
        (configuration.repetitions, configuration.warmUpReadings) = (1, 1 + warmup)
        (configuration.sampleTimeoutSeconds, configuration.startTimeoutSeconds) = (timeout, timeout)
        let folder = try RunFolder.create("\(place)/run", configuration)
        try Data(" ".utf8).write(to: URL(filePath: "\(place)/input"))
        let interruption = Signals.interruption()
        let problem = Mutex(String?.none)
        let launch = WorkerLaunch(
            executable: Process.ownProgram,
            arguments: ["model-probe", "--request", try JSONText.line(request)]
        )
        let setup = RunSetup(datasets: [dataset], folder: folder, interruption: interruption) { progress in
            // A model that ended one process would end the next.
            guard case .workerLost(_, let reason) = progress else { return }
            problem.withLock { $0 = reason }
            interruption.stop(signal: SIGTERM)
        }
        let run = BenchmarkRun(configuration: configuration, setup: setup) { _ in launch }
        do {
            try await OwnThread.run { try run.run() }
        } catch HarnessError.interrupted(let signal) where problem.withLock({ $0 }) == nil {
            throw HarnessError.interrupted(signal: signal)
        } catch HarnessError.interrupted {}
        let contents = try RunFolder.contents(folder.path)
        if let failed = contents.records.first(where: { $0.outcome == .failed })?.problem {
            throw HarnessError.configuration(failed)
        }
        if let reason = problem.withLock({ $0 }) {
            throw HarnessError.configuration(
                "\(request.path): \(reason); the file is damaged, too large for this machine's memory, or needs more than "
                    + "--timeout, or OpenVINO has a fault"
            )
        }
        return contents
    }
}

extension InferencePrecision: ExpressibleByArgument {
    /// Precisions of a model alone: `measured` was measured with the reader's.
    public static var allValueStrings: [String] { [auto, f32, bf16, f16].map(\.rawValue) }

    /// Creates the precision of that name.
    public init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        self.init(rawValue: argument)
    }
}
