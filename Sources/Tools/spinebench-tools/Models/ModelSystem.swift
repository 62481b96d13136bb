import ArgumentParser
import Basics
import CommandSupport
import Evaluation
import Foundation
import Harness
import OpenVINOEngine
import SpineDatasets
import Systems

/// Settings of a process that measures a model.
struct ModelRequest: Codable {
    var path: String
    var shapes: [ShapeOption]
    var threads: Int
    var precision: InferencePrecision
    var seed: UInt64
    /// Whether OpenVINO works before the model comes: then the memory is the model's alone, and its load is not a
    /// cold one.
    var isWarmed = true
}

/// Model as a system: a reading is an inference on random numbers, whatever the picture is.
///
/// Unchecked, as the worker's loop alone uses it, on one thread.
final class ModelSystem: SystemUnderTest, @unchecked Sendable {
    /// Stage of an inference, by this system's own clock.
    static let inference = Stage("inference", .compute)

    private let network: LoadedNetwork
    private var random: RandomInput
    private var isFilled = false
    /// The model and its place, as the report prints them.
    let description: [String: String]

    /// - Throws: `OpenVINOError`, and `HarnessError.configuration` for shapes that cannot be.
    init(_ request: ModelRequest, _ loader: NetworkLoader) throws {
        let file = try loader.read(request.path)
        let inputs = try InputShape.resolve(file.inputs, request.shapes)
        network = try file.load(shapes: inputs.map(\.dimensions))
        random = RandomInput(seed: request.seed)
        func port(_ tensor: NetworkTensor, _ shape: String) -> String {
            "\(PlainLine.of(tensor.name)): \(tensor.element?.rawValue ?? "?") \(shape)"
        }
        var description = [
            "format": file.format.rawValue, "OpenVINO": OpenVINOEngine.version, "processor": loader.processor,
            "precision": loader.precision.rawValue, "threads": NumberText.count(request.threads, "thread"),
        ]
        for (index, input) in inputs.enumerated() {
            let open = input.isAssumed ? " (\(input.tensor.shapeText) in the file, overridden by --shape)" : ""
            description[String(format: "takes %02d", index)] = port(input.tensor, input.text + open)
        }
        for (index, output) in file.outputs.enumerated() {
            description[String(format: "gives %02d", index)] = port(output, output.shapeText)
        }
        self.description = description
    }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        if !isFilled { try fill() }
        let start = ContinuousClock.now
        try network.infer()
        return Prediction(lines: [], stages: [Self.inference: start.duration(to: .now).milliseconds])
    }

    /// Draws the next input, outside the reading's time.
    func conclude(_ prediction: inout Prediction) throws { try fill() }

    private func fill() throws {
        try network.fill { input, bytes in if let element = input.element { random.fill(bytes, element) } }
        isFilled = true
    }
}

/// Worker of `model`.
struct ModelWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model-probe",
        abstract: "Internal: worker process of 'model'.",
        shouldDisplay: false
    )

    @Option(help: "Request, as JSON.")
    var request: String

    func run() throws {
        let request = try JSONDecoder().decode(ModelRequest.self, from: Data(request.utf8))
        signal(SIGINT, SIG_IGN)
        // OpenVINO prints as it likes; the answers get a way of their own.
        let answers = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        // Before the clock of loading starts, and before memory is counted.
        let loader = Result {
            let loader = try NetworkLoader(threads: request.threads, precision: request.precision)
            if request.isWarmed { try loader.warmUp() }
            return loader
        }
        try WorkerLoop(input: .standardInput, output: answers).run(
            load: { _ in
                do {
                    let system = try ModelSystem(request, loader.get())
                    return WorkerLoop.Loaded(system: system, description: system.description)
                } catch OpenVINOError.precisionUnknown(let precision, let known) {
                    let error = OpenVINOError.precisionUnknown(precision, known: known)
                    throw HarnessError.unavailable(variant: "model", reason: error.description)
                } catch let error as OpenVINOError {
                    throw ReaderFailure(Self.plain(error))
                } catch {
                    throw ReaderFailure("\(error)")
                }
            },
            hungUp: { _exit(1) }
        )
    }

    /// Returns OpenVINO's message without the leading source positions: the last lines contain the error.
    private static func plain(_ error: OpenVINOError) -> String {
        guard case .callFailed(let operation, _, let message) = error else { return error.description }
        let lines = message.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        let words = lines.filter { line in
            !line.isEmpty && !line.hasPrefix("Exception from ") && !line.hasPrefix("Check '")
                && !line.hasPrefix("FrontEnd API failed with") && line != "Unexpected exception" && line != "Summary:"
        }
        return "OpenVINO cannot \(operation): \((words.isEmpty ? lines : words).prefix(6).joined(separator: "; "))"
    }
}

/// Numbers drawn at random for a network's inputs: the same for the same seed.
struct RandomInput {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    /// Fills an input.
    ///
    /// Real numbers are in 0..<1, as a picture's are after the usual scaling; whole ones of 32 or 64 bits are 0 or 1,
    /// which most tables of words have; smaller ones take any value, as pictures and sounds in bytes do.
    mutating func fill(_ bytes: UnsafeMutableRawBufferPointer, _ element: NetworkTensor.Element) {
        func write<Number>(_ type: Number.Type, _ next: (inout SplitMix64) -> Number) {
            let size = MemoryLayout<Number>.size
            for offset in stride(from: 0, to: bytes.count - size + 1, by: size) {
                bytes.storeBytes(of: next(&random), toByteOffset: offset, as: type)
            }
        }
        switch element {
        case .f32: write(Float.self) { Float($0.next() >> 40) * 0x1p-24 }
        case .f64: write(Double.self) { $0.nextDouble() }
        case .f16: write(Float16.self) { Float16(Float($0.next() >> 54) * 0x1p-10) }
        // bf16 is the upper half of f32.
        case .bf16: write(UInt16.self) { UInt16((Float($0.next() >> 57) * 0x1p-7).bitPattern >> 16) }
        case .boolean: write(UInt8.self) { UInt8($0.next() >> 63) }
        case .i32, .u32: write(UInt32.self) { UInt32($0.next() >> 63) }
        case .i64, .u64: write(UInt64.self) { $0.next() >> 63 }
        case .i8, .u8: write(UInt8.self) { UInt8(truncatingIfNeeded: $0.next() >> 56) }
        case .i16, .u16: write(UInt16.self) { UInt16(truncatingIfNeeded: $0.next() >> 48) }
        }
    }
}
