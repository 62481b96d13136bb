import ArgumentParser
import CommandSupport
import Composition

/// The commands of `spinebench` that convert and draw datasets and measure networks.
@main
struct SpineBenchTools: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Convert and draw datasets, and measure networks.",
        subcommands: [DatasetTools.self, ModelCommand.self, ModelProbeCommand.self, HEICDecodeCommand.self]
    )

    static func main() async { await CommandProgram.run(Self.self) }
}

struct DatasetTools: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Convert and draw datasets.",
        subcommands: [DatasetImport.self, DatasetExport.self, DatasetSynth.self]
    )
}

/// Prints a line, checked: a failed output of a command would otherwise be unnoticed.
///
/// It takes the place of the standard library's in this target.
func print(_ text: String, terminator: String = "\n") { StandardOutput.write(text + terminator) }
