import Basics
import Dispatch
import Foundation
import SpineDatasets
import Synchronization

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
    /// The last lines of its standard error.
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

    private let process: Process
    private let input: FileHandle
    private let outputs: BlockingQueue<Output>
    private let clock: DeadlineClock

    init(_ command: WorkerLaunch, clock: DeadlineClock = .machine) throws {
        // A write to a worker that has just died has to fail, not to end this process.
        signal(SIGPIPE, SIG_IGN)
        let (standardInput, standardOutput, standardError, end) = (Pipe(), Pipe(), Pipe(), Pipe())
        self.clock = clock
        outputs = BlockingQueue(clock: clock)
        process = Process()
        process.executableURL = URL(filePath: command.executable)
        process.arguments = command.arguments
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        input = standardInput.fileHandleForWriting

        let errors = ErrorTail()
        let readers = DispatchGroup()
        let outputs = outputs
        process.terminationHandler = { process in
            // The worker's output before its end is in the pipes. A child of the worker may hold them open: their
            // readers stop when they are empty.
            try? end.fileHandleForWriting.close()
            readers.wait()
            let status = process.terminationStatus
            let cause: WorkerEnd.Cause =
                process.terminationReason == .uncaughtSignal ? .signal(status) : .exit(code: status)
            outputs.push(.ended(WorkerEnd(cause: cause, lastErrors: errors.lines)))
        }
        // Registered before the start, so that a wait for the readers covers all of the output.
        let closing = end.fileHandleForReading
        Self.readLines(of: standardOutput.fileHandleForReading, until: closing, in: readers) { line in
            if let message = JSONLine.decode(WorkerMessage.self, from: line) {
                outputs.push(.message(message))
            } else {
                outputs.push(.noise(String(decoding: line.prefix(200), as: UTF8.self)))
            }
        }
        Self.readLines(of: standardError.fileHandleForReading, until: closing, in: readers) { errors.add($0) }
        try process.run()
    }

    /// Sends a request; a finished worker does not receive it, which its end reports.
    func send(_ request: WorkerRequest) {
        guard let line = try? JSONLine.encode(request) else { return }
        try? input.write(contentsOf: line)
    }

    func next(until deadline: ContinuousClock.Instant) -> Output? { outputs.next(until: deadline) }

    /// Makes the reader of `next` stop waiting, from any thread.
    func interrupt() { outputs.push(.interrupted) }

    /// Ends the input and gives the worker `grace` to end by itself, then kills it.
    func finish(grace: Duration) {
        try? input.close()
        let deadline = clock.now() + grace
        while let output = next(until: deadline) {
            if case .ended = output { return }
            if case .interrupted = output { break }
        }
        kill()
    }

    /// Kills the worker and waits until it has ended; does nothing if it already has.
    func kill() {
        try? input.close()
        guard process.isRunning else { return }
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        // A process in the middle of a system call may take a moment to go; one that the kernel cannot end is left
        // behind.
        let deadline = clock.now() + .seconds(10)
        while let output = next(until: deadline) {
            if case .ended = output { return }
        }
    }

    private static func readLines(
        of handle: FileHandle,
        until end: FileHandle,
        in group: DispatchGroup,
        _ take: @escaping @Sendable ([UInt8]) -> Void
    ) {
        group.enter()
        Thread.detachNewThread {
            LineSplitter.lines(of: handle, until: end, take)
            group.leave()
        }
    }
}

/// The last lines of a worker's standard error.
private final class ErrorTail: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func add(_ line: [UInt8]) {
        let text = String(decoding: line.prefix(300), as: UTF8.self)
        kept.withLock { lines in
            lines.append(text)
            if lines.count > 5 { lines.removeFirst() }
        }
    }
}

enum LostWorker: Error, CustomStringConvertible {
    case ended(WorkerEnd)
    /// Killed without an answer.
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
