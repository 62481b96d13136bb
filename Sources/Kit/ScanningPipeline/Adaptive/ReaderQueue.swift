internal import Basics
import Dispatch

/// Runs work that blocks for tens of milliseconds outside of Swift's own few threads, one piece after the other.
///
/// All reading and loading of readers runs here: no reader is unloaded while it reads.
public final class ReaderQueue: SerialExecutor {
    /// Queue of this process: readers use all processors by themselves.
    public static let shared = ReaderQueue()

    private let queue = DispatchQueue(label: "spine reader", qos: .userInitiated)

    private init() {}

    /// Takes a job of an actor that lives here.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Runs a piece of work here.
    public static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let meter = WorkMeter.current
        return try await withCheckedThrowingContinuation { continuation in
            shared.queue.async {
                continuation.resume(with: WorkMeter.$current.withValue(meter) { Result(catching: work) })
            }
        }
    }
}
