import ArgumentParser
import BenchmarkHarness
import BookCatalogue
import DeviceSimulation
import Foundation
import LibraryStore
import ScanningPipeline
import SpineDatasets
import Talaria

@main
struct SpineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Measures how well a book-spine scanner reads, and whether it may ship.",
        discussion: """
            Exit codes: 0 pass, 1 a target was missed or a picture could not be read, 2 wrong usage, settings or dataset, 3 not enough to decide, \
            4 something is missing on this machine, 130 and 143 stopped by a signal.
            """,
        subcommands: [
            RunCommand.self, CompareCommand.self, GateCommand.self, BaselineCommand.self, ReportCommand.self,
            SuitesCommand.self, WatchCommand.self, ReadCommand.self, ScanCommand.self, MatchCommand.self,
            ModelCommand.self, EnginesCommand.self, DatasetCommand.self, CatalogueCommand.self, DevicesCommand.self,
            SimulateCommand.self, LibraryCommand.self, WorkerCommand.self, ModelProbeCommand.self,
        ]
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Says what went wrong and exits with the code that the command line promises for it.
    private static func end(with error: any Error) -> Never {
        if let error = error as? DatasetError {
            Console.error("\(error)")
            Foundation.exit(2)
        }
        if error is SuiteFaults || error is SettingFaults || error is DeviceError {
            Console.error("\(error)")
            Foundation.exit(2)
        }
        if let error = error as? HarnessError {
            Console.error("\(error)")
            Foundation.exit(error.exitCode)
        }
        if let error = error as? CatalogueError {
            Console.error("\(error)")
            Foundation.exit(error.exitCode)
        }
        if let error = error as? LibraryError {
            Console.error("\(error)")
            Foundation.exit(error.exitCode)
        }
        if error is SimulationFault {
            Console.error("\(error)")
            Foundation.exit(2)
        }
        if error is ScanningError || error is TalariaError {
            Console.error("\(error)")
            Foundation.exit(4)
        }
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        if code == .success {
            print(message)
        } else if !message.isEmpty {
            Console.standardError(message)
        }
        // ArgumentParser's own code for wrong usage is 64 (EX_USAGE); any other error that reaches this place comes from
        // the system.
        if code == .validationFailure { Foundation.exit(2) }
        Foundation.exit(error is ExitCode || code == .success ? code.rawValue : 4)
    }
}

extension HarnessError {
    /// What the process ends with.
    fileprivate var exitCode: Int32 {
        switch self {
        case .configuration, .runFolder, .resumeMismatch: 2
        case .unavailable, .workerNeverReady, .storage: 4
        case .interrupted(let signal): 128 + signal
        }
    }
}

extension CatalogueError {
    /// What the process ends with.
    fileprivate var exitCode: Int32 {
        switch self {
        case .unusable, .source: 2
        case .operation: 4
        }
    }
}

extension LibraryError {
    /// What the process ends with.
    fileprivate var exitCode: Int32 {
        switch self {
        case .unusable: 2
        case .operation: 4
        }
    }
}
