import Basics
import Harness
import OpenVINOEngine

/// Loads a model in this process and times it.
struct ModelProbe {
    var request: ModelProbeRequest
    /// Told what is done next.
    var onStage: (String) -> Void

    /// Does what is asked.
    ///
    /// - Returns: what the model took.
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
            try network.fill { input, bytes in
                if let element = input.element { random.fill(bytes, element) }
            }
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
            memory: memory(base, atLoaded, before, ProcessMemory.current(), peakWasReset)
        )
    }

    private func memory(
        _ base: MemoryReading?,
        _ loaded: MemoryReading?,
        _ before: MemoryReading?,
        _ after: MemoryReading?,
        _ peakWasReset: Bool
    ) -> ModelMeasurement.Memory? {
        guard let base, let loaded, let before, let after else { return nil }
        return ModelMeasurement.Memory(
            base: base,
            loaded: loaded,
            before: before,
            after: after,
            peakWasReset: peakWasReset
        )
    }
}
