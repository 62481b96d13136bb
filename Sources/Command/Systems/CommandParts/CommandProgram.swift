package import ArgumentParser
import Basics
import BookCatalogue
package import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import SpineDatasets
import Talaria

package enum CommandProgram {
    package static func run(_ root: any ParsableCommand.Type) async -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first != HEICDecodeCommand.name { HEICProcess.install() }
        var status = ExitStatus.success.code
        do {
            if arguments == ["--version"] {
                StandardOutput.write(ProgramVersion.tool + "\n")
            } else {
                if arguments.hasRepeatedOption, let slip = try CommandTree(of: root).repetition(in: arguments) {
                    throw slip
                }
                try await root.runParsed()
            }
        } catch {
            status = report(error, arguments, root)
        }
        let ending = StandardOutput.ending(status)
        if let message = ending.message { Console.error(message) }
        Foundation.exit(ending.status)
    }

    /// Prints an error, and returns the exit code for it.
    private static func report(_ error: any Error, _ arguments: [String], _ root: any ParsableCommand.Type) -> Int32 {
        if let status = ExitStatus(error) {
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
            let hint = hint(words.last ?? "", known, ["spinebench"] + words.dropLast())
            return "unknown command \"\(name)\"; \(hint)"
        case .unknownOption(let name, let command, let known):
            return "unknown option \(name); \(hint(name, known, ["spinebench"] + command))"
        }
    }

    private func hint(_ name: String, _ known: [String], _ command: [String]) -> String {
        if let near = NearName.of(name, among: known) { return "did you mean \(near)?" }
        return "'\(command.joined(separator: " ")) --help' lists what is available"
    }
}

extension ExitStatus {
    /// Creates the failure of a program with an error of its own; nil for any other error.
    fileprivate init?(_ error: any Error) {
        switch error {
        case is CommandTree.UsageError, is DatasetError, is Faults, is SettingFaults:
            self = .wrongInput
        case let error as HarnessError:
            switch error {
            case .configuration, .runFolder, .resumeMismatch: self = .wrongInput
            case .busy, .unavailable, .workerNeverReady, .storage, .unwritable: self = .environment
            case .interrupted(let signal): self = .signal(signal)
            }
        case StoreError.unusable, TalariaError.badConfiguration:
            self = .wrongInput
        case is StoreError, is ScanningError, is TalariaError: self = .environment
        default: return nil
        }
    }
}
