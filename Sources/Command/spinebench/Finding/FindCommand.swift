import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import SpineDatasets
import SpineReaders
import Systems
import TextRecognition
import VisualSearch

struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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

    @Option(help: .value("name[,setting=value…]", "Variant that reads."))
    var variant = "fast"

    @Option(help: .value("k/n", "Process one part, numbered from 1."))
    var part: Part?

    @OptionGroup var options: FindOptions

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

    func validate() throws {
        let empty = labels.first { $0.allSatisfy(\.isWhitespace) }
        try refuse([
            (paths.isEmpty && labels.isEmpty && !web, "Specify a picture, a --label, or --web for a page."),
            (partial && !(json && !paths.isEmpty), "--partial requires --json and pictures."),
            (part != nil && paths.isEmpty, "--part requires pictures."),
            (web && !(paths.isEmpty && labels.isEmpty), "--web takes no picture arguments."),
            (!(0...65_535).contains(port), "Invalid --port \(port): expected 0 to 65535."),
            (
                !(0..<100).contains(from),
                "Invalid --from \(from): expected 0 to 99, as there are at most 100 results."
            ),
            (empty != nil, "Invalid --label '\(empty ?? "")': expected a text with letters or digits."),
        ])
        do { _ = try ComposedVariant(variant).reading } catch { throw ValidationError("\(error)") }
    }

    func run() async throws {
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
            return try await FindServer(query: query).run(port: port)
        }
        var (failures, misses) = (0, 0)
        for path in pictures?.paths.map(Optional.some) ?? [nil] {
            if StandardOutput.hasFailed { return }
            switch try await answer(path, of: query) {
            case nil: failures += 1
            case 0: misses += 1
            default: break
            }
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
        let settings = try ComposedVariant(variant).reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try EntitySearch(
            settings.load(),
            catalogue: .named(options.catalogue),
            library: forget ? nil : LibraryStore(path: options.library.path())
        )
    }

    /// Prints the answer to a query, and returns the number of its results; nil after an error.
    private func answer(_ path: String?, of query: ContentQuery) async throws -> Int? {
        func write(_ page: ResultPage?, error: String? = nil) throws {
            let answer = Members(page, path: path, labels: labels, error: error)
            let name = PlainLine.of(path ?? labels.joined(separator: ", "))
            let text = try json ? JSONText.line(answer) + "\n" : page?.text(name, language: options.language)
            let failure = Console.coloured("✗", .red) + (error?.hasPrefix(name) == true ? " " : " \(name): ")
            StandardOutput.write(text ?? failure + "\(error ?? "")\n")
        }
        var last: ResultPage?
        do {
            let picture = try path.map { ContentDescriptor.Picture.file(try InputFile.bytes($0)) }
            let descriptor = ContentDescriptor(labels: labels, picture: picture, language: options.language)
            for try await page in await query.pages(for: descriptor, from: from) {
                if partial, from == 0, !page.isComplete { try write(page.news(since: last)) }
                last = page
            }
            try write(last)
            return last?.total
        } catch {
            try write(nil, error: error.systemReason)
            return nil
        }
    }
}

extension Members {
    /// Creates a line of `find --json`, or of the page's answers: a page of results, or the error in its place.
    init(_ page: ResultPage?, path: String? = nil, labels: [String], error: String? = nil) {
        let about: KeyValuePairs<String, (any Encodable)?> = ["path": path, "labels": labels, "error": error]
        let none = Members(fields: ["results": [String](), "offset": 0, "total": 0, "isComplete": false])
        self.init(content: page.map { $0 as any Encodable } ?? none, fields: about)
    }
}

extension ResultPage {
    /// Returns the lines of a whole answer in a terminal.
    fileprivate func text(_ name: String, language: String) -> String {
        var lines = results.isEmpty ? ["\(name): \(emptiness)"] : [name]
        for (number, result) in results.enumerated() {
            lines.append(result.text(place: "\(offset + number + 1)", language: language))
        }
        if let next { lines.append("\(total - next) more: add --from \(next)") }
        let spines = reading?.spines ?? []
        if spines.count > 1 {
            let named = spines.count { $0.book != nil }
            lines.append("\(named) of \(spines.count) spines identified; text of the others:")
            for spine in spines where spine.book == nil {
                let read = PlainLine.of(spine.text.joined(separator: " "))
                lines.append("     \(spine.place.row).\(spine.place.index)  “\(read)”")
            }
        }
        if offset == 0, let first = results.first { lines.append("Show one: spinebench open \(first.id)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Reason for an empty page.
    private var emptiness: String {
        if total > 0 { return "no more than \(total) results" }
        guard let reading else {
            return "no results; check the spelling, and note that general words, such as “book”, match nothing"
        }
        let text = reading.lines.map(\.text).joined(separator: " ")
        return text.isEmpty
            ? "no results; no text was read" : "no certain results; “\(PlainLine.of(String(text.prefix(80))))” was read"
    }
}

extension VisualSearchResult {
    /// Returns lines for a terminal: the card, and the URL that opens it; `place`: its number, if it has one.
    func text(place: String?, language: String) -> String {
        let card = DisplayCard(self, language: language)
        var head = place.map { String(repeating: " ", count: max(0, 3 - $0.count)) + "\($0)  " } ?? ""
        head += card.title
        if !card.subtitle.isEmpty { head += " · \(card.subtitle)" }
        if case .book(let book) = self, let confidence = book.confidence {
            // Below 1, 99.9 % at most.
            head += "  (\(NumberText.percent(confidence < 1 ? min(confidence, 0.999) : 1)) sure)"
        }
        return head + "\n" + (place == nil ? "" : "     ") + id.description
    }
}
