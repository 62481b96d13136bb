package import ArgumentParser
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import Systems
import VisualSearch

package struct OpenCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
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

    @Option(help: .value("code", "Language of names: \(EntityWords.languages.joined(separator: ", "))."))
    var language = "en"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = ScanSettings.embedded

    @OptionGroup var library: LibraryOptions

    @Option(help: .value("file", "PNG file for the thumbnail, of an earlier result."))
    var thumbnail: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    package init() {}

    package func run() async throws {
        let id: EntityID
        do {
            id = try EntityID(url: url)
        } catch {
            throw HarnessError.configuration("\(error)")
        }
        let output = try thumbnail.map { try OutputFile($0, option: "--thumbnail", over: library.files + [catalogue]) }
        let path = library.path()
        let store = FileManager.default.fileExists(atPath: path) ? try LibraryStore(path: path) : nil
        let items = EntityItems(catalogue: try .named(catalogue), library: store)
        let result: VisualSearchResult
        do {
            result = try items.item(id)
        } catch let error as EntityError {
            throw HarnessError.configuration("\(error)")
        }
        let item = FindReport.Item(result, language: language)
        if json {
            StandardOutput.write(try JSONText.line(item) + "\n")
        } else {
            StandardOutput.write(text(of: item) + "\n")
        }
        guard let output else { return }
        guard let png = try store?.shown(id.description)?.thumbnail else {
            throw HarnessError.configuration("\(id) has no picture: it was not seen from this library")
        }
        try output.write(png)
    }

    private func text(of item: FindReport.Item) -> String {
        var lines = [item.text(place: nil)]
        switch item.result {
        case .book(let book):
            if let isbn = book.isbn { lines.append("ISBN \(isbn)") }
            if let series = book.series { lines.append("Series: \(PlainLine.of(series))") }
            if let day = book.scannedOn { lines.append("In the library since \(day)") }
        case .shelf(let shelf):
            lines += shelf.books.enumerated().map {
                FindReport.Item(.book($1), language: language).text(place: "\($0 + 1)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
