import Basics
import Dispatch
package import Foundation
import Synchronization

/// A running command: its lines of output are handed out as they come, and it can be killed at any time.
///
/// It leads a process group of its own, as Foundation starts it so.
package final class ChildProcess: Sendable {
    private let process = Process()
    private let errors = ErrorTail()
    /// Its standard input; unused when it reads a file.
    let input: FileHandle

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments.
    ///   - environment: variables of a user's command, which receives all signals; nil for a part of this program, which
    ///     has those of this process.
    ///   - file: its standard input; nil for ``input``.
    ///   - line: receives the lines of its standard output, on a separate thread.
    ///   - closed: called when its standard output has ended.
    ///   - ended: called when the process has ended, after `line` and `closed`.
    /// - Throws: when the program cannot be started.
    package init(
        _ command: WorkerLaunch,
        environment: [String: String]? = nil,
        file: FileHandle? = nil,
        line: @escaping @Sendable ([UInt8]) -> Void,
        closed: @escaping @Sendable () -> Void = {},
        ended: @escaping @Sendable (WorkerEnd) -> Void
    ) throws {
        // A write to a process that has just died has to fail, not to end this process.
        signal(SIGPIPE, SIG_IGN)
        let (standardInput, standardOutput, standardError, end) = (Pipe(), Pipe(), Pipe(), Pipe())
        // Another process that inherits one of them would keep it open.
        for pipe in [standardInput, standardOutput, standardError, end] {
            for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        process.executableURL = URL(filePath: command.executable)
        process.arguments = command.arguments
        if let environment { process.environment = environment }
        process.standardInput = file ?? standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        input = standardInput.fileHandleForWriting

        let readers = DispatchGroup()
        process.terminationHandler = { [errors] process in
            // The output before its end is in the pipes. A child of the process may hold them open: their readers
            // stop when they are empty.
            try? end.fileHandleForWriting.close()
            readers.wait()
            let status = process.terminationStatus
            let cause: WorkerEnd.Cause =
                process.terminationReason == .uncaughtSignal ? .signal(status) : .exit(code: status)
            ended(WorkerEnd(cause: cause, lastErrors: errors.lines))
        }
        // Registered before the start, so that a wait for the readers covers all of the output.
        let closing = end.fileHandleForReading
        Self.readLines(of: standardOutput.fileHandleForReading, until: closing, in: readers, line, then: closed)
        Self.readLines(of: standardError.fileHandleForReading, until: closing, in: readers) { [errors] in errors.add($0)
        }
        var (mask, none) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        // Threads of the concurrency runtime block signals such as SIGTERM, and a command would inherit that.
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        if environment != nil { pthread_sigmask(SIG_SETMASK, &none, nil) }
        try process.run()
    }

    package var id: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    /// The last lines of its standard error so far.
    package var lastErrors: [String] { errors.lines }

    private static func readLines(
        of handle: FileHandle,
        until end: FileHandle,
        in group: DispatchGroup,
        _ take: @escaping @Sendable ([UInt8]) -> Void,
        then done: @escaping @Sendable () -> Void = {}
    ) {
        group.enter()
        Thread.detachNewThread {
            LineSplitter.lines(of: handle, until: end, take)
            done()
            group.leave()
        }
    }
}

/// The last lines of a process's standard error.
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
