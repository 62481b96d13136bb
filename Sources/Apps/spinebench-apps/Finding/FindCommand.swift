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

/// `spinebench find`: shows the results of a visual search.
package struct FindCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Finds the books that a picture shows, as a phone's visual search does.",
        discussion: """
            For example:

              spinebench find spine.jpg
              spinebench find shelf.jpg --label bookshelf --language de
              spinebench find --label "ursula le guin"
              spinebench find --web

            A picture is of one spine, a cover or a whole shelf, PNG, JPEG or HEIC. It is read, and the catalogue and the \
            library name its books, the surest first, those of a shelf in their order; nothing is shown rather than a guess. \
            Labels are the system's general words for what is seen ("book", "bookshelf") or a name that is asked for; they \
            choose, and never overrule what was read. Without a picture, they are looked up: exact names, then those that \
            begin so, those that have it in them, similar ones.

            Each result has a URL, which 'spinebench open' shows again at any later time: what was found is remembered in \
            the library, with a small picture of it.

            With --json, each picture gives one line: path, labels, results (kind, id, card of title, subtitle and typeName, \
            and the item's own fields: confidence is the probability that the picture shows it), offset, total and next \
            (of the page), reading (what was read, and by the search's own clock how long it took) and milliseconds - or \
            path and error.

            Exit codes: 0 every question was answered, be it by nothing, 1 a picture could not be read, 2 wrong usage, or no \
            such file, 4 the engine, its models, the catalogue or the library is missing.
            """
    )

    @Argument(help: .value("path", "Pictures, and folders of them."))
    var paths: [String] = []

    @Option(name: .customLong("label"), help: .value("text", "A word for what is seen; may be given more than once."))
    var labels: [String] = []

    @Option(help: .value("n", "Begin at this place of the ranking, from 0: more results."))
    var from = 0

    @Option(
        help: .value(
            "code",
            "Language of names and of the choice between editions: \(EntityWords.languages.joined(separator: ", "))."
        )
    )
    var language = "en"

    @Option(help: .value("name[,setting=value…]", "How to read."))
    var variant = "fast"

    @Option(help: .value("file", "The catalogue; “embedded” for the one inside the program."))
    var catalogue = ScanSettings.embedded

    @Option(help: .value("i/n", "Look at one part of the pictures, from 1, or that of slurm, kubernetes or auto."))
    var shard: ShardArgument?

    @OptionGroup var library: LibraryOptions

    @Flag(help: "Remember nothing; then shelves of this search cannot be opened later.")
    var forget = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Flag(help: "Serve a page on 127.0.0.1 on which pictures are dropped.")
    var web = false

    @Option(help: .value("port", "The page's port; 0 for a free one."))
    var port = 8766

    package init() {}

    package func validate() throws {
        if paths.isEmpty && labels.isEmpty && !web {
            throw ValidationError("Say what to find: a picture, a --label, or --web for a page.")
        }
        if shard != nil && paths.isEmpty { throw ValidationError("--shard divides pictures: name some.") }
        if web && !(paths.isEmpty && labels.isEmpty) {
            throw ValidationError("--web takes pictures on its page: name none.")
        }
        if !(0...65_535).contains(port) { throw ValidationError("--port is \(port); expected 0 to 65535.") }
        if !(0..<100).contains(from) {
            throw ValidationError("--from is \(from); expected 0 to 99: there are 100 results at most.")
        }
        if !EntityWords.languages.contains(language) {
            let known = EntityWords.languages.joined(separator: ", ")
            throw ValidationError("--language is '\(language)'; expected one of \(known).")
        }
        if let empty = labels.first(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw ValidationError("--label is '\(empty)', and says nothing.")
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
                Console.error("the port \(port) is taken; name another one, or --port 0 for a free one")
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
            Console.error("what was found is not remembered: \(error)")
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
                lines.append("Open one: spinebench open \(first.result.id)")
            }
        }
        StandardOutput.write(lines.joined(separator: "\n") + "\n")
    }

    /// Returns the reason for an empty result.
    private func emptiness(_ report: FindReport) -> String {
        if report.total > 0 { return "no more than \(report.total) results" }
        guard let reading = report.reading else {
            return "nothing is called so; general words alone, such as “book”, name nothing"
        }
        let text = reading.lines.map(\.text).joined(separator: " ")
        return text.isEmpty
            ? "nothing; no text was read" : "nothing that is sure; “\(PlainLine.of(String(text.prefix(80))))” was read"
    }
}
