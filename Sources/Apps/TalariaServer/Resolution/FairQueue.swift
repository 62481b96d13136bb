import Dispatch
import Synchronization

/// Threads for work on the processor that blocks, shared fairly between devices.
///
/// The first of the waiting devices is the one with the least processor time so far; one that returns has no credit
/// for its idle time. No device has all threads, so that another one's short work need not wait for the end of its
/// long work. Source: Goyal, Vin and Cheng, Start-time fair queuing (1996).
final class FairQueue: Sendable {
    private struct Waiting {
        var number: Int
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Client {
        /// Seconds that it has had, and those that went by for others while it wanted nothing.
        var time = 0.0
        var running = 0
        var waiting: [Waiting] = []
    }

    private struct State {
        var clients: [String: Client] = [:]
        var running = 0
        var next = 0
        /// Virtual time of the client that was admitted last.
        var time = 0.0
    }

    private let state = Mutex(State())
    private let executor: BlockingExecutor
    private let width: Int
    private let clock = ContinuousClock()

    init(label: String, width: Int) {
        executor = BlockingExecutor(label: label)
        self.width = max(1, width)
    }

    /// Works on a thread of this queue when it is the device's turn.
    ///
    /// - Throws: the errors of `body`, `CancellationError` when the task was cancelled before.
    func run<Result: Sendable>(
        for client: String,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await enter(client)
        let start = clock.now
        defer { leave(client, seconds: start.duration(to: clock.now).seconds) }
        return try await Self.run(body, on: executor)
    }

    var waiting: Int { state.withLock { $0.clients.values.reduce(0) { $0 + $1.waiting.count } } }

    @concurrent
    private static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result,
        on executor: BlockingExecutor
    ) async throws -> Result {
        try await withTaskExecutorPreference(executor) { try await call(body) }
    }

    /// Runs a body on the executor that the task prefers.
    @concurrent
    private static func call<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try body()
    }

    private func enter(_ client: String) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                state.withLock { state in
                    var known = state.clients[client] ?? Client(time: state.time)
                    if known.running == 0, known.waiting.isEmpty { known.time = max(known.time, state.time) }
                    known.waiting.append(Waiting(number: number, continuation: continuation))
                    state.clients[client] = known
                }
                admit()
            }
        } onCancel: {
            let waiting = state.withLock { state -> Waiting? in
                guard let index = state.clients[client]?.waiting.firstIndex(where: { $0.number == number }) else {
                    return nil
                }
                return state.clients[client]?.waiting.remove(at: index)
            }
            waiting?.continuation.resume(throwing: CancellationError())
        }
    }

    private func leave(_ client: String, seconds: Double) {
        state.withLock { state in
            state.running -= 1
            state.clients[client]?.running -= 1
            state.clients[client]?.time += seconds
            // Those that have had no more than others are like new ones.
            let time = state.time
            state.clients = state.clients.filter {
                $0.value.running > 0 || !$0.value.waiting.isEmpty || $0.value.time > time
            }
        }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state -> [Waiting] in
            var admitted: [Waiting] = []
            let share = max(1, width - 1)
            while state.running < width {
                let next = state.clients.filter { !$0.value.waiting.isEmpty && $0.value.running < share }
                    .min { ($0.value.time, $0.value.waiting[0].number) < ($1.value.time, $1.value.waiting[0].number) }
                guard let client = next?.key, var known = next?.value else { break }
                admitted.append(known.waiting.removeFirst())
                known.running += 1
                state.time = max(state.time, known.time)
                state.running += 1
                state.clients[client] = known
            }
            return admitted
        }
        for waiting in admitted { waiting.continuation.resume() }
    }
}

/// Executor that runs tasks on threads of its own, where they may block.
private final class BlockingExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}

/// Threads for calls that block, so that neither event loops nor tasks wait for them.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent) }

    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}
