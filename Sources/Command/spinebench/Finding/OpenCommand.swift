import ArgumentParser
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import Systems
import VisualSearch

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show the book or shelf of a URL printed by 'find'.",
        discussion: """
            Example:

              spinebench open spinebench://book/isbn/9780439023481

            The item is searched in the library, the catalogue, then earlier results. Manual: \
            Docs/READING.md#find-the-books-on-a-picture.
            """
    )

    @Argument(help: .value("url", "URL of the item."))
    var url: String

    @OptionGroup var options: FindOptions

    @Option(help: .value("file", "PNG file for the thumbnail, of an earlier result."))
    var thumbnail: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        do {
            try show(try EntityID(url: url))
        } catch let error as EntityError {
            throw HarnessError.configuration("\(error)")
        }
    }

    private func show(_ id: EntityID) throws {
        let (library, catalogue) = (options.library, options.catalogue)
        let output = try thumbnail.map { try OutputFile($0, option: "--thumbnail", over: library.files + [catalogue]) }
        let path = library.path()
        let store = FileManager.default.fileExists(atPath: path) ? try LibraryStore(path: path) : nil
        let result = try EntityItems(catalogue: .named(catalogue), library: store).item(id)
        let text = json ? try JSONText.line(result.json(language: options.language)) : text(of: result)
        StandardOutput.write(text + "\n")
        guard let output else { return }
        guard let png = try store?.shown(id.description)?.thumbnail else {
            throw HarnessError.configuration("\(id) has no picture: it was not seen from this library")
        }
        try output.write(png)
    }

    private func text(of result: VisualSearchResult) -> String {
        var lines = [result.text(place: nil, language: options.language)]
        switch result {
        case .book(let book):
            if let isbn = book.isbn { lines.append("ISBN \(isbn)") }
            if let series = book.series { lines.append("Series: \(PlainLine.of(series))") }
            if let day = book.scannedOn { lines.append("In the library since \(day)") }
        case .shelf(let shelf):
            lines += shelf.books.enumerated().map {
                VisualSearchResult.book($1).text(place: "\($0 + 1)", language: options.language)
            }
        }
        return lines.joined(separator: "\n")
    }
}
