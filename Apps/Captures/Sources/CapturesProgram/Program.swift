import ArgumentParser
import CommandSupport
import Systems

/// The commands of `spinebench` that scan into a library, take captures, search and label.
@main
struct SpineBenchApps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Scan books, capture pictures, texts and addresses, find the books on a picture, and label photos.",
        subcommands: [
            CaptureCommand.self, SessionsCommand.self, StudioCommand.self, FindCommand.self, OpenCommand.self,
            ScanCommand.self, LibraryCommand.self, LabelCommand.self, LabelTools.self, AppWorkerCommand.self,
            HEICDecodeCommand.self,
        ]
    )

    static func main() async { await CommandProgram.run(Self.self) }
}

/// The worker that `run` starts for each measurement of captures or of visual search.
struct AppWorkerCommand: ParsableCommand {
    static let configuration = WorkerOptions.configuration

    @OptionGroup var options: WorkerOptions

    func run() throws { try options.run(apps: AppSystems.load) }
}

/// Prints a line, checked: a failed output of a command would otherwise be unnoticed.
///
/// It takes the place of the standard library's in this target.
func print(_ text: String, terminator: String = "\n") { StandardOutput.write(text + terminator) }
