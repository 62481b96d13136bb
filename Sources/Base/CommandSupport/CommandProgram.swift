public import ArgumentParser
import Basics
import Foundation

/// The start and the end of a program of commands.
public enum CommandProgram {
    /// Runs the command that the program was started with, and exits; `status`: the exit code of an error of its own, whose
    /// description is printed.
    public static func run(
        _ root: any ParsableCommand.Type,
        status ofOwn: @Sendable (any Error) -> ExitStatus? = { _ in nil }
    ) async -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first != HEICDecodeCommand.name { HEICProcess.install() }
        var status = ExitStatus.success.code
        do {
            if arguments == ["--version"], root.configuration.version.isEmpty {
                StandardOutput.write(ProgramVersion.tool + "\n")
            } else {
                if arguments.hasRepeatedOption, let slip = try CommandTree(of: root).repetition(in: arguments) {
                    throw slip
                }
                try await root.runParsed()
            }
        } catch {
            status = report(error, arguments, root, ofOwn)
        }
        let ending = StandardOutput.ending(status)
        if let message = ending.message { Console.error(message) }
        Foundation.exit(ending.status)
    }

    /// Prints an error, and returns the exit code for it.
    private static func report(
        _ error: any Error,
        _ arguments: [String],
        _ root: any ParsableCommand.Type,
        _ ofOwn: (any Error) -> ExitStatus?
    ) -> Int32 {
        let isWrongInput = error is InputError || error is CommandTree.UsageError || error is Faults
        if let status = isWrongInput ? .wrongInput : ofOwn(error) {
            Console.error("\(error)")
            return status.code
        }
        let code = root.exitCode(for: error)
        if error is ExitCode { return code.rawValue }
        if code == .success {
            StandardOutput.write(root.fullMessage(for: error) + "\n")
            return code.rawValue
        }
        // ArgumentParser's own code for wrong usage is 64 (EX_USAGE).
        if code == .validationFailure {
            if let slip = try? CommandTree(of: root).unknownArgument(in: arguments) {
                Console.error("\(slip)")
            } else {
                Console.standardError(root.fullMessage(for: error))
            }
            return ExitStatus.wrongInput.code
        }
        // Any other error that reaches this place comes from the system.
        Console.error((error.systemPath.map { "\($0): " } ?? "") + error.systemReason)
        return ExitStatus.environment.code
    }
}

extension CommandTree.UsageError: Error, CustomStringConvertible {
    package var description: String {
        switch self {
        case .repeated(let option):
            return "\(option) is given twice; give it once, with values separated by commas"
        case .unknownCommand(let name, let known):
            let words = name.split(separator: " ").map(String.init)
            let hint = hint(words.last ?? "", known, [Self.program] + words.dropLast())
            return "unknown command \"\(name)\"; \(hint)"
        case .unknownOption(let name, let command, let known):
            return "unknown option \(name); \(hint(name, known, [Self.program] + command))"
        }
    }

    /// The name that a person types: tools are commands of `spinebench`.
    private static let program: String = {
        let name = URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent
        return name.hasPrefix("spinebench") || name.hasSuffix(".xctest") ? "spinebench" : name
    }()

    private func hint(_ name: String, _ known: [String], _ command: [String]) -> String {
        if let near = NearName.of(name, among: known) { return "did you mean \(near)?" }
        return "'\(command.joined(separator: " ")) --help' lists what is available"
    }
}

extension ArgumentHelp {
    /// Help of an option with the name of its value.
    public static func value(_ value: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp("\(text)", valueName: value)
    }
}
