import ArgumentParser
import CommandSupport
import Composition
import Foundation

@main
struct SpineBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Benchmark book-spine scanners against release targets.",
        discussion: """
            'spinebench --version' prints the version.

            Further commands are separate programs. 'make apps' builds \(Companion.apps.commandList); 'make tools' builds \
            \(Companion.tools.commandList).

            Exit codes: 0 pass, 1 a target was missed or a picture could not be read, 2 invalid usage or settings, or an input that \
            is missing or invalid, 3 not enough data to decide, 4 something is missing or full: an engine, a model, the back \
            end, a port, the disk, 130 and 143 stopped by a signal.
            """,
        subcommands: [
            RunCommand.self, MergeCommand.self, CompareCommand.self, GateCommand.self, ReportCommand.self,
            SuitesCommand.self, ReadCommand.self, ShelfCommand.self, EnginesCommand.self,
            DatasetCommand.self, SimulateCommand.self, WorkerCommand.self,
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
