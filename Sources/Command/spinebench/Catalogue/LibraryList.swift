import ArgumentParser
import Documents
import LibraryStore

/// `spinebench library list`: the books, the drafts, and the queue with what was given up.
struct LibraryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the books, the drafts that are no books yet, and the scans that wait or were given up.",
        discussion: """
            A scan that was given up was refused by the back end itself; its picture is kept. 'spinebench library retry' puts \
            it back into the queue, 'spinebench library forget' removes it.
            """
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
                + (failed.isEmpty ? "" : ", \(NumberText.count(failed.count, "scan")) given up")
        )
    }

    private static func text(_ scan: QueuedScan) -> String {
        let error = scan.lastError.map { ": \(PlainLine.of($0))" } ?? ""
        return "\(scan.id) \(NumberText.count(scan.attempts, "attempt"))\(error)"
    }
}
