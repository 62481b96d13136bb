import ArgumentParser
import CommandSupport
import Composition
import DatasetExchange
import Foundation
import SpineDatasets

/// The further commands of `spinebench`, which `make tools` builds.
@main
struct SpineBenchTools: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spinebench",
        abstract: "Run further commands of spinebench, on datasets, readings, catalogues, runs and networks.",
        subcommands: [
            InitCommand.self, BaselineCommand.self, RerunCommand.self, PlanCommand.self,
            HistoryCommand.self, ErrorsCommand.self, ScoreCommand.self, CatalogueCommand.self, WatchCommand.self,
            SliceCommand.self, MatchCommand.self, DevicesCommand.self, DatasetTools.self, ModelCommand.self,
            ModelWorkerCommand.self, HEICDecodeCommand.self,
        ]
    )

    static func main() async { await CommandProgram.run(Self.self) }
}

struct DatasetTools: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dataset",
        abstract: "Show, split, merge, convert and draw datasets.",
        subcommands: [
            DatasetStats.self, DatasetView.self, DatasetSplit.self, DatasetMerge.self, DatasetIndex.self,
            DatasetFix.self, DatasetImport.self, DatasetExport.self, DatasetSynth.self,
        ]
    )
}

extension ExportFormat: ExpressibleByArgument {}

struct DatasetExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a dataset as COCO or PaddleOCR labels.",
        discussion: """
            coco writes annotations.json: spines and lines as annotations with polygon, box and text. paddleocr writes \
            Label.txt. Other fields are under “spinebench”, or in spinebench.jsonl: \
            'spinebench dataset import' restores the same dataset.
            """
    )

    @Argument(help: "Dataset folder.", completion: .directory)
    var path: String

    @Option(help: "Format: coco or paddleocr.")
    var format: ExportFormat

    @Option(name: .customLong("out"), help: "Output folder: new or empty.", completion: .directory)
    var output: String

    func run() throws {
        let dataset = try DatasetLoader().load(path)
        let labels = try DatasetExporter.run(dataset, as: format, to: URL(filePath: output))
        print("\(labels): \(DatasetText.summary(dataset))")
    }
}

/// Prints a line, checked: a failed output of a command would otherwise be unnoticed.
///
/// It takes the place of the standard library's in this target.
func print(_ text: String, terminator: String = "\n") { StandardOutput.write(text + terminator) }
