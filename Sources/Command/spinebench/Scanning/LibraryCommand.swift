import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
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
        func text(_ scan: QueuedScan) -> String {
            let error = scan.lastError.map { ": \(PlainLine.of($0))" } ?? ""
            return "\(scan.id) \(NumberText.count(scan.attempts, "attempt"))\(error)"
        }
        let (books, drafts) = (try library.books(), try library.drafts())
        let (waiting, failed) = (try library.waitingScans(), try library.failedScans())
        for book in books {
            let authors = book.authors.isEmpty ? "" : " — \(book.authors.joined(separator: ", "))"
            print("\(book.state.rawValue)  \(book.title)\(authors)\(book.isbn.map { " \($0)" } ?? "")")
        }
        for draft in drafts { print("draft  \(draft.lines.joined(separator: " / "))") }
        for scan in waiting { print("queued  \(text(scan))") }
        for scan in failed { print("failed  \(text(scan))") }
        print(
            "\(NumberText.count(books.count, "book")), \(NumberText.count(drafts.count, "draft")), "
                + "\(NumberText.count(waiting.count, "scan")) queued"
                + (failed.isEmpty ? "" : ", \(NumberText.count(failed.count, "scan")) failed")
        )
    }
}

struct LibraryExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export books and drafts as CSV or JSON.",
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
        let library = try options.openExisting()
        let (books, drafts) = (try library.books(), try library.drafts())
        let text =
            try format == .csv
            ? LibraryExport.csv(books, drafts: drafts) : LibraryExport.json(books, drafts: drafts)
        guard let file else { return print(text, terminator: "") }
        try file.write(Array(text.utf8))
    }
}

/// The selection of scans of the queue.
struct QueuedScanOptions: ParsableArguments {
    @OptionGroup var library: LibraryOptions

    @Argument(help: .value("id", "Ids of scans, from 'spinebench library list'."), transform: QueuedScanOptions.id)
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
    func count(_ work: (LibraryStore, UUID) throws -> Bool) throws -> String {
        let library = try library.openExisting()
        let failed = try library.failedScans().map(\.id)
        let known = Set(failed + (try library.waitingScans().map(\.id)))
        if let unknown = ids.first(where: { !known.contains($0) }) {
            throw ValidationError("Scan not found in the queue: \(unknown); 'spinebench library list' lists the queue.")
        }
        return NumberText.count(try (all ? failed : ids).count { try work(library, $0) }, "scan")
    }
}

struct LibraryRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Send failed and waiting scans with the next drain."
    )

    @OptionGroup var scans: QueuedScanOptions

    func run() throws {
        let count = try scans.count { try $0.retry($1) }
        print("\(count) to be sent; 'spinebench scan --drain' sends them")
    }
}

struct LibraryForget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete scans and their pictures from the queue.",
        discussion: "Their drafts stay in the library unless --drafts is given."
    )

    @OptionGroup var scans: QueuedScanOptions

    @Flag(help: "Also delete their drafts.")
    var drafts = false

    func run() throws {
        let count = try scans.count { library, id in
            if drafts { try library.discardDraft(id) }
            return try library.forget(id)
        }
        print("\(count) forgotten")
    }
}
