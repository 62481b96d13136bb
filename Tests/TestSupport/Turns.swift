internal import Dispatch
internal import Foundation
internal import Synchronization
public import Testing

/// A trait of tests that block a thread, or wait for a server or a program.
///
/// Swift Testing begins all tests at once, on as many threads as there are processors. A test that blocks one of them
/// delays the tasks that others wait for, and a server that has hundreds of clients answers all of them late. With
/// this trait, tests run on separate threads, a few at a time: none of them depends on their number or speed.
public struct TurnTrait: SuiteTrait, TestTrait, TestScoping {
    /// True: each test of a suite takes its own turn.
    public var isRecursive: Bool { true }

    /// Runs a test when it is its turn, where it may block.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Turns.shared.begin()
        defer { Turns.shared.end() }
        try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
    }
}

extension Trait where Self == TurnTrait {
    /// Trait of a test that runs on a separate thread, a few of its kind at a time.
    public static var inTurns: Self { TurnTrait() }
}

extension Trait where Self == TimeLimitTrait {
    /// Limit that ends only hanging tests: a thousand times the slowest test's duration, waiting for its turn
    /// included.
    public static var endsWhatHangs: Self { .timeLimit(.minutes(60)) }
}

/// A number of places that tests wait for in the order in which they came.
private final class Turns: Sendable {
    static let shared = Turns(places: max(4, ProcessInfo.processInfo.activeProcessorCount))

    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(places: Int) { state = Mutex((places, [])) }

    func begin() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

/// An executor with a thread for each job that is ready: a job that blocks keeps no other one waiting.
private final class TestThreads: TaskExecutor {
    static let shared = TestThreads()

    /// `jobs`: Those for threads that are about to wake up.
    private let state = Mutex((jobs: [UnownedJob](), idle: 0))
    private let news = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasThread = state.withLock { state in
            guard state.idle > 0 else { return false }
            state.idle -= 1
            state.jobs.append(job)
            return true
        }
        if hasThread { news.signal() } else { Thread.detachNewThread { self.run(job) } }
    }

    private func run(_ first: UnownedJob) {
        var job = first
        while true {
            job.runSynchronously(on: asUnownedTaskExecutor())
            state.withLock { $0.idle += 1 }
            news.wait()
            job = state.withLock { $0.jobs.removeFirst() }
        }
    }
}
