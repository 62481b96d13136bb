import ArgumentParser
import Basics
import BookCatalogue
import Composition
import Evaluation
import Foundation
import ScanningPipeline
import SpineReaders
import TextRecognition

struct ShelfCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelf",
        abstract: "Reads the photos of shelves of datasets, and compares with the books that stand on them.",
        discussion: """
            A dataset's folder holds shelves.jsonl, a photo with its books a line, or shelf.json with one. The catalogue should \
            have all books: 'spinebench catalogue build books.csv --from-dataset DIR'. Books whose title is not wholly visible \
            do not count, neither found nor missed.
            """
    )

    @Argument(help: "Datasets' folders.", completion: .directory)
    var datasets: [String]

    @Option(help: "A catalogue; “embedded” for the one inside the program.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "How to read: a variant with settings.")
    var variant = "fast"

    @Flag(help: "Print what was missed, and what was named wrongly.")
    var verbose = false

    func run() throws {
        let loaded = try ComposedVariant(variant).reading.load()
        guard let reader = loaded.shelf else { throw ValidationError("\(variant) does not read shelves") }
        let matcher = try CatalogueMatcher(catalogue: .named(catalogue))
        let scanner = ShelfScanner(reader: reader) { try matcher.match($0, readings: 1) }
        var total = ShelfFigures()
        for folder in datasets {
            for shelf in try LabelledShelf.all(in: folder) {
                let path = "\(folder)/\(shelf.image)"
                let scan = try scanner.scan([UInt8](Data(contentsOf: URL(filePath: path))), name: path)
                let figures = ShelfFigures(scan, of: shelf, verbose: verbose)
                print("\(shelf.image): \(figures)")
                total += figures
            }
        }
        print("all: \(total)")
    }
}

/// A photo with the books that somebody saw on it.
private struct LabelledShelf: Decodable {
    struct Book: Decodable {
        var title: String
        var author: String?
        var authorFull: String?
        var catalogueTitle: String?
        var titleFullyVisible: Bool?
        var legible: Bool?

        var counts: Bool { titleFullyVisible ?? true && legible ?? true && !title.isEmpty }

        var truth: TrueBook {
            let author = authorFull ?? author ?? ""
            return TrueBook(title: catalogueTitle ?? title, author: author)
        }

        func isTitle(of book: BookRecord) -> Bool {
            truth.isSame(book) || TrueBook(title: title, author: author ?? "").isSame(book)
                || TrueBook(title: title, author: "").isSame(book)
        }
    }

    var image: String
    var books: [Book]

    static func all(in folder: String) throws -> [LabelledShelf] {
        if FileManager.default.fileExists(atPath: "\(folder)/shelf.json") {
            return [
                try JSONDecoder().decode(
                    LabelledShelf.self,
                    from: Data(contentsOf: URL(filePath: "\(folder)/shelf.json"))
                )
            ]
        }
        return try String(contentsOfFile: "\(folder)/shelves.jsonl", encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(LabelledShelf.self, from: Data($0.utf8)) }
    }
}

private struct ShelfFigures: CustomStringConvertible {
    var labelled = 0
    var spines = 0
    var named = 0
    var right = 0
    var titlesRead = 0
    var moved = 0
    var seconds = 0.0
    var detection = 0.0
    var recognition = 0.0

    init() {}

    init(_ scan: ShelfScan, of shelf: LabelledShelf, verbose: Bool) {
        let counted = shelf.books.filter(\.counts)
        labelled = counted.count
        spines = scan.books.count
        seconds = scan.total / .seconds(1)
        detection = scan.timings.detectionInference / .seconds(1)
        recognition = scan.timings.recognitionInference / .seconds(1)
        var free = Set(scan.books.indices)
        var places: [Int] = []
        var missed: [LabelledShelf.Book] = []
        for book in counted {
            let found = free.sorted().first { scan.books[$0].match.answer.map { book.isTitle(of: $0.book) } ?? false }
            if let found {
                free.remove(found)
                places.append(found)
                right += 1
            } else {
                missed.append(book)
            }
            if scan.books.contains(where: { spine in
                FieldRead(field: book.title, in: spine.spine.reading.lines.map(\.text).joined(separator: " ")).isRead
                    ?? false
            }) {
                titlesRead += 1
            }
        }
        let others = shelf.books.filter { !$0.counts }
        let wrong = free.sorted().filter { index in
            guard let answer = scan.books[index].match.answer else { return false }
            return !others.contains { $0.isTitle(of: answer.book) }
        }
        named = right + wrong.count
        moved = places.count - Self.longestAscent(places)
        guard verbose else { return }
        for book in missed { print("  missed: \(book.title) / \(book.author ?? "")") }
        for index in scan.books.indices {
            let book = scan.books[index]
            let mark = wrong.contains(index) ? "wrong" : free.contains(index) ? "unnamed" : "right"
            let lines = book.spine.reading.lines.map(\.text).joined(separator: " | ")
            let best = book.match.candidates.first.map { "\($0.book.title) \(String(format: "%.2f", $0.confidence))" }
            print("  \(mark) \(book.spine.row).\(book.spine.index): \(lines) -> \(best ?? "-")")
        }
    }

    /// Length of the longest strictly ascending subsequence.
    private static func longestAscent(_ numbers: [Int]) -> Int {
        var ends: [Int] = []
        for number in numbers {
            if let at = ends.firstIndex(where: { $0 >= number }) { ends[at] = number } else { ends.append(number) }
        }
        return ends.count
    }

    static func += (total: inout ShelfFigures, one: ShelfFigures) {
        for path in [\ShelfFigures.labelled, \.spines, \.named, \.right, \.titlesRead, \.moved]
            as [WritableKeyPath<ShelfFigures, Int>]
        {
            total[keyPath: path] += one[keyPath: path]
        }
        for path in [\ShelfFigures.seconds, \.detection, \.recognition] as [WritableKeyPath<ShelfFigures, Double>] {
            total[keyPath: path] += one[keyPath: path]
        }
    }

    var description: String {
        func share(_ count: Int, _ of: Int) -> String {
            String(format: "%.1f %%", 100 * Double(count) / Double(max(1, of)))
        }
        return
            "\(labelled) books, \(spines) spines, \(right) named (\(share(right, labelled))), precision \(share(right, named)), "
            + "\(titlesRead) titles read (\(share(titlesRead, labelled))), \(moved) out of order, "
            + String(format: "%.2f s (detection %.2f, recognition %.2f)", seconds, detection, recognition)
    }
}
