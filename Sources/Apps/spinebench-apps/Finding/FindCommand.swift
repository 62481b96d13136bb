import AppSystems
package import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Composition
import Foundation
import Harness
import NIOCore
import ScanningPipeline
import SpineReaders
import VisualSearch

package struct FindCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find the books on a picture, like a phone's visual search.",
        discussion: """
            For example:

              spinebench find spine.jpg
              spinebench find shelf.jpg --label bookshelf --language de
              spinebench find --label "ursula le guin"
              spinebench find --web

            A picture is of one spine, a cover or a whole shelf, PNG, JPEG or HEIC. It is read, and the catalogue and the \
            library identify its books, ranked by confidence, those of a shelf in their order; guesses are not shown. \
            Labels are the system's general words for the scene ("book", "bookshelf") or a requested name; they \
            select among results, and never override the text that was read. Without a picture, they are looked up: exact names, then names that \
            begin with them or contain them, and without any those with typing errors corrected ("Harry Poter").

            Each result has a URL, which 'spinebench open' shows again later: results are stored in \
            the library, with a thumbnail.

            With --json, the output has one line per picture: path, labels, results (kind, id, card of title, subtitle and typeName, \
            and the item's own fields: confidence is the probability that the picture shows it), offset, total and next \
            (of the page), reading (text and duration, by the search's own clock) and milliseconds - or \
            path and error.

            Exit codes: 0 every request was answered, even without results, 1 a picture could not be read, 2 invalid usage or file \
            not found, 4 the engine, its models, the catalogue or the library is missing.
            """
    )

    @Argument(help: .value("path", "Pictures, and folders of them."))
    var paths: [String] = []

    @Option(name: .customLong("label"), help: .value("text", "Label of the scene (repeatable)."))
    var labels: [String] = []

    @Option(help: .value("n", "First result to show, from 0."))
    var from = 0

    @Option(
        help: .value(
            "code",
            "Language of names and of the choice between editions: \(EntityWords.languages.joined(separator: ", "))."
        )
    )
    var language = "en"

    @Option(help: .value("name[,setting=value…]", "Variant that reads."))
    var variant = "fast"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = ScanSettings.embedded

    @Option(
        help: .value("i/n", "Process one shard of the pictures, numbered from 1, or that of slurm, kubernetes or auto.")
    )
    var shard: ShardArgument?

    @OptionGroup var library: LibraryOptions

    @Flag(help: "Do not store results; shelves of this search cannot be opened later.")
    var forget = false

    @Flag(help: "Print JSON Lines.")
    var json = false

    @Flag(help: "Serve a page for dropping pictures on 127.0.0.1.")
    var web = false

    @Option(help: .value("port", "Port of the page; 0 for a free port."))
    var port = 8766

    package init() {}

    package func validate() throws {
        if paths.isEmpty && labels.isEmpty && !web {
            throw ValidationError("Specify a picture, a --label, or --web for a page.")
        }
        if shard != nil && paths.isEmpty { throw ValidationError("--shard requires pictures.") }
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
        if let shard { pictures?.keep(try shard.shard()) }
        for line in pictures?.skipped ?? [] { Console.standardError(line) }
        var settings = ContentQuery.Settings()
        // A page asks again; the user of a command waits for its answer.
        if !web { settings.deadline = nil }
        let query = ContentQuery(try search(), settings: settings)
        if web {
            do {
                try await FindServer(query: query, port: port).run()
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                Console.error("port \(port) is in use; specify another one, or --port 0 for a free port")
                throw ExitStatus.environment.exitCode
            }
            return
        }
        var failures = 0
        for path in pictures?.paths ?? [] {
            if StandardOutput.hasFailed { return }
            let report = await self.report(path, of: query)
            if report.error != nil { failures += 1 }
            try show(report)
        }
        if pictures == nil { try show(await report(nil, of: query)) }
        do {
            try await query.finish()
        } catch {
            Console.error("results were not stored: \(error)")
            throw ExitStatus.environment.exitCode
        }
        if failures > 0 {
            Console.error("\(failures) of \(pictures?.paths.count ?? 1) could not be answered")
            throw ExitStatus.missed.exitCode
        }
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

    /// Returns the report of a query; `path` is nil for labels alone.
    private func report(_ path: String?, of query: ContentQuery) async -> FindReport {
        do {
            let picture = try path.map { ContentDescriptor.Picture.file(try InputFile.bytes($0)) }
            let descriptor = ContentDescriptor(labels: labels, picture: picture, language: language)
            let page = try await query.page(for: descriptor, from: from)
            return FindReport(page, path: path, labels: labels, language: language)
        } catch {
            return FindReport(path: path, labels: labels, error: error.systemReason)
        }
    }

    private func show(_ report: FindReport) throws {
        if json {
            StandardOutput.write(try JSONText.line(report) + "\n")
            return
        }
        let name = report.path ?? labels.joined(separator: ", ")
        var lines: [String] = []
        if let error = report.error {
            let place = error.hasPrefix(name) ? "" : "\(PlainLine.of(name)): "
            lines.append(Console.coloured("✗", .red) + " \(place)\(error)")
        } else if report.results.isEmpty {
            lines.append("\(PlainLine.of(name)): " + emptiness(report))
        } else {
            lines.append(PlainLine.of(name))
            lines += report.results.enumerated().map { $1.text(number: report.offset + $0 + 1) }
            if let next = report.next {
                lines.append("\(report.total - next) more: add --from \(next)")
            }
            if report.offset == 0, let first = report.results.first {
                lines.append("Show one: spinebench open \(first.result.id)")
            }
        }
        StandardOutput.write(lines.joined(separator: "\n") + "\n")
    }

    /// Returns the reason for an empty result.
    private func emptiness(_ report: FindReport) -> String {
        if report.total > 0 { return "no more than \(report.total) results" }
        guard let reading = report.reading else {
            return "no results; general words alone, such as “book”, match nothing"
        }
        let text = reading.lines.map(\.text).joined(separator: " ")
        return text.isEmpty
            ? "no results; no text was read" : "no certain results; “\(PlainLine.of(String(text.prefix(80))))” was read"
    }
}
