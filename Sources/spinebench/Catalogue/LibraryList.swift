import ArgumentParser
import BenchmarkHarness
import LibraryStore

/// `spinebench library list`: the books, the drafts and the queue.
struct LibraryList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the books, the drafts that are no books yet, and the scans that wait."
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
        for scan in waiting {
            let error = scan.lastError.map { ": \($0)" } ?? ""
            print("queued  \(scan.id) \(NumberText.count(scan.attempts, "attempt"))\(error)")
        }
        print(
            "\(NumberText.count(books.count, "book")), \(NumberText.count(drafts.count, "draft")), "
                + "\(NumberText.count(waiting.count, "scan")) queued"
        )
    }
}
