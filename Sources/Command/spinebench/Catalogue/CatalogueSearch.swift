import ArgumentParser
import Basics
import BookCatalogue
import Composition

/// `spinebench catalogue search`: the books that have some words.
struct CatalogueSearch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds books by words of their titles and authors."
    )

    @Argument(help: "The catalogue; “embedded” for the one inside the program.", completion: .file())
    var file: String

    @Argument(help: "Words, or an ISBN.")
    var text: [String]

    @Option(help: "Prints this many, at most.")
    var limit = 20

    @Option(help: "Leaves this many out before.")
    var offset = 0

    @Flag(help: "Prints JSON.")
    var json = false

    func validate() throws {
        guard limit > 0, offset >= 0 else { throw ValidationError("--limit begins at 1 and --offset at 0") }
    }

    func run() throws {
        let catalogue = try BookCatalogue.named(file)
        let words = text.joined(separator: " ")
        let books =
            try ISBN(words).map { try catalogue.books(isbn: $0) }
            ?? catalogue.search(words, limit: limit, offset: offset)
        if json {
            print(try JSONText.of(books))
        } else {
            for book in books { print(Self.line(book)) }
        }
        if books.isEmpty { Console.standardError("no book has \"\(words)\"") }
    }

    private static func line(_ book: BookRecord) -> String {
        var line = book.title
        if !book.authors.isEmpty { line += " — \(book.authors.joined(separator: ", "))" }
        if let year = book.year { line += " (\(year))" }
        if let isbn = book.isbn { line += " \(isbn)" }
        return line
    }
}
