import ArgumentParser
import Basics
import BookCatalogue
import Composition
import Foundation

/// `spinebench catalogue info`: what a catalogue says of itself.
struct CatalogueInfo: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "info", abstract: "Says what is in a catalogue.")

    @Argument(help: "The catalogue; “embedded” for the one inside the program.", completion: .file())
    var file: String

    @Flag(help: "Prints JSON.")
    var json = false

    func run() throws {
        let information = try BookCatalogue.named(file).information
        if json {
            print(try JSONText.of(information))
            return
        }
        print("\(information.name): \(information.books) books")
        print("  with an ISBN    \(information.booksWithISBN)")
        print("  with an author  \(information.booksWithAuthor)")
        print("  schema          \(information.schemaVersion)")
        print("  digest          \(information.contentDigest)")
        for source in information.sources {
            print("  from            \(source.name) (\(source.format), \(source.rows) rows)")
        }
    }
}
