import ArgumentParser
import Basics
import CommandSupport
import Composition
import DatasetExchange
import Foundation
import SpineDatasets

struct DatasetImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import labelled pictures of other tools as a dataset.",
        discussion: """
            SOURCE is a folder with the labels and the pictures, or the file with the labels: a table (csv, tsv) with a row for every \
            spine, JSON Lines (jsonl) with the same names, or with --format the labels of another tool (a program of the folder \
            Formats) or of your own program (./PROGRAM). Docs/DATASETS.md lists the formats.

            Columns are recognised by their usual names (file, title, author, category, orientation, transcription, isbn, \
            language, group, split, legible, …), in any case. An orientation in degrees is the clockwise rotation of the \
            text: 0 upright, 90 cw (top to bottom), 180 inverted, 270 ccw.

            Missing labels are derived or guessed, and the dataset's card lists how often.

            With an invalid record nothing is imported; all invalid records are listed, and the exit code is 2.
            """
    )

    @Argument(help: "The folder with labels and pictures, or the file with the labels.", completion: .file())
    var source: String

    @Option(help: .value("name", "Format of the labels: one of these, or the path of a program."))
    var format: String?

    @Option(name: .customLong("out"), help: "Output folder: new or empty.", completion: .directory)
    var output: String

    @Option(help: "Folder of the pictures, if it differs from that of the labels.", completion: .directory)
    var pictures: String?

    @Option(name: .customLong("column"), help: .value("field=name", "Use a column for a field; “-” for none."))
    var columns: [String] = []

    @Option(help: "The category of spines whose labels state none.")
    var category: SampleCategory?

    @Option(help: "Orientation of spines for which neither the labels nor the corners of their lines determine it.")
    var orientation: SampleOrientation?

    @Option(help: "Title of spines without a labelled title: none, or the longest line, as a guess.")
    var titleFrom = TitleSource.none

    @Option(help: .value("pixels", "Coordinate system of pictures with EXIF rotation: auto, upright, stored."))
    var coordinates = "auto"

    @Flag(help: "Skip invalid records, and list them in the card, instead of failing.")
    var skipBad = false

    @Flag(help: "Keep EXIF, GPS, XMP and comments in the pictures.")
    var keepMetadata = false

    @Option(help: "The dataset's name. (default: that of the folder)")
    var name: String?

    @Option(help: "The licence of labels and pictures, for the card.")
    var licence: String?

    enum TitleSource: String, ExpressibleByArgument, CaseIterable { case none, longest }

    func validate() throws {
        if coordinates != "auto", CoordinateFrame(rawValue: coordinates) == nil {
            throw ValidationError("invalid --coordinates \"\(coordinates)\": expected auto, upright or stored")
        }
        let _: [LabelField: String] = try columnNames(columns)
    }

    func run() throws {
        var options = ImportOptions(date: Date.now.formatted(.iso8601.year().month().day()))
        (options.name, options.licence, options.pictures) = (name, licence, pictures)
        (options.category, options.orientation) = (category, orientation)
        (options.skipsBadRecords, options.keepsMetadata) = (skipBad, keepMetadata)
        options.format = try format.map {
            $0 == "csv" ? .csv : $0 == "jsonl" ? .jsonl : .program(try FormatLibrary.program($0))
        }
        options.formats = FormatLibrary.names
        options.frame = CoordinateFrame(rawValue: coordinates)
        options.columns = try columnNames(columns)
        options.takesLongestLineForTitle = titleFrom == .longest
        let report: ImportReport
        do {
            report = try DatasetImporter(options: options).run(source, to: URL(filePath: output)) { format, file in
                Console.standardError("\(file): \(format.label)")
            }
        } catch {
            guard case .faults = error, !skipBad else { throw error }
            Console.error("\(error)")
            Console.standardError("Nothing was imported: fix the labels, or skip invalid records with --skip-bad.")
            throw ExitStatus.wrongInput.exitCode
        }
        for line in report.remarks + report.sentences { print("  \(line)") }
        if report.skipped > 0 {
            for line in report.faults.lines { Console.standardError(line) }
            Console.standardError("\(NumberText.count(report.skipped, "invalid record")) skipped")
        }
        print("\(output): \(report.contents)")
        if let dataset = report.dataset { print(dataset.digest) }
    }
}
