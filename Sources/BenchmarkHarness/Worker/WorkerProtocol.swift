/// What the harness asks of a worker: one JSON object a line on the worker's standard input.
package enum WorkerRequest: Sendable, Equatable, Codable {
    /// Read one picture. `sequence` comes back with the answer.
    case read(sequence: Int, path: String, name: String)
    /// Warm-up is over: reset the peak of the memory and say what is resident.
    case begin
}

/// What a worker answers: one JSON object a line on its standard output.
///
/// Anything else there is noise.
package enum WorkerMessage: Sendable, Equatable, Codable {
    /// The system is loaded. `description` is whatever identifies it: engine, model, precision, threads.
    case ready(description: [String: String], modelLoadMilliseconds: Double, atStart: MemoryReading?)
    /// The system cannot run on this machine, and why.
    case unavailable(reason: String)
    /// Answer to `begin`. `memory` is from before the reset; `peakWasReset` is false where the kernel cannot do it.
    case began(memory: MemoryReading?, peakWasReset: Bool)
    /// A picture was read, in `milliseconds` from its bytes to the prediction.
    case result(sequence: Int, milliseconds: Double, prediction: Prediction, memory: MemoryReading?)
    /// The system threw.
    case failure(sequence: Int, milliseconds: Double, reason: String, memory: MemoryReading?)
}
