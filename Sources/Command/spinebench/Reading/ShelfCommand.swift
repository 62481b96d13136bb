import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import Reports
import ScanningPipeline
import SpineDatasets
import SpineReaders
import Systems

struct ShelfCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelf",
        abstract: "Identify the books on photos of shelves, with their positions.",
        discussion: """
            Example:

              spinebench shelf photos --catalogue books.sqlite --csv books.csv

            Photos are PNG, JPEG or HEIC. Manual: Docs/READING.md#identify-all-books-of-a-shelf, fields of --json: \
            Reports/FORMAT.md#json-lines-of-commands.
            """
    )

    @OptionGroup var reading: PictureReading

    @Option(help: .value("name[,setting=value…]", "Variant that reads."))
    var variant = "fast"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = "embedded"

    @Option(help: .value("k/n", "Read one part, numbered from 1."))
    var part: Part?

    @Option(help: .value("file", "CSV file for the books of all photos."))
    var csv: String?

    func validate() throws {
        do { _ = try ComposedVariant(variant) } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        let files = try reading.pictures(part)
        let table = try csv.map { try OutputFile($0, option: "--csv", over: files) }
        let loaded = try PictureReading.load(ComposedVariant(variant))
        guard loaded.shelf != nil else {
            throw HarnessError.configuration(
                "--variant \(variant): its engine cannot detect lines, so it cannot read shelves; use fast or accurate"
            )
        }
        let books = try BookCatalogue.named(catalogue)
        let pipeline = try loaded.pipeline(books)
        let bar = ProgressDisplay()
        var rows = CSVTable(PictureReport.columns)
        var named = 0
        try reading.printReports(of: files, bar) { path, bytes in
            let start = "reading \(URL(filePath: path).lastPathComponent)"
            bar.note(start)
            var found = 0
            let scan = try pipeline.books(of: .file(bytes), name: path) { book in
                found += 1
                let latest = book.named.naming.answer.map { "; latest book: \($0.book.title)" } ?? ""
                bar.note("\(start): \(NumberText.count(found, "spine"))\(latest)")
            }
            let report = PictureReport(path: path, scan: scan)
            for row in report.rows { rows.add(row) }
            named += (report.books ?? []).count { $0.state == .book }
            return report
        } atEnd: {
            try table?.write(rows.bytes)
            Console.standardError((named == 0 ? "No book was named. " : "") + books.source)
        }
    }
}
