import ArgumentParser
import Basics
import Foundation
import Harness
import OpenVINOEngine
import SpineDatasets

struct ModelProbe {
    var request: ModelProbeRequest
    /// Callback for the next stage.
    var onStage: (String) -> Void

    /// Performs the request.
    ///
    /// - Throws: `OpenVINOError`, and `HarnessError.configuration` for shapes that cannot be.
    func measure() throws -> ModelMeasurement {
        onStage("starting OpenVINO")
        let loader = try NetworkLoader(threads: request.threads, precision: request.precision)
        if request.isWarmed { try loader.warmUp() }
        let base = ProcessMemory.current()
        onStage("reading it")
        let clock = ContinuousClock()
        let started = clock.now
        let file = try loader.read(request.path)
        let wasRead = clock.now
        let inputs = try InputShape.resolve(file.inputs, request.shapes)
        onStage("compiling it")
        let compiling = clock.now
        let network = try file.load(shapes: inputs.map(\.dimensions))
        let loaded = clock.now
        let atLoaded = ProcessMemory.current()
        onStage("running it")
        var random = RandomInput(seed: request.seed)
        func reading() throws -> Double {
            try network.fill { input, bytes in if let element = input.element { random.fill(bytes, element) } }
            let start = clock.now
            try network.infer()
            return start.duration(to: clock.now).milliseconds
        }
        let first = try reading()
        for _ in 0..<request.warmUp { _ = try reading() }
        let before = ProcessMemory.current()
        let peakWasReset = ProcessMemory.resetPeak()
        var milliseconds: [Double] = []
        milliseconds.reserveCapacity(request.readings)
        for _ in 0..<request.readings { milliseconds.append(try reading()) }
        var memory: ModelMeasurement.Memory?
        if let base, let atLoaded, let before, let after = ProcessMemory.current() {
            memory = .init(base: base, loaded: atLoaded, before: before, after: after, peakWasReset: peakWasReset)
        }
        return ModelMeasurement(
            format: file.format,
            openVINO: OpenVINOEngine.version,
            processor: loader.processor,
            precision: loader.precision,
            threads: request.threads,
            inputs: inputs,
            outputs: file.outputs,
            readMilliseconds: started.duration(to: wasRead).milliseconds,
            compileMilliseconds: compiling.duration(to: loaded).milliseconds,
            firstMilliseconds: first,
            milliseconds: milliseconds,
            memory: memory
        )
    }
}

/// Process started by `model`, so that the measured memory is the model's, and a model that crashes affects only it.
struct ModelProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model-probe",
        abstract: "Internal: measuring process of 'model'.",
        shouldDisplay: false
    )

    @Option(help: "Request, as JSON.")
    var request: String

    func run() throws {
        let request = try JSONDecoder().decode(ModelProbeRequest.self, from: Data(request.utf8))
        // OpenVINO prints as it likes; the answers get a way of their own.
        let answers = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        func answer(_ answer: ModelProbeAnswer) throws { try answers.write(contentsOf: JSONLine.encode(answer)) }
        do {
            let probe = ModelProbe(request: request) { stage in
                // The parent may have ended; this is detected at the end.
                try? answer(.stage(stage))
            }
            try answer(.measured(probe.measure()))
        } catch let error as OpenVINOError {
            if case .precisionUnknown = error {
                try answer(.unavailable(reason: error.description))
            } else {
                try answer(.refused(reason: Self.plain(error)))
            }
        } catch let error as HarnessError {
            try answer(.refused(reason: error.description))
        }
    }

    /// Returns OpenVINO's message without the leading source positions: the last lines contain the error.
    static func plain(_ error: OpenVINOError) -> String {
        guard case .callFailed(let operation, _, let message) = error else { return error.description }
        let lines = message.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        let words = lines.filter { line in
            !line.isEmpty && !line.hasPrefix("Exception from ") && !line.hasPrefix("Check '")
                && !line.hasPrefix("FrontEnd API failed with") && line != "Unexpected exception" && line != "Summary:"
        }
        let text = (words.isEmpty ? lines : words).prefix(6).joined(separator: "; ")
        return "OpenVINO cannot \(operation): \(text.isEmpty ? "no reason given" : text)"
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
            for offset in stride(
                from: 0,
                to: bytes.count - MemoryLayout<Number>.size + 1,
                by: MemoryLayout<Number>.size
            ) {
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
