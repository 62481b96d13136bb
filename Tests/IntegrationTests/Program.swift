import Basics
import Foundation
import TestSupport
import Testing

/// The built programs, as a shell sees them.
enum Program {
    /// Result of one call.
    struct Outcome {
        /// Exit code; 128 and the signal's number for a program that a signal ended.
        var code: Int32
        /// Standard output.
        var output: String
        /// Standard error.
        var errors: String

        /// The lines of standard output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// `spinebench` beside the test bundle; nil when only the tests were built.
    static let path = path(of: "spinebench")

    /// Whether this machine has the networks of the readers, and a back end.
    static let hasNetworks = (try? run("engines").output.contains("✓ hybrid")) ?? false

    static let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/python3")
    }

    /// Error texts of Foundation, SwiftNIO and SQLite, and Swift's names of their types.
    static let foreignWords = [
        "The operation could", "NSCocoaError", "NSPOSIXError", "Error Domain", "NIOCore", "NIOPosix", "IOError",
        "HTTPClientError", "connect timeout", "DecodingError", "given data was not valid", "Code=", "userInfo",
        "file doesn\u{2019}t exist", "couldn\u{2019}t be", "SQLite error",
    ]

    /// Returns the path of a program beside the test bundle.
    static func path(of name: String) -> String? {
        // The tests are the running program on Linux; they are a bundle that another program loads on Darwin.
        let bundles = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
        return bundles.map { $0.deletingLastPathComponent().appending(path: name).path }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Runs a program to its end; `environment` stands beside this process's, `output` in place of the outcome's.
    static func run(
        program name: String = "spinebench",
        _ arguments: [String],
        environment: [String: String] = [:],
        to output: FileHandle? = nil
    ) throws -> Outcome {
        let arguments = name == "spinebench" ? patient(arguments) : arguments
        return try start(#require(path(of: name)), arguments, environment: environment, to: output)
    }

    static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Runs any executable to its end, in the folder `place` if one is given.
    static func start(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        in place: String? = nil,
        to output: FileHandle? = nil
    ) throws -> Outcome {
        let (process, files) = (Process(), try TemporaryFolder())
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let place { process.currentDirectoryURL = URL(filePath: place) }
        // Files, not pipes: one could fill while the other is read.
        for name in ["output", "errors"] { try files.write("", name) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try output ?? FileHandle(forWritingTo: URL(filePath: files("output")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: files("errors")))
        try process.start()
        process.waitUntilExit()
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: files(name))), as: UTF8.self)
        }
        let wasKilled = process.terminationReason == .uncaughtSignal
        return Outcome(
            code: process.terminationStatus + (wasKilled ? 128 : 0),
            output: try text("output"),
            errors: try text("errors")
        )
    }

    /// Options with limits that end only hanging runs, however slow the machine is, by their command.
    static let patience = ["run": "--timeout", "scan": "--patience"]

    /// Returns the arguments with such a limit, unless they name another one.
    static func patient(_ arguments: [String]) -> [String] {
        // A run that is resumed has those of its beginning.
        guard let limit = patience[arguments.first ?? ""], !arguments.contains(limit), !arguments.contains("--resume")
        else { return arguments }
        return arguments + [limit, "3600"]
    }
}

/// Programs to test are there when everything was built, as `swift build --build-tests` does.
extension Trait where Self == ConditionTrait {
    static var needsProgram: Self {
        .enabled(if: Program.path != nil, "spinebench is not beside the tests: run 'swift build --build-tests'")
    }

    static var needsNetworks: Self {
        .enabled(if: Program.hasNetworks, "no networks or no talaria: run 'make setup' and build everything")
    }

    static var needsPython: Self { .enabled(if: Program.hasPython, "python3 is not installed") }
}
