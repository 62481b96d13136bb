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
import SpineReaders
import TextRecognition

struct ShelfCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelf",
        abstract: "Names the books of photos of shelves, in place and order.",
        discussion: """
            For example:

              spinebench shelf shelf.jpg
              spinebench shelf photos --catalogue books.sqlite --csv books.csv
              spinebench shelf shelf.jpg --page shelf.html

            Each picture is a photo of one or more rows of books, or of one spine, PNG, JPEG or HEIC. Of a folder, the files that are named \
            like pictures are taken. Every spine with text is a book (the catalogue names it), unsure (it may be what is said \
            with a question mark) or a draft (text alone). Rows count from the top, places from the left.

            With --json, each photo gives one line: path, width and height in pixels, milliseconds from the file's bytes to the \
            books, and books of row, index, outline (corners in the photo's pixels, clockwise from the top left), state, title, \
            authors, isbn, confidence (probability that it is that book), text and lines as 'spinebench read' has them - or path \
            and error.

            --shard reads the photos whose names belong to one of n parts, for many machines; lines of --json, and of --csv but for the \
            first, are those of one piece in another order.

            Exit codes: 0 every photo was read, 1 some could not be, 2 wrong usage, or no such file, 4 the engine, its models \
            or the catalogue is missing.
            """
    )

    @Argument(help: .value("path", "Photos, and folders of them."))
    var paths: [String]

    @Option(help: .value("name[,setting=value…]", "How to read."))
    var variant = "fast"

    @Option(help: .value("file", "The catalogue; “embedded” for the one inside the program."))
    var catalogue = "embedded"

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(help: .value("i/n", "Read one part of the photos, from 1, or that of slurm, kubernetes or auto."))
    var shard: ShardArgument?

    @Option(help: .value("file", "Write the books of all photos there as a table."))
    var csv: String?

    @Option(help: .value("dir", "Write each photo there, with what was found drawn on it, as SVG."))
    var overlay: String?

    @Option(help: .value("file", "Write a page on which the books of one photo are looked through and corrected."))
    var page: String?

    func validate() throws {
        if page != nil && paths.count != 1 { throw ValidationError("--page shows one photo: name one.") }
        do { _ = try ComposedVariant(variant) } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        var pictures = try PictureFiles(paths)
        if let shard { pictures.keep(try shard.shard()) }
        for line in pictures.skipped { Console.standardError(line) }
        let table = try csv.map { try OutputFile($0, option: "--csv", over: pictures.paths) }
        if page != nil, pictures.paths.count != 1 {
            throw HarnessError.configuration("--page shows one photo; \(paths[0]) holds \(pictures.paths.count)")
        }
        let sheet = try page.map { try OutputFile($0, option: "--page", over: pictures.paths) }
        let pipeline = try load()
        var overlays: OverlayFiles?
        if let overlay {
            do {
                try FileManager.default.createDirectory(atPath: overlay, withIntermediateDirectories: true)
            } catch {
                throw HarnessError.configuration("--overlay \(overlay) cannot be made: \(error.systemReason)")
            }
            overlays = OverlayFiles(folder: overlay, pictures: pictures.paths)
        }
        let bar = TimedBar()
        var failures = 0
        var rows = CSVTable(ShelfReport.columns)
        for (index, path) in pictures.paths.enumerated() {
            if StandardOutput.hasFailed { return }
            if pictures.paths.count > 1 { bar.show(index, of: pictures.paths.count) }
            var report = read(path, with: pipeline) { bar.note("reading; the first book: \($0)") }
            if report.error == nil { try draw(&report, on: overlays?.path(for: path), page: sheet) }
            if report.error != nil { failures += 1 }
            for row in report.rows { rows.add(row) }
            bar.clear()
            print(json ? try JSONText.line(report) : text(of: report))
        }
        try table?.write(rows.bytes)
        if failures > 0 {
            Console.error("\(failures) of \(pictures.paths.count) could not be read")
            throw ExitStatus.missed.exitCode
        }
    }

    private func load() throws -> SpinePipeline {
        let chosen = try ComposedVariant(variant)
        try chosen.settings.check(chosen.name)
        let settings = try chosen.reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        let loaded = try settings.load()
        guard loaded.shelf != nil else {
            throw HarnessError.configuration(
                "--variant \(variant): its engine finds no lines by itself, and reads no shelves; take fast or accurate"
            )
        }
        return try loaded.pipeline(.named(catalogue))
    }

    /// Reads a picture; `first` is called with the title of a book that is named before the others.
    private func read(_ path: String, with pipeline: SpinePipeline, first: (String) -> Void) -> ShelfReport {
        do {
            let scan = try pipeline.books(of: .file(try InputFile.bytes(path)), name: path) { book in
                if let title = book.named.naming.answer?.book.title { first(title) }
            }
            return ShelfReport(path: path, scan: scan)
        } catch {
            return ShelfReport(path: path, error: error.systemReason)
        }
    }

    private func text(of report: ShelfReport) -> String {
        report.error.map { Console.coloured("✗", .red) + " \($0)" } ?? report.text(width: Console.width)
    }

    /// Writes the overlay and the page, if requested.
    ///
    /// - Throws: `HarnessError` when a file cannot be written; the results are printed before.
    private func draw(_ report: inout ShelfReport, on overlay: String?, page: OutputFile?) throws {
        guard overlay != nil || page != nil else { return }
        do {
            let image = try ImageCodec.decode(try InputFile.bytes(report.path), name: report.path).image
            if let overlay {
                let drawn = try Overlay(of: report.books ?? []).svg(over: image)
                try OutputFile(overlay, option: "--overlay", over: []).write(drawn)
                report.overlay = overlay
            }
            if let page {
                try page.write(Array(ShelfPage(report: report, image: image).html()))
                report.page = page.path
            }
        } catch {
            print(json ? try JSONText.line(report) : text(of: report))
            throw error
        }
    }
}
