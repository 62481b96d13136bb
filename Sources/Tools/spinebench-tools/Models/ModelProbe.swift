import ArgumentParser
import Basics
import Foundation
import Harness
import OpenVINOEngine
import SpineDatasets

extension ModelMeasurement {
    /// Performs a request.
    ///
    /// - Throws: `OpenVINOError`, and `HarnessError.configuration` for shapes that cannot be.
    init(_ request: ModelProbeRequest, onStage: (String) -> Void) throws {
        func timed<Value>(_ work: () throws -> Value) rethrows -> (Value, milliseconds: Double) {
            let start = ContinuousClock.now
            let value = try work()
            return (value, start.duration(to: .now).milliseconds)
        }
        onStage("starting OpenVINO")
        let loader = try NetworkLoader(threads: request.threads, precision: request.precision)
        if request.isWarmed { try loader.warmUp() }
        let base = ProcessMemory.current()?.resident
        onStage("reading it")
        let (file, readMilliseconds) = try timed { try loader.read(request.path) }
        let inputs = try InputShape.resolve(file.inputs, request.shapes)
        onStage("compiling it")
        let (network, compileMilliseconds) = try timed { try file.load(shapes: inputs.map(\.dimensions)) }
        let atLoaded = ProcessMemory.current()?.resident
        onStage("running it")
        var random = RandomInput(seed: request.seed)
        func reading() throws -> Double {
            try network.fill { input, bytes in if let element = input.element { random.fill(bytes, element) } }
            return try timed(network.infer).milliseconds
        }
        let first = try reading()
        for _ in 0..<request.warmUp { _ = try reading() }
        let before = ProcessMemory.current()?.resident
        let peakWasReset = ProcessMemory.resetPeak()
        let milliseconds = try (0..<request.readings).map { _ in try reading() }
        var memory: Memory?
        if let base, let atLoaded, let before, let after = ProcessMemory.current()?.resident {
            memory = .init(base: base, loaded: atLoaded, before: before, after: after, peakWasReset: peakWasReset)
        }
        self.init(
            format: file.format,
            openVINO: OpenVINOEngine.version,
            processor: loader.processor,
            precision: loader.precision,
            threads: request.threads,
            inputs: inputs,
            outputs: file.outputs,
            readMilliseconds: readMilliseconds,
            compileMilliseconds: compileMilliseconds,
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
            // The parent may have ended; this is detected at the end.
            try answer(.measured(ModelMeasurement(request) { try? answer(.stage($0)) }))
        } catch let error as OpenVINOError {
            var isMachine = false
            if case .precisionUnknown = error { isMachine = true }
            try answer(isMachine ? .unavailable(reason: error.description) : .refused(reason: Self.plain(error)))
        } catch let error as HarnessError {
            try answer(.refused(reason: error.description))
        }
    }

    /// Returns OpenVINO's message without the leading source positions: the last lines contain the error.
    private static func plain(_ error: OpenVINOError) -> String {
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
