import ArgumentParser
import Basics
import BookCatalogue
import Foundation
import ScanningPipeline

struct MatcherCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "matcher",
        abstract: "Match strings read from spines with their known books.",
        discussion: """
            A match is right when the ISBN is the same, or else the main title and an author's surname, in any \
            edition. Strings whose book the catalogue lacks remain in the denominator of the figures marked \
            "of all".

            \(ExcludedSamples.rule)
            """
    )

    @OptionGroup var options: MatchOptions

    @Option(help: "A CSV file with the columns title, author, isbn and ocr (line by line).", completion: .file())
    var pairs: String

    @Flag(help: "Print one JSON object a string: the best five books, best first, and milliseconds.")
    var json = false

    func run() throws {
        // Read before the catalogue is opened, to exclude its memory.
        let rows = try CSVRows(path: pairs).rows
        let before = ResidentMemory.bytes() ?? 0
        var run = try MatchRun(options)
        let loaded = ResidentMemory.bytes() ?? 0
        for row in rows {
            guard let title = row["title"], let text = row["ocr"] else {
                throw ValidationError("\(pairs): has no columns title and ocr")
            }
            let truth = GroundTruthBook(title: title, author: row["author"] ?? "", isbn: ISBN(row["isbn"] ?? ""))
            let group = row["image_name"] ?? ""
            let id = "\(group)/\(row["mask_id"] ?? text)"
            let result = try run.match(
                text.split(whereSeparator: \.isNewline).map { MatchLine(text: String($0), confidence: 1) },
                of: truth,
                kind: "pairs",
                id: id,
                group: group
            )
            if json {
                let books = result.candidates.map(Found.Book.init)
                let found = Found(books: books, isNamed: result.answer != nil, milliseconds: run.times.last ?? 0)
                print(String(decoding: try JSONEncoder().encode(found), as: UTF8.self))
            }
        }
        try run.writeFeatures()
        guard !json else { return }
        let end = ResidentMemory.bytes() ?? 0
        print(try run.recall.description(in: KnownWorks(BookCatalogue(path: options.catalogue))))
        print(run.answers)
        print(run.times)
        let (opened, atEnd) = (Double(loaded - before), Double(end - before))
        print("memory \(NumberText.megabytes(opened)) when opened, \(NumberText.megabytes(atEnd)) at the end")
    }

    private struct Found: Encodable {
        struct Book: Encodable {
            var title: String
            var author: String
            var isbn: String
            var confidence: Double

            init(_ match: BookMatch) {
                (title, confidence) = (match.book.title, match.confidence)
                author = match.book.authors.joined(separator: "; ")
                isbn = match.book.isbn?.digits ?? ""
            }
        }
        var books: [Book]
        /// Whether the first of them is the answer.
        var isNamed: Bool
        var milliseconds: Double
    }
}

/// Rows of a CSV file with a header (RFC 4180), as column → value.
struct CSVRows {
    var rows: [[String: String]] = []

    init(path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        rows = try bytes.withUnsafeBufferPointer { bytes in
            let comma = UInt8(ascii: ",")
            var splitter = RecordSplitter(.table(separator: comma), from: 0)
            var lists: [[String]] = []
            while let span = splitter.next(1, in: bytes).first {
                let row = UnsafeBufferPointer(rebasing: bytes[span.range])
                lists.append(try TableRow(row, separator: comma).texts())
            }
            guard let header = lists.first else { return [] }
            return lists.dropFirst().filter { $0.count == header.count }
                .map { Dictionary(zip(header, $0), uniquingKeysWith: { first, _ in first }) }
        }
    }
}
