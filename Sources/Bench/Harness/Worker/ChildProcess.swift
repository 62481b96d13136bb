import Basics
import Dispatch
import Evaluation
package import Foundation
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
    package var lastErrors: [String]

    /// "was killed by SIGSEGV (11); its last words: …".
    package var description: String {
        let what =
            switch cause {
            case .exit(let code): "exited with code \(code)"
            case .signal(let signal): "was killed by \(SignalName.of(signal))"
            }
        return lastErrors.isEmpty
            ? what : "\(what); its last output: \(lastErrors.joined(separator: " ⏎ "))"
    }

    /// Owner of an end that the harness did not bring about; nil where it is the process's own.
    var owner: FaultOwner? {
        // A shell reports the signal of its command as a code.
        let signal =
            switch cause {
            case .signal(let signal): signal
            case .exit(let code): code - 128
            }
        return FaultOwner(signal: signal) ?? lastErrors.lazy.compactMap(FaultOwner.init(reason:)).first
    }
}

/// A command whose output is handed out as it comes, and which can be killed at any time.
///
/// It leads a process group of its own, as Foundation starts it so; what it leaves behind there is killed after its end.
package final class ChildProcess: Sendable {
    package enum Output: Sendable, Equatable {
        /// A line of its standard output.
        case line([UInt8])
        /// Its standard output has ended.
        case closed
        /// It has ended; no output follows.
        case ended(WorkerEnd)
    }

    private let process = Process()
    private let (output, errorOutput, end) = (Pipe(), Pipe(), Pipe())
    private let errors = ErrorTail()
    /// Its standard input; unused when it reads a file.
    let input: FileHandle

    /// Time for which children of it may still work after its end.
    private static let childrensTime = (steps: 20, microseconds: UInt32(10_000))

    /// Prepares the command.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments.
    ///   - environment: variables of a user's command, which receives all signals; nil for a part of this program, which
    ///     has those of this process.
    ///   - file: its standard input; nil for ``input``.
    package init(
        _ command: WorkerLaunch,
        environment: [String: String]? = nil,
        file: FileHandle? = nil
    ) {
        let standardInput = Pipe()
        input = standardInput.fileHandleForWriting
        // Another process that inherits one of them would keep it open.
        for pipe in [standardInput, output, errorOutput, end] {
            for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        process.executableURL = URL(filePath: command.executable)
        process.arguments = command.arguments
        if let environment { process.environment = environment }
        process.standardInput = file ?? standardInput
        process.standardOutput = output
        process.standardError = errorOutput
    }

    /// Starts it; `take` receives what it does, on other threads.
    ///
    /// - Throws: when the program cannot be started.
    package func start(_ take: @escaping @Sendable (Output) -> Void) throws {
        // A write to a process that has just died has to fail, not to end this process.
        signal(SIGPIPE, SIG_IGN)
        let readers = DispatchGroup()
        process.terminationHandler = { [errors, end] process in
            // Its output is in the pipes. A child of it may hold them open: their readers stop when they are empty.
            try? end.fileHandleForWriting.close()
            readers.wait()
            let status = process.terminationStatus
            let cause: WorkerEnd.Cause =
                process.terminationReason == .uncaughtSignal ? .signal(status) : .exit(code: status)
            take(.ended(WorkerEnd(cause: cause, lastErrors: errors.lines)))
        }
        // Registered before the start, so that a wait for the readers covers all of the output.
        for handle in [output.fileHandleForReading, errorOutput.fileHandleForReading] {
            let isOutput = handle === output.fileHandleForReading
            readers.enter()
            Thread.detachNewThread { [errors, closing = end.fileHandleForReading] in
                LineSplitter.lines(of: handle, until: closing) {
                    isOutput ? take(.line($0)) : errors.add($0)
                }
                if isOutput { take(.closed) }
                readers.leave()
            }
        }
        if process.environment != nil { try process.start() } else { try process.run() }
        endChildren()
    }

    package var id: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    /// Whether it has ended, which Foundation reports later on a busy machine: its ``Output/ended`` follows.
    var hasExited: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) < 0 || information.si_signo != 0
    }

    /// The last lines of its standard error so far.
    package var lastErrors: [String] { errors.lines }

    /// Kills it and its group; does nothing after its end.
    package func kill() { if isRunning { Foundation.kill(-id, SIGKILL) } }

    /// Waits for its end, and kills the children that it leaves: Foundation does not report it while they have all of its
    /// files.
    private func endChildren() {
        let id = id
        Thread.detachNewThread { [process] in
            var information = siginfo_t()
            // It is Foundation that reaps it: until then, no other group has its number.
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            for _ in 0..<Self.childrensTime.steps where process.isRunning {
                usleep(Self.childrensTime.microseconds)
            }
            if process.isRunning { Foundation.kill(-id, SIGKILL) }
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
