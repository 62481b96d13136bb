import ArgumentParser
import Basics
import Composition
import DeviceSimulation
import Foundation
import Harness
import OpenVINOEngine
import ScanningPolicies

struct ModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Measure an ONNX or TensorFlow Lite model against a budget.",
        discussion: """
            For example:

              spinebench model pose.tflite --budget "Pose Detection"
              spinebench model detector.onnx --budget fast --shape x=1,3,96,640 --readings 500
              spinebench model mine.onnx --budget mine.json --json
              spinebench model --budget list

            The model runs on this machine's CPU, in separate processes, over random inputs. Measured are its load time, its \
            first inference, warm inferences and memory. Its use of a phone's battery is modelled, \
            by the energy of the compute unit and by the project document's formula, at the budget's rate; it \
            gates only with --gate-devices.

            Exit codes: 0 within the budget, 1 over the budget, 2 invalid usage or model, 3 not enough data to decide, \
            4 something is missing on this machine.
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
            "Shape of an input with dynamic sizes: x=1,3,96,640 (repeatable). (default: 1, 224 pixels, 128 steps)"
        )
    )
    var shapes: [ShapeOption] = []

    @Option(help: "Number of counted warm inferences.")
    var readings = 100

    @Option(help: "Number of warm-up inferences after the first one.")
    var warmup = 3

    @Option(help: "Number of new processes that load the model; the longest load counts.")
    var loads = 3

    @Option(help: "Number of threads of an inference.")
    var threads = 2

    @Option(help: "Precision: auto, f32, bf16 or f16.", transform: Self.precision)
    var precision = InferencePrecision.auto

    @Option(help: "Random seed of the inputs.")
    var seed: UInt64 = 1

    @Option(help: "Percentile method: nearest-rank, or seed for the project document's formula.")
    var percentile = PercentileMethod.nearestRank

    @Option(help: .value("n", "Inferences per second, for the battery. (default: the budget's)"))
    var hertz: Double?

    @Option(help: "Compute unit on the phone, for the battery: neuralEngine, gpu or cpu.")
    var unit = ComputeUnit.neuralEngine

    @Option(help: .value("name", "Phone whose battery is modelled. (default: \(PhoneBattery.standard))"))
    var device: String?

    @Flag(name: .customLong("gate-devices"), help: "Fail also when the modelled battery misses the budget.")
    var gatesDevices = false

    @Option(help: .value("seconds", "Timeout of a process."))
    var timeout = 600.0

    @Flag(help: "Print everything as JSON.")
    var json = false

    private static func precision(_ text: String) throws -> InferencePrecision {
        guard let precision = InferencePrecision(rawValue: text), precision != .measured else {
            throw ValidationError("Invalid precision '\(text)': expected auto, f32, bf16 or f16.")
        }
        return precision
    }

    func validate() throws {
        if budget == "list" { return }
        if file == nil { throw ValidationError("Specify the model's file.") }
        let counts = [
            ("--readings", readings, 1), ("--warmup", warmup, 0), ("--loads", loads, 1), ("--threads", threads, 1),
        ]
        for (name, count, least) in counts where count < least || count > 1_000_000 {
            throw ValidationError("Invalid \(name) \(count): expected \(least) to 1000000.")
        }
        for (name, value, most) in [("--hertz", hertz ?? 1, 10_000.0), ("--timeout", timeout, 86_400)]
        where !(value > 0 && value <= most) {
            throw ValidationError("Invalid \(name) \(value): expected more than 0 and at most \(Int(most)).")
        }
    }

    func run() async throws {
        if budget == "list" { return print(BudgetFile.list) }
        guard let file else { throw ValidationError("Specify the model's file.") }
        let budget = try BudgetFile.budget(budget)
        let report = try await OwnThread.run { try self.report(of: file, budget) }
        print(json ? try JSONText.of(report) : report.text)
        throw ExitCode(report.exitCode)
    }

    private func report(of file: String, _ budget: ModelTarget) throws -> ModelReport {
        // Checked before a process is started, to reject files that are not models.
        do { _ = try NetworkFormat.of(file) } catch { throw HarnessError.configuration(error.description) }
        let battery = ModelVerdict.BatteryPlan(
            hertz: hertz ?? budget.hertz,
            unit: unit,
            device: try PhoneBattery.device(device),
            gates: gatesDevices
        )
        var request = ModelProbeRequest(
            path: file,
            shapes: shapes,
            readings: readings,
            warmUp: warmup,
            threads: threads,
            precision: precision,
            seed: seed,
            isWarmed: true
        )
        let measurement = try ModelProbeProcess.measure(request, timeoutSeconds: timeout)
        (request.readings, request.warmUp, request.isWarmed) = (0, 0, false)
        let colds = try (0..<loads).map { _ in
            let cold = try ModelProbeProcess.measure(request, timeoutSeconds: timeout)
            return (load: cold.loadMilliseconds, first: cold.firstMilliseconds)
        }
        let fileBytes = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? 0
        let verdict = ModelVerdict(
            measurement,
            loads: colds,
            fileBytes: fileBytes,
            budget: budget,
            battery: battery,
            method: percentile
        )
        return ModelReport(model: file, fileBytes: fileBytes, measurement: measurement, verdict: verdict)
    }
}
