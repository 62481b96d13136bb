import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Composition
import Foundation
import Harness
import Imaging
import Reports
import ScanningPipeline
import SpineDatasets
import SpineReaders

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

    @Argument(help: .value("path", "Photos, and folders of them."))
    var paths: [String]

    @Option(help: .value("name[,setting=value…]", "Variant that reads."))
    var variant = "fast"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = "embedded"

    @Flag(help: "Print JSON Lines.")
    var json = false

    @Option(help: .value("k/n", "Read one part, numbered from 1."))
    var part: Part?

    @Option(help: .value("file", "CSV file for the books of all photos."))
    var csv: String?

    @Option(help: .value("dir", "Folder for SVGs with the results drawn on each photo."))
    var overlay: String?

    func validate() throws {
        do { _ = try ComposedVariant(variant) } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        var pictures = try PictureFiles(paths)
        if let part { pictures.keep(part) }
        for line in pictures.skipped { Console.standardError(line) }
        let table = try csv.map { try OutputFile($0, option: "--csv", over: pictures.paths) }
        let pipeline = try load()
        var overlays = try overlay.map { try OverlayFiles(folder: $0, pictures: pictures.paths) }
        let bar = TimedBar()
        var rows = CSVTable(ShelfReport.columns)
        try PictureReading.printReports(of: pictures.paths, bar) { path in
            var report = read(path, with: pipeline) { bar.note("reading; latest book: \($0)") }
            if report.error == nil, let overlay = overlays?.path(for: path) { try draw(&report, on: overlay) }
            for row in report.rows { rows.add(row) }
            return (json ? try JSONText.line(report) : text(of: report), report.error == nil)
        } atEnd: {
            try table?.write(rows.bytes)
        }
    }

    private func load() throws -> SpinePipeline {
        let loaded = try PictureReading.load(ComposedVariant(variant))
        guard loaded.shelf != nil else {
            throw HarnessError.configuration(
                "--variant \(variant): its engine cannot detect lines, so it cannot read shelves; use fast or accurate"
            )
        }
        return try loaded.pipeline(.named(catalogue))
    }

    /// Reads a picture; `named` is called with the title of each book as it is named.
    private func read(_ path: String, with pipeline: SpinePipeline, named: (String) -> Void) -> ShelfReport {
        do {
            let scan = try pipeline.books(of: .file(try InputFile.bytes(path)), name: path) { book in
                if let title = book.named.naming.answer?.book.title { named(title) }
            }
            return ShelfReport(path: path, scan: scan)
        } catch {
            return ShelfReport(path: path, error: error.systemReason)
        }
    }

    private func text(of report: ShelfReport) -> String {
        report.error.map { Console.coloured("✗", .red) + " \($0)" } ?? report.text(width: Console.width)
    }

    /// Writes the overlay; when it cannot be written, the results are printed before.
    private func draw(_ report: inout ShelfReport, on overlay: String) throws {
        do {
            let image = try ImageCodec.decode(try InputFile.bytes(report.path), name: report.path).image
            let drawn = try Overlay(of: report.books ?? []).svg(over: image)
            try OutputFile(overlay, option: "--overlay", over: []).write(drawn)
            report.overlay = overlay
        } catch {
            print(json ? try JSONText.line(report) : text(of: report))
            throw error
        }
    }
}
