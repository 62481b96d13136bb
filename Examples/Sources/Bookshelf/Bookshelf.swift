import BookCatalogue
import Foundation
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import TextRecognition

/// Reads pictures of spines, names their books, and keeps the books in a library.
///
///     Bookshelf library.sqlite spine.jpg …
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
        let description = "usage: Bookshelf library.sqlite spine.jpg …"
    }

    private static func scan(_ paths: ArraySlice<String>, into library: LibraryStore) async throws {
        let reader = try ReadingSettings.fast.load()
        let matcher = try CatalogueMatcher(catalogue: .embedded())
        // Nothing leaves the machine: the strategy has no back end.
        let session = try ScanSession(
            strategy: .onDeviceOnly,
            reader: LocalReader(reader.scanner),
            matcher: { try matcher.match($0, readings: 1) },
            backEnd: nil,
            store: library,
            ledger: EgressLedger(),
            deviceID: UUID()
        )
        for path in paths {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let scan = try await session.scan(photo: bytes, name: path)
            print("\(path): \(scan.lines.map(\.text).joined(separator: " | "))")
            print(
                "  \(scan.answer.map { "\($0.book.title), \($0.book.authors.joined(separator: ", "))" } ?? "not named")"
            )
        }
        print("The library has \(try library.books().count) books and \(try library.drafts().count) drafts.")
    }
}
