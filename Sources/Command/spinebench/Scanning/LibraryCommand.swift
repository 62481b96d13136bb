import CommandSupport
import ArgumentParser
import Basics
import BookCatalogue
import Foundation
import Systems

struct LibraryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Show and export scanned books, and manage the queue.",
        subcommands: [LibraryList.self, LibraryExportCommand.self, LibraryRetry.self, LibraryForget.self]
    )
}

struct LibraryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List books, drafts without a book, and waiting and failed scans.",
        discussion: "A scan that the back end rejected keeps its picture until 'retry' or 'forget'."
    )

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openExisting()
        let books = try library.books()
        for book in books {
            var line = "\(book.state.rawValue)  \(book.title)"
            if !book.authors.isEmpty { line += " — \(book.authors.joined(separator: ", "))" }
            if let isbn = book.isbn { line += " \(isbn)" }
            print(line)
        }
        let drafts = try library.drafts()
        for draft in drafts { print("draft  \(draft.lines.joined(separator: " / "))") }
        let waiting = try library.waitingScans()
        for scan in waiting { print("queued  \(Self.text(scan))") }
        let failed = try library.failedScans()
        for scan in failed { print("failed  \(Self.text(scan))") }
        print(
            "\(NumberText.count(books.count, "book")), \(NumberText.count(drafts.count, "draft")), "
                + "\(NumberText.count(waiting.count, "scan")) queued"
                + (failed.isEmpty ? "" : ", \(NumberText.count(failed.count, "scan")) failed")
        )
    }

    private static func text(_ scan: QueuedScan) -> String {
        let error = scan.lastError.map { ": \(PlainLine.of($0))" } ?? ""
        return "\(scan.id) \(NumberText.count(scan.attempts, "attempt"))\(error)"
    }
}

struct LibraryExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the books as CSV or JSON.",
        discussion: "In CSV, a text that a spreadsheet would interpret as a formula gets an apostrophe."
    )

    @OptionGroup var options: LibraryOptions

    @Option(help: "Output format.")
    var format = Format.csv

    @Option(name: .customLong("out"), help: "Output file. (default: standard output)", completion: .file())
    var output: String?

    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, json }

    func run() throws {
        let file = try output.map { try OutputFile($0, option: "--out", over: options.files) }
        let books = try options.openExisting().books()
        let text =
            switch format {
            case .csv: LibraryExport.csv(books)
            case .json: try LibraryExport.json(books)
            }
        if let file {
            try file.write(Array(text.utf8))
        } else {
            print(text, terminator: "")
        }
    }
}

/// The selection of scans of the queue.
struct QueuedScanOptions: ParsableArguments {
    @Argument(
        help: .value("id", "Ids of scans, from 'spinebench library list'."),
        transform: QueuedScanOptions.id
    )
    var ids: [UUID] = []

    @Flag(help: "All failed scans.")
    var all = false

    func validate() throws {
        guard ids.isEmpty == all else { throw ValidationError("Specify scan ids, or --all.") }
    }

    private static func id(_ text: String) throws -> UUID {
        guard let id = UUID(uuidString: text) else { throw ValidationError("Invalid scan id '\(text)'.") }
        return id
    }

    /// Counts the scans for which `work` returns true; throws before any work when a named one is not in the queue.
    func forEach(of library: LibraryStore, _ work: (UUID) throws -> Bool) throws -> Int {
        let failed = try library.failedScans().map(\.id)
        let known = Set(failed + (try library.waitingScans().map(\.id)))
        if let unknown = ids.first(where: { !known.contains($0) }) {
            throw ValidationError("Scan not found in the queue: \(unknown); 'spinebench library list' lists the queue.")
        }
        return try (all ? failed : ids).count(where: work)
    }
}

struct LibraryRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Send failed and waiting scans with the next drain."
    )

    @OptionGroup var options: LibraryOptions
    @OptionGroup var scans: QueuedScanOptions

    func run() throws {
        let library = try options.openExisting()
        let count = try scans.forEach(of: library) { try library.retry($0) }
        print("\(NumberText.count(count, "scan")) to be sent; 'spinebench scan --drain' sends them")
    }
}

struct LibraryForget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete scans and their pictures from the queue.",
        discussion: "Their drafts stay in the library unless --drafts is given."
    )

    @OptionGroup var options: LibraryOptions
    @OptionGroup var scans: QueuedScanOptions

    @Flag(help: "Also delete their drafts.")
    var drafts = false

    func run() throws {
        let library = try options.openExisting()
        let count = try scans.forEach(of: library) { id in
            if drafts { try library.discardDraft(id) }
            return try library.forget(id)
        }
        print("\(NumberText.count(count, "scan")) forgotten")
    }
}
