import ArgumentParser
import CommandSupport
import DatasetExchange
import Foundation
import SpineDatasets
import Systems

/// The further commands of `spinebench`, which `make tools` builds.
@main
struct SpineBenchTools: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Label photos; work on datasets, readings, catalogues, runs and networks.",
        subcommands: [
            InitCommand.self, BaselineCommand.self, PlanCommand.self,
            HistoryCommand.self, ErrorsCommand.self, ScoreCommand.self, CatalogueCommand.self, WatchCommand.self,
            SliceCommand.self, MatchCommand.self, DevicesCommand.self, DatasetTools.self, ModelCommand.self,
            ModelWorkerCommand.self, LabelCommand.self, HEICDecodeCommand.self,
        ]
    )

    static func main() async { await CommandProgram.run(Self.self) { ExitStatus($0) } }
}

struct DatasetTools: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Show, split, merge, import, fetch and draw datasets.",
        subcommands: [
            DatasetStats.self, DatasetView.self, DatasetSplit.self, DatasetMerge.self, DatasetFix.self,
            DatasetImport.self, DatasetFetch.self, DatasetSynth.self, DatasetAgreement.self,
        ]
    )
}

/// Prints a line, checked: a failed output of a command would otherwise be unnoticed.
///
/// It takes the place of the standard library's in this target.
func print(_ text: String, terminator: String = "\n") { StandardOutput.write(text + terminator) }
