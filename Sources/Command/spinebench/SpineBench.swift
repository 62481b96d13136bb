import ArgumentParser
import Basics
import BookCatalogue
import CommandParts
package import CommandSupport
import DeviceSimulation
import Finding
import Foundation
import Harness
import LibraryStore
import PictureProcess
import ScanningPipeline
import SpineDatasets
import Storage
import Studio
import Talaria

@main
struct SpineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Measures how well a book-spine scanner reads, and whether it may ship.",
        discussion: """
            'spinebench --version' prints the version.

            Exit codes: 0 pass, 1 a target was missed or a picture could not be read, 2 wrong usage or settings, or an input that \
            is missing or not of its kind, 3 not enough to decide, 4 something is missing or full: an engine, a model, the back \
            end, a port, the disk, 130 and 143 stopped by a signal.
            """,
        subcommands: [
            RunCommand.self, MergeCommand.self, CompareCommand.self, GateCommand.self, BaselineCommand.self,
            ReportCommand.self,
            SuitesCommand.self, WatchCommand.self, ReadCommand.self, ShelfCommand.self, FindCommand.self,
            OpenCommand.self, ScanCommand.self, CaptureCommand.self, SessionsCommand.self, StudioCommand.self,
            MatchCommand.self, ModelCommand.self, EnginesCommand.self,
            DatasetCommand.self, CatalogueCommand.self, DevicesCommand.self, SimulateCommand.self, LibraryCommand.self,
            WorkerCommand.self, ModelProbeCommand.self,
            HEICDecodeCommand.self,
        ]
    )

    static func main() async {
        if CommandLine.arguments.dropFirst().first != HEICDecodeCommand.name { HEICProcess.install() }
        let arguments = Array(CommandLine.arguments.dropFirst())
        var status = ExitStatus.success.code
        do {
            if arguments == ["--version"] {
                print(RunOptions.tool)
            } else {
                if let slip = try repetition(in: arguments) { throw slip }
                try await runParsed()
            }
        } catch {
            status = told(error, arguments)
        }
        let ending = StandardOutput.ending(status)
        if let message = ending.message { Console.error(message) }
        Foundation.exit(ending.status)
    }

    /// An option whose first value would be lost.
    private static func repetition(in arguments: [String]) throws -> CommandTree.Slip? {
        guard arguments.hasRepeatedOption else { return nil }
        return try CommandTree(of: Self.self).repetition(in: arguments)
    }

    /// Says what went wrong, and gives the code that the command line promises for it.
    private static func told(_ error: any Error, _ arguments: [String]) -> Int32 {
        if let status = ExitStatus(error) {
            Console.error("\(error)")
            return status.code
        }
        let code = exitCode(for: error)
        if error is ExitCode { return code.rawValue }
        if code == .success {
            print(fullMessage(for: error))
            return code.rawValue
        }
        // ArgumentParser's own code for wrong usage is 64 (EX_USAGE).
        if code == .validationFailure {
            if let slip = try? CommandTree(of: Self.self).stranger(in: arguments) {
                Console.error("\(slip)")
            } else {
                Console.standardError(fullMessage(for: error))
            }
            return ExitStatus.wrongInput.code
        }
        // Any other error that reaches this place comes from the system.
        Console.error((error.systemPath.map { "\($0): " } ?? "") + error.systemReason)
        return ExitStatus.environment.code
    }
}

extension CommandTree.Slip: Error, CustomStringConvertible {
    /// For whoever made it.
    package var description: String {
        switch self {
        case .repeated(let option):
            return "\(option) is given twice, and one value would be lost; give it once, a list with commas between"
        case .unknownCommand(let name, let known):
            let words = name.split(separator: " ").map(String.init)
            let hint = hint(words.last ?? "", known, ["spinebench"] + words.dropLast())
            return "there is no command \"\(name)\"; \(hint)"
        case .unknownOption(let name, let command, let known):
            return "there is no option \(name); \(hint(name, known, ["spinebench"] + command))"
        }
    }

    private func hint(_ name: String, _ known: [String], _ command: [String]) -> String {
        if let near = NearName.of(name, among: known) { return "did you mean \(near)?" }
        return "'\(command.joined(separator: " ")) --help' lists what there is"
    }
}

extension ExitStatus {
    /// Of a program that fails with an error of its own; nil for any other error.
    fileprivate init?(_ error: any Error) {
        switch error {
        case DatasetError.outage: self = .environment
        case is CommandTree.Slip, is DatasetError, is SuiteFaults, is SettingFaults, is DeviceError, is SimulationFault:
            self = .wrongInput
        case let error as HarnessError:
            switch error {
            case .configuration, .runFolder, .resumeMismatch: self = .wrongInput
            case .picture(_, _, let mayPass): self = mayPass ? .environment : .wrongInput
            case .busy, .unavailable, .workerNeverReady, .storage, .unwritable: self = .environment
            case .interrupted(let signal): self = .signal(signal)
            }
        case CatalogueError.unusable, CatalogueError.source, StoreError.unusable, TalariaError.badConfiguration:
            self = .wrongInput
        case is CatalogueError, is StoreError, is ScanningError, is TalariaError: self = .environment
        default: return nil
        }
    }
}
