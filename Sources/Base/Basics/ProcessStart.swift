package import Foundation

extension Process {
    /// Starts a program; unnamed streams of its input, output and errors are discarded.
    ///
    /// - Throws: the system's error when it cannot be started.
    package static func start(
        _ program: String,
        _ arguments: [String],
        input: Any = FileHandle.nullDevice,
        output: Any = FileHandle.nullDevice,
        errors: Any = FileHandle.standardError
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }

    /// Starts it with no signal blocked.
    ///
    /// A process has the signal mask of the thread that starts it, and threads of Dispatch and of the concurrency runtime
    /// block signals: a shell would wait for its own children without end, and SIGTERM would end nothing.
    package func start() throws {
        var (none, mask) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        try run()
    }

    /// The program of this process, to be started again.
    package static var ownProgram: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }
}
