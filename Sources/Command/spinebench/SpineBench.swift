import ArgumentParser
import CommandSupport
import Foundation
import Systems

@main
struct SpineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Benchmark book-spine scanners against release targets.",
        discussion: """
            'make tools' builds \(Companion.commandList). '--version' prints the version.

            Exit codes: 0 pass, 1 a target missed or a picture not read, 2 invalid usage or input, 3 not enough data \
            to decide, 4 something is missing or full, 130 and 143 stopped by a signal. Details: \
            Docs/MEASURING.md#exit-codes.
            """,
        subcommands: [
            RunCommand.self, MergeCommand.self, CompareCommand.self, GateCommand.self, ReportCommand.self,
            SuitesCommand.self, ReadCommand.self, ShelfCommand.self, EnginesCommand.self,
            DatasetCommand.self, SimulateCommand.self, ScanCommand.self, LibraryCommand.self, FindCommand.self,
            OpenCommand.self,
            WorkerCommand.self, HEICDecodeCommand.self,
        ]
    )

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if Companion.has(arguments) {
            Console.error(Companion.runInstead(arguments))
            Foundation.exit(ExitStatus.environment.code)
        }
        await CommandProgram.run(Self.self) { ExitStatus($0) }
    }
}
