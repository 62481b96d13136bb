import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Documents
import Foundation
import Systems

struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Build and search catalogues of books.",
        subcommands: [CatalogueBuild.self, CatalogueInfo.self, CatalogueSearch.self]
    )
}

struct CatalogueInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show information about a catalogue."
    )

    @Argument(help: "Catalogue file; “embedded” for the built-in one.", completion: .file())
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let information = try BookCatalogue.named(file).information
        if json { return print(try JSONText.of(information)) }
        let rows = [
            ["with an ISBN", "\(information.booksWithISBN)"], ["with an author", "\(information.booksWithAuthor)"],
            ["schema", "\(information.schemaVersion)"], ["digest", information.contentDigest],
        ]
        let sources = information.sources.map { ["from", "\($0.name) (\($0.format), \($0.rows) rows)"] }
        let title = "\(information.name): \(information.books) books"
        let table = Table(title, columns: [.text(""), .text("")], rows: rows + sources)
        print(table.terminal(width: Console.width))
    }
}

struct CatalogueSearch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find books by words of their titles and authors."
    )

    @Argument(help: "Catalogue file; “embedded” for the built-in one.", completion: .file())
    var file: String

    @Argument(help: "Words, or an ISBN.")
    var text: [String]

    @Option(help: "Maximum results.")
    var limit = 20

    @Option(help: "Results to skip.")
    var offset = 0

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        try range("--limit", limit, 1...1_000_000)
        try range("--offset", offset, 0...1 << 40)
    }

    func run() throws {
        let catalogue = try BookCatalogue.named(file)
        let words = text.joined(separator: " ")
        var books = try catalogue.search(words, limit: limit, offset: offset)
        if books.isEmpty, offset == 0 {
            let candidates = try CatalogueMatcher(catalogue: catalogue).match([words]).candidates
            if let corrected = TypedName.corrected(words, by: candidates) {
                Console.standardError("no book matches \"\(words)\"; results for \"\(corrected)\"")
                books = try catalogue.search(corrected, limit: limit)
            }
        }
        if json {
            print(try JSONText.of(books))
        } else {
            for book in books { print(Self.line(book)) }
        }
        if books.isEmpty { Console.standardError("no book matches \"\(words)\"") }
    }

    private static func line(_ book: BookRecord) -> String {
        var line = book.title
        if !book.authors.isEmpty { line += " — \(book.authors.joined(separator: ", "))" }
        if let year = book.year { line += " (\(year))" }
        if let isbn = book.isbn { line += " \(isbn)" }
        return line
    }
}
