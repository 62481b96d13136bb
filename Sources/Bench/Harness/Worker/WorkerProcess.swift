import Basics
import Foundation
import SpineDatasets

package struct WorkerLaunch: Sendable, Equatable {
    package var executable: String
    package var arguments: [String]

    package init(executable: String, arguments: [String]) {
        (self.executable, self.arguments) = (executable, arguments)
    }
}

package struct WorkerEnd: Sendable, Equatable, CustomStringConvertible {
    package enum Cause: Sendable, Equatable {
        case exit(code: Int32)
        case signal(Int32)
    }

    package var cause: Cause
    package var lastErrors: [String]

    /// "was killed by SIGSEGV (11); its last words: …".
    package var description: String {
        let what =
            switch cause {
            case .exit(let code): "exited with code \(code)"
            case .signal(let signal): "was killed by \(SignalName.of(signal))"
            }
        return lastErrors.isEmpty ? what : "\(what); its last output: \(lastErrors.joined(separator: " ⏎ "))"
    }
}

/// A running worker, which can be killed at any time; used by one thread, but for `interrupt`.
final class WorkerProcess: Sendable {
    enum Output: Sendable, Equatable {
        case message(WorkerMessage)
        /// An invalid line on standard output.
        case noise(String)
        case ended(WorkerEnd)
        case interrupted
    }

    private let child: ChildProcess
    private let outputs: BlockingQueue<Output>
    private let clock: DeadlineClock

    init(_ command: WorkerLaunch, clock: DeadlineClock = .machine) throws {
        let outputs = BlockingQueue<Output>(clock: clock)
        (self.outputs, self.clock) = (outputs, clock)
        child = try ChildProcess(command) { line in
            switch JSONLine.decode(WorkerMessage.self, from: line) {
            case .noise(let text)?: outputs.push(.noise(text))
            case let message?: outputs.push(.message(message))
            case nil: outputs.push(.noise(String(decoding: line.prefix(200), as: UTF8.self)))
            }
        } ended: {
            outputs.push(.ended($0))
        }
    }

    /// Sends a request; a finished worker does not receive it, which its end reports.
    func send(_ request: WorkerRequest) {
        guard let line = try? JSONLine.encode(request) else { return }
        try? child.input.write(contentsOf: line)
    }

    func next(until deadline: ContinuousClock.Instant) -> Output? { outputs.next(until: deadline) }

    /// Makes the reader of `next` stop waiting, from any thread.
    func interrupt() { outputs.push(.interrupted) }

    /// Ends the input and gives the worker `grace` to end by itself, then kills it.
    func finish(grace: Duration) {
        try? child.input.close()
        let deadline = clock.now() + grace
        while let output = next(until: deadline) {
            if case .ended = output { return }
            if case .interrupted = output { break }
        }
        kill()
    }

    /// Kills the worker and waits until it has ended; does nothing if it already has.
    func kill() {
        try? child.input.close()
        guard child.isRunning else { return }
        _ = Foundation.kill(child.id, SIGKILL)
        // A process in the middle of a system call may take a moment to go; one that the kernel cannot end is left
        // behind.
        let deadline = clock.now() + .seconds(10)
        while let output = next(until: deadline) {
            if case .ended = output { return }
        }
    }
}

enum LostWorker: Error, CustomStringConvertible {
    case ended(WorkerEnd)
    /// Killed without an answer.
    case silent(seconds: Double)
    /// A reader of the user's did not start, or read nothing for as long as it may take to start: no other worker is
    /// tried.
    case unready(reason: String)

    var outcome: SampleRecord.Outcome {
        switch self {
        case .ended: .workerDied
        case .silent: .timedOut
        case .unready: .failed
        }
    }

    var description: String {
        switch self {
        case .ended(let end): "the worker \(end)"
        case .silent(let seconds): "no answer within \(NumberText.short(seconds)) s, so the worker was killed"
        case .unready(let reason): reason
        }
    }
}
