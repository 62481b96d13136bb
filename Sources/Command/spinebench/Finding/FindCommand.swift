package import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import SpineDatasets
import SpineReaders
import Systems
import VisualSearch

package struct FindCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find the books on a picture, like a phone's visual search.",
        discussion: """
            Examples:

              spinebench find shelf.jpg --label bookshelf --language de
              spinebench find --label "ursula le guin"
              spinebench find --web

            Pictures are PNG, JPEG or HEIC, of a spine, a cover or a shelf. Results are stored, so that 'spinebench \
            open' shows their URLs. Manual: Docs/READING.md#find-the-books-on-a-picture, fields of --json: \
            Reports/FORMAT.md#json-lines-of-commands.
            """
    )

    @Argument(help: .value("path", "Pictures, and folders of them."))
    var paths: [String] = []

    @Option(name: .customLong("label"), help: .value("text", "Scene, or name to search for (repeatable)."))
    var labels: [String] = []

    @Option(help: .value("n", "First result to show, from 0."))
    var from = 0

    @Option(
        help: .value(
            "code",
            "Language of names and editions: \(EntityWords.languages.joined(separator: ", "))."
        )
    )
    var language = "en"

    @Option(help: .value("name[,setting=value…]", "Variant that reads."))
    var variant = "fast"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = ScanSettings.embedded

    @Option(
        help: .value("k/n", "Process one part, numbered from 1.")
    )
    var part: Part?

    @OptionGroup var library: LibraryOptions

    @Flag(help: "Do not store results; their shelves cannot be opened.")
    var forget = false

    @Flag(help: "Print JSON Lines.")
    var json = false

    @Flag(help: "With --json, also print results during the reading.")
    var partial = false

    @Flag(help: "Serve a page on 127.0.0.1 for dropping pictures.")
    var web = false

    @Option(help: .value("port", "Port of the page; 0 for a free port."))
    var port = 8766

    package init() {}

    package func validate() throws {
        if paths.isEmpty && labels.isEmpty && !web {
            throw ValidationError("Specify a picture, a --label, or --web for a page.")
        }
        if partial && !(json && !paths.isEmpty) { throw ValidationError("--partial requires --json and pictures.") }
        if part != nil && paths.isEmpty { throw ValidationError("--part requires pictures.") }
        if web && !(paths.isEmpty && labels.isEmpty) {
            throw ValidationError("--web takes no picture arguments.")
        }
        if !(0...65_535).contains(port) { throw ValidationError("Invalid --port \(port): expected 0 to 65535.") }
        if !(0..<100).contains(from) {
            throw ValidationError("Invalid --from \(from): expected 0 to 99, as there are at most 100 results.")
        }
        if !EntityWords.languages.contains(language) {
            let known = EntityWords.languages.joined(separator: ", ")
            throw ValidationError("Invalid --language '\(language)': expected one of \(known).")
        }
        if let empty = labels.first(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw ValidationError("Invalid --label '\(empty)': expected a text with letters or digits.")
        }
        do { _ = try ComposedVariant(variant).reading } catch { throw ValidationError("\(error)") }
    }

    package func run() async throws {
        // Missing files are reported before anything is loaded.
        var pictures = paths.isEmpty ? nil : try PictureFiles(paths)
        if let part { pictures?.keep(part) }
        for line in pictures?.skipped ?? [] { Console.standardError(line) }
        var settings = ContentQuery.Settings()
        // The user of a command waits for its answer, and a shelf is printed whole.
        settings.deadline = nil
        if web || pictures != nil { settings.pageSize = EntitySearch.most }
        let query = ContentQuery(try search(), settings: settings)
        if web {
            try await FindServer(query: query, port: port).run()
            return
        }
        var (failures, misses) = (0, 0)
        for path in pictures?.paths.map(Optional.some) ?? [nil] {
            if StandardOutput.hasFailed { return }
            let report = try await self.report(path, of: query)
            if report.error != nil { failures += 1 } else if report.total ?? 0 == 0 { misses += 1 }
        }
        do {
            try await query.finish()
        } catch {
            Console.error("results were not stored: \(error)")
            throw ExitStatus.environment.exitCode
        }
        let all = pictures?.paths.count ?? 1
        if failures > 0 { Console.error("\(failures) of \(all) could not be answered") }
        if misses > 0, all > 1 { Console.error("\(misses) of \(all) have no results") }
        if failures + misses > 0 { throw ExitStatus.missed.exitCode }
    }

    private func search() throws -> EntitySearch {
        let chosen = try ComposedVariant(variant)
        let settings = try chosen.reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try EntitySearch(
            settings.load(),
            catalogue: .named(catalogue),
            library: forget ? nil : LibraryStore(path: library.path())
        )
    }

    /// Prints the answer to a query as it grows, and returns it; `path` is nil for labels alone.
    private func report(_ path: String?, of query: ContentQuery) async throws -> FindReport {
        var report: FindReport
        var printed = PrintedResults(name: path ?? labels.joined(separator: ", "), first: from + 1)
        do {
            let picture = try path.map { ContentDescriptor.Picture.file(try InputFile.bytes($0)) }
            let descriptor = ContentDescriptor(labels: labels, picture: picture, language: language)
            var last: ResultPage?
            for try await page in await query.pages(for: descriptor, from: from) {
                if !page.isComplete, from == 0, !json || partial {
                    let new = FindReport(page, after: last, path: path, labels: labels, language: language)
                    StandardOutput.write(json ? try JSONText.line(new) + "\n" : printed.lines(of: new.results))
                }
                last = page
            }
            guard let last else { throw CancellationError() }
            report = FindReport(last, path: path, labels: labels, language: language)
        } catch {
            report = FindReport(path: path, labels: labels, error: error.systemReason)
        }
        StandardOutput.write(json ? try JSONText.line(report) + "\n" : printed.end(of: report, emptiness))
        return report
    }

    /// Returns the reason for an empty result.
    private func emptiness(_ report: FindReport) -> String {
        if let total = report.total, total > 0 { return "no more than \(total) results" }
        guard let reading = report.reading else {
            return "no results; check the spelling, and note that general words, such as “book”, match nothing"
        }
        let text = reading.lines.map(\.text).joined(separator: " ")
        return text.isEmpty
            ? "no results; no text was read" : "no certain results; “\(PlainLine.of(String(text.prefix(80))))” was read"
    }
}

/// Results in a terminal: those of a shelf as they are read, without a place, and all in their order at the end.
private struct PrintedResults {
    let name: String
    /// Number of the first result.
    let first: Int
    /// Results that were printed while the rest was read.
    private var known: [String] = []

    init(name: String, first: Int) { (self.name, self.first) = (PlainLine.of(name), first) }

    /// Returns the lines of new results while the rest is read.
    mutating func lines(of items: [FindReport.Item]) -> String {
        let new = items.filter { !known.contains($0.result.id.description) }
        let head = known.isEmpty && !new.isEmpty ? name + "\n" : ""
        known += new.map(\.result.id.description)
        return head + new.map { $0.text(place: "·") + "\n" }.joined()
    }

    /// Returns the lines of a whole answer.
    func end(of report: FindReport, _ emptiness: (FindReport) -> String) -> String {
        if let error = report.error {
            return Console.coloured("✗", .red) + (error.hasPrefix(name) ? " \(error)\n" : " \(name): \(error)\n")
        }
        let ids = Set(report.results.map(\.result.id.description))
        var text = known.isEmpty ? name + "\n" : "In order:\n"
        if report.results.isEmpty { text = known.isEmpty ? "\(name): \(emptiness(report))\n" : "" }
        for (number, item) in report.results.enumerated() { text += item.text(place: "\(first + number)") + "\n" }
        for id in known where !ids.contains(id) { text += "Not confirmed: \(id)\n" }
        if let next = report.next { text += "\((report.total ?? next) - next) more: add --from \(next)\n" }
        let spines = report.reading?.spines ?? []
        if spines.count > 1 {
            text += "\(spines.count { $0.book != nil }) of \(spines.count) spines identified; text of the others:\n"
            for spine in spines where spine.book == nil {
                text += "     \(spine.row).\(spine.index)  “\(PlainLine.of(spine.text.joined(separator: " ")))”\n"
            }
        }
        if report.offset == 0, let first = report.results.first {
            text += "Show one: spinebench open \(first.result.id)\n"
        }
        return text
    }
}
