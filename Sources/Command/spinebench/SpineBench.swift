import ArgumentParser
import CommandSupport
import Composition
import Foundation

@main
struct SpineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Measures how well a book-spine scanner reads, and whether it may ship.",
        discussion: """
            'spinebench --version' prints the version.

            Programs of their own have the other commands. 'make apps' builds capture, sessions, studio, find and open; \
            'make tools' builds model, dataset import, dataset export and dataset synth.

            Exit codes: 0 pass, 1 a target was missed or a picture could not be read, 2 wrong usage or settings, or an input that \
            is missing or not of its kind, 3 not enough to decide, 4 something is missing or full: an engine, a model, the back \
            end, a port, the disk, 130 and 143 stopped by a signal.
            """,
        subcommands: [
            RunCommand.self, MergeCommand.self, CompareCommand.self, GateCommand.self, BaselineCommand.self,
            ReportCommand.self,
            SuitesCommand.self, WatchCommand.self, ReadCommand.self, ShelfCommand.self,
            ScanCommand.self,
            MatchCommand.self, EnginesCommand.self,
            DatasetCommand.self, CatalogueCommand.self, DevicesCommand.self, SimulateCommand.self, LibraryCommand.self,
            WorkerCommand.self,
            HEICDecodeCommand.self,
        ]
    )

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let companion = Companion.named(by: arguments) {
            Console.error(companion.take(over: arguments))
            Foundation.exit(ExitStatus.environment.code)
        }
        await CommandProgram.run(Self.self)
    }
}
