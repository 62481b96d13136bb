import ArgumentParser
import Basics
import CommandSupport
import DatasetExchange
import Foundation
import SpineDatasets
import Systems

struct DatasetFetch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Make a dataset by a recipe, from photos of public repositories.",
        discussion: """
            Example:

              spinebench dataset fetch Datasets/real-1 --out real-1

            Photos come by git, or from --mirror, and must have the recipe's digests. Those that are gone are listed, \
            and their spines left out; without any, the exit code is 4. Manual: Docs/DATASETS.md#real-spines.
            """
    )

    @Argument(help: "Folder of the recipe, or the name of one that comes with the program.", completion: .directory)
    var recipe: String

    @Option(help: "Folder with copies of photos, under any names.", completion: .directory)
    var mirror: String?

    @Option(
        name: .customLong("out"),
        help: .value("dir", "Output folder: new or empty. (default: the recipe's name)"),
        completion: .directory
    )
    var output: String?

    func run() throws {
        let output = output ?? URL(filePath: recipe).lastPathComponent
        let fetch = try PhotoFetch(recipe, mirror: mirror, into: URL(filePath: output))
        for fault in fetch.gone { Console.standardError("\(fault)") }
        guard let dataset = fetch.dataset else {
            Console.error("\(recipe): none of its photos can be had")
            throw ExitStatus.environment.exitCode
        }
        if !fetch.gone.isEmpty {
            Console.standardError("\(NumberText.count(fetch.gone.count, "spine")) left out, whose photos are gone")
        }
        print(DatasetText.summary(dataset))
        print(dataset.digest)
    }
}

struct DatasetImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import labelled pictures of other tools as a dataset.",
        discussion: """
            Example:

              spinebench dataset import scans --out Datasets/scans --licence CC-BY-4.0

            Degrees as an orientation turn the text clockwise: 90 is cw, from top to bottom. One invalid record \
            rejects the import. Manual: Docs/DATASETS.md#import-and-export.
            """
    )

    @Argument(help: "Folder with labels and pictures, or file with labels.", completion: .file())
    var source: String

    @Option(help: .value("name", "Format of the labels, or ./PROGRAM. (default: by the file's ending)"))
    var format: String?

    @Option(name: .customLong("out"), help: "Output folder: new or empty.", completion: .directory)
    var output: String

    @Option(help: "Folder of the pictures. (default: the labels')", completion: .directory)
    var pictures: String?

    @Option(name: .customLong("column"), help: .value("field=name", "Column of a field; “-” for none."))
    var columns: [String] = []

    @Option(help: "Category where the labels state none.")
    var category: SampleCategory?

    @Option(help: "Orientation where neither labels nor lines determine it.")
    var orientation: SampleOrientation?

    @Option(help: "Title where none is labelled; longest is the longest line.")
    var titleFrom = TitleSource.none

    @Option(help: .value("pixels", "Coordinates of pictures with EXIF rotation: auto, upright or stored."))
    var coordinates = "auto"

    @Flag(help: "Skip invalid records, and list them in the card.")
    var skipBad = false

    @Flag(help: "Keep the pictures' EXIF, GPS, XMP and comments.")
    var keepMetadata = false

    @Option(help: "The dataset's name. (default: the folder's)")
    var name: String?

    @Option(help: "Licence of labels and pictures.")
    var licence: String?

    enum TitleSource: String, ExpressibleByArgument, CaseIterable { case none, longest }

    func validate() throws {
        if coordinates != "auto", CoordinateFrame(rawValue: coordinates) == nil {
            throw ValidationError("invalid --coordinates \"\(coordinates)\": expected auto, upright or stored")
        }
        let _: [LabelField: String] = try columnNames(columns)
    }

    func run() throws {
        var options = ImportOptions(
            date: Date.now.formatted(.iso8601.year().month().day()),
            tables: FormatLibrary.reader("table")
        )
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
            for line in Faults(report.faults).lines { Console.standardError(line) }
            Console.standardError("\(NumberText.count(report.skipped, "invalid record")) skipped")
        }
        print("\(output): \(report.contents)")
        if let dataset = report.dataset { print(dataset.digest) }
    }
}
