import ArgumentParser
import CommandSupport
import Composition
import DatasetExchange
import Foundation
import SpineDatasets

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
