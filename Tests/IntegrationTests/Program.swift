import Foundation
import Testing

/// The built `spinebench`, as a shell sees it.
enum Program {
    /// Result of one call.
    struct Outcome {
        var code: Int32
        /// Standard output.
        var output: String
        /// Standard error.
        var errors: String

        /// The lines of standard output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The program beside the test bundle; nil when only the tests were built.
    static let path = path(of: "spinebench")

    /// Returns the path of another program beside the test bundle.
    static func path(of name: String) -> String? {
        // The tests are the running program on Linux; they are a bundle that another program loads on Darwin.
        let bundles = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
        return bundles.map { $0.deletingLastPathComponent().appending(path: name).path }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Runs the program to its end.
    ///
    /// `environment`: Variables beside this process's.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try run(program: "spinebench", arguments, environment: environment)
    }

    /// Runs another program to its end.
    static func run(
        program name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.executableURL = URL(filePath: try #require(path(of: name)))
        process.arguments = name == "spinebench" ? patient(arguments) : arguments
        // A file, not a second pipe: that one could fill while the first is read.
        let errors = FileManager.default.temporaryDirectory.appending(path: "spinebench-errors-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errors) }
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus,
            output: String(decoding: data, as: UTF8.self),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }

    /// Returns the arguments with limits that end only hanging runs, however slow the machine is, unless they name
    /// other limits.
    static func patient(_ arguments: [String]) -> [String] {
        // A run that is resumed has those of its beginning.
        let limit = ["run": "--timeout", "scan": "--patience"][arguments.first ?? ""]
        guard let limit, !arguments.contains(limit), !arguments.contains("--resume") else { return arguments }
        return arguments + [limit, "3600"]
    }

    static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Runs a program to its end, with its standard output in `output`.
    static func run(program name: String = "spinebench", _ arguments: [String], to output: FileHandle) throws -> Outcome
    {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path(of: name)))
        process.arguments = name == "spinebench" ? patient(arguments) : arguments
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let wasKilled = process.terminationReason == .uncaughtSignal
        return Outcome(
            code: wasKilled ? 128 + process.terminationStatus : process.terminationStatus,
            output: "",
            errors: String(decoding: data, as: UTF8.self)
        )
    }
}

/// Programs to test are there when everything was built, as `swift build --build-tests` does.
extension Trait where Self == ConditionTrait {
    static var needsProgram: Self {
        .enabled(if: Program.path != nil, "spinebench is not beside the tests: run 'swift build --build-tests'")
    }
}
