import Documents

/// How a worker was lost.
enum LostWorker: Error, CustomStringConvertible {
    case ended(WorkerEnd)
    /// It was killed for not answering.
    case silent(seconds: Double)

    var outcome: SampleRecord.Outcome {
        switch self {
        case .ended: .workerDied
        case .silent: .timedOut
        }
    }

    var description: String {
        switch self {
        case .ended(let end): "the worker \(end)"
        case .silent(let seconds): "no answer within \(NumberText.short(seconds)) s, so the worker was killed"
        }
    }
}
