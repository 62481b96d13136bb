import Basics
import BookCatalogue
import Foundation
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import TextRecognition

/// Reads pictures of spines and of shelves, names their books, and keeps the books in a library.
///
///     Bookshelf library.sqlite spine.jpg shelf.jpg …
@main struct Bookshelf {
    static func main() async {
        do {
            guard CommandLine.arguments.count > 2 else { throw Usage() }
            try await scan(CommandLine.arguments[2...], into: LibraryStore(path: CommandLine.arguments[1]))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: Bookshelf library.sqlite picture.jpg …"
    }

    private static func scan(_ paths: ArraySlice<String>, into library: LibraryStore) async throws {
        let reader = try ReadingSettings.fast.load()
        let matcher = try CatalogueMatcher(catalogue: .embedded())
        // Nothing leaves the machine: the strategy has no back end.
        let session = try ScanSession(
            strategy: .onDeviceOnly,
            reader: LocalReader(reader.scanner, shelf: reader.shelf),
            matcher: { try matcher.match($0, readings: 1) },
            backEnd: nil,
            store: library,
            ledger: EgressLedger(),
            deviceID: UUID()
        )
        for path in paths {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            // A picture of shelves has a scan for each spine, whose name ends with its place: #ROW.INDEX.
            for scan in try await session.scan(shelf: bytes, name: path) {
                let text = scan.lines.map(\.text).joined(separator: " | ")
                print("\(scan.name): \(text)\n  \(scan.answer.map { describe($0.book) } ?? "not named")")
            }
        }
        print("The library has \(try library.books().count) books and \(try library.drafts().count) drafts.")
    }

    private static func describe(_ book: BookRecord) -> String {
        "\(book.title), \(book.authors.joined(separator: ", "))\(book.isbn.map { ", ISBN \($0.digits)" } ?? "")"
    }
}
