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

    /// The program of this process, to be started again.
    package static var ownProgram: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }
}
