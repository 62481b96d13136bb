import ArgumentParser
import Basics
import CommandSupport
import DatasetExchange
import Foundation
import SpineDatasets
import Systems

struct DatasetFix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fix",
        abstract: "Correct the label of a sample; runs are then scored with it.",
        discussion: """
            Examples:

              spinebench dataset fix Datasets/mine spine-7 --title "The Hobbit" --why "typing error"
              spinebench dataset fix Datasets/mine spine-9 --no-author --legible false

            Manual: Docs/DATASETS.md#correct-a-label.
            """
    )

    @Argument(help: "Dataset folder.", completion: .directory)
    var path: String

    @Argument(help: "Id of the sample.")
    var sample: String

    @Option(help: "Printed title.")
    var title: String?

    @Option(help: "Printed author.")
    var author: String?

    @Option(help: "All text that is certain, in reading order.")
    var transcription: String?

    @Option(help: "Category.")
    var category: SampleCategory?

    @Option(help: "Direction of the title.")
    var orientation: SampleOrientation?

    @Option(help: "Style of the lettering.")
    var style: String?

    @Option(help: "ISBN of the book.")
    var isbn: String?

    @Option(help: "Whether a person can read the title: true or false.")
    var legible: Bool?

    @Flag(name: .customLong("no-author"), help: "The spine names no author.")
    var noAuthor = false

    @Option(help: "Reason, stored with the correction.")
    var why: String?

    private var texts: [LabelFixing.Field: String?] {
        let values: [(LabelFixing.Field, String?)] = [
            (.title, title), (.author, author), (.transcription, transcription), (.category, category?.rawValue),
            (.orientation, orientation?.rawValue), (.style, style), (.isbn, isbn),
        ]
        var texts: [LabelFixing.Field: String?] = [:]
        for (field, value) in values { if let value { texts[field] = .some(value) } }
        if noAuthor { texts.updateValue(nil, forKey: .author) }
        return texts
    }

    func validate() throws {
        if texts.isEmpty && legible == nil {
            throw ValidationError("Specify the new label, such as --title \"The Hobbit\".")
        }
        if noAuthor && author != nil { throw ValidationError("--no-author contradicts --author; remove one.") }
    }

    func run() throws {
        let (mend, dataset) = try LabelFixing.fix(
            sample,
            in: URL(filePath: path),
            texts: texts,
            legible: legible,
            why: why,
            at: Date.now.formatted(.iso8601)
        )
        print("Corrected: \(sample) of \(dataset.manifest.name)")
        print("Digest:    \(mend.from)")
        print("       ->  \(mend.to)")
        print("Next:      spinebench report RUN    # scores a run with the new label".typed)
    }
}
