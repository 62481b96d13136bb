import ArgumentParser
import Basics
import BookCatalogue
import Composition
import Evaluation
import Foundation
import ImageCodec
import LibraryStore
import Raster
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Synchronization
import Talaria
import TextRecognition

struct ShelfCheck: AsyncParsableCommand {
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

    @Option(help: "Make the photos ready for an upload first, with this long side in pixels.")
    var uploadSize: Int?

    @Flag(help: "Move a window over each photo as a camera would, and count how often each book is found.")
    var pan = false

    @Flag(help: "Print what was missed, and what was named wrongly.")
    var verbose = false

    func run() async throws {
        let loaded = try ComposedVariant(variant).reading.load()
        guard let reader = loaded.shelf else { throw ValidationError("\(variant) does not read shelves") }
        let matcher = try CatalogueMatcher(catalogue: .named(catalogue))
        let scanner = ShelfScanner(reader: reader) { try matcher.match($0, readings: 1) }
        if pan {
            for folder in datasets {
                for shelf in try LabelledShelf.all(in: folder) {
                    let image = try ImageCodec.decode(contentsOf: "\(folder)/\(shelf.image)").image
                    print("\(shelf.image): \(try await panned(shelf, image, loaded, scanner.matcher))")
                }
            }
            return
        }
        var total = ShelfFigures()
        for folder in datasets {
            for shelf in try LabelledShelf.all(in: folder) {
                let path = "\(folder)/\(shelf.image)"
                var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
                let width = try ImageCodec.header(of: bytes, name: path).orientedWidth
                if let uploadSize {
                    var preparation = PhotoPreparation(longSide: uploadSize)
                    preparation.shelfLongSide = uploadSize
                    bytes = try preparation.prepare(bytes, name: path).jpeg
                }
                var scan = try scanner.scan(bytes, name: path)
                // In the labels' pixels.
                let scale = Double(width) / Double(scan.width)
                for book in scan.books.indices {
                    scan.books[book].spine.outline = scan.books[book].spine.outline.mapped {
                        Point(x: $0.x * scale, y: $0.y * scale)
                    }
                }
                let figures = ShelfFigures(scan, of: shelf, verbose: verbose)
                print("\(shelf.image): \(figures)")
                total += figures
            }
        }
        print("all: \(total)")
    }
}

extension ShelfCheck {
    /// What a camera finds that is moved over a photo from the left to the right, a fiftieth of its sight from frame to frame.
    private func panned(
        _ shelf: LabelledShelf,
        _ image: RasterImage,
        _ loaded: LoadedReader,
        _ matcher: @escaping ScanSession.Matcher
    ) async throws -> String {
        let session = try ScanSession(
            strategy: .onDeviceOnly,
            reader: LocalReader(loaded.scanner, shelf: loaded.shelf),
            matcher: matcher,
            backEnd: nil,
            store: .inMemory(),
            ledger: EgressLedger(),
            deviceID: UUID()
        )
        // Half of the photo, and of a frame's shape.
        let width = min(image.width, max(image.width / 2, image.height * 2 / 5))
        let step = max(1, width / 50)
        let rest = 5
        let clock = StepClock()
        let source = FrameSource(
            count: (image.width - width) / step + 2 * rest,
            settings: .init(idleLimit: .seconds(3_600)),
            clock: clock
        ) { number in
            let x = min(image.width - width, max(0, number - rest) * step)
            return image.cropped(x: x, y: 0, width: width, height: image.height) ?? image
        }
        let live = LiveScan(ScanningCoordinator(session: session, gate: nil), of: source, clock: clock)
        let found = Mutex<[PhotoScan]>([])
        try await live.run { scan in found.withLock { $0.append(scan) } }
        let scans = found.withLock { $0 }
        let figures = await live.figures
        let counted = shelf.books.filter(\.counts)
        func isRight(_ book: Int, _ scan: Int) -> Bool {
            scans[scan].answer.map { counted[book].isTitle(of: $0.book) } ?? false
        }
        let corner = Point(x: 0, y: 0)
        let nowhere = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        let score = ShelfScore(
            books: counted.map { _ in nil },
            spines: scans.map { _ in nowhere },
            isNamed: { scans[$0].answer != nil },
            isRight: isRight
        )
        let named = scans.indices.count { scan in counted.indices.contains { isRight($0, scan) } }
        if verbose {
            for scan in scans { print("  \(scan.name) \(scan.lines.map(\.text)) -> \(scan.answer?.book.title ?? "-")") }
        }
        return "\(counted.count) books in \(figures.seen) frames, \(figures.spinesRead ?? 0) spines read, "
            + "\(figures.spinesKnown ?? 0) of them known; \(scans.count) found, \(score.right) named rightly, "
            + "\(named - score.right) of these once more, \(score.named - named) others named, \(score.moved) moved"
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
        /// Column, row, width and height; or the corners.
        var bbox: [Double]?
        var quad: Quad?
        var legible: Bool?

        var counts: Bool { titleFullyVisible ?? true && legible ?? true && !title.isEmpty }

        var outline: Quad? {
            guard let bbox, bbox.count == 4 else { return quad }
            let (left, top, right, bottom) = (bbox[0], bbox[1], bbox[0] + bbox[2], bbox[1] + bbox[3])
            return Quad(
                topLeft: Point(x: left, y: top),
                topRight: Point(x: right, y: top),
                bottomRight: Point(x: right, y: bottom),
                bottomLeft: Point(x: left, y: bottom)
            )
        }

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
    var score = ShelfScore(books: [], spines: [], isNamed: { _ in false }, isRight: { _, _ in false })
    var titlesRead = 0
    var seconds = 0.0
    var detection = 0.0
    var recognition = 0.0

    init() {}

    init(_ scan: ShelfScan, of shelf: LabelledShelf, verbose: Bool) {
        let counted = shelf.books.filter(\.counts)
        let others = shelf.books.filter { !$0.counts }
        // A spine that is named as a book whose title is not wholly visible is neither right nor wrong.
        let found = scan.books.filter { book in
            guard let answer = book.match.answer else { return true }
            return counted.contains { $0.isTitle(of: answer.book) } || !others.contains { $0.isTitle(of: answer.book) }
        }
        func isRight(_ book: Int, _ spine: Int) -> Bool {
            found[spine].match.answer.map { counted[book].isTitle(of: $0.book) } ?? false
        }
        score = ShelfScore(
            books: counted.map(\.outline),
            spines: found.map(\.spine.outline),
            isNamed: { found[$0].match.answer != nil },
            isRight: isRight
        )
        let texts = scan.books.map { $0.spine.reading.lines.map(\.text).joined(separator: " ") }
        titlesRead = counted.count { book in texts.contains { FieldRead(field: book.title, in: $0).isRead ?? false } }
        seconds = scan.total / .seconds(1)
        detection = scan.timings.detectionInference / .seconds(1)
        recognition = scan.timings.recognitionInference / .seconds(1)
        guard verbose else { return }
        for (index, book) in counted.enumerated() where !found.indices.contains(where: { isRight(index, $0) }) {
            print("  missed: \(book.title) / \(book.author ?? "")")
        }
        for (index, book) in found.enumerated() {
            let isSomebodys = counted.indices.contains { isRight($0, index) }
            let mark = book.match.answer == nil ? "unnamed" : isSomebodys ? "right" : "wrong"
            let lines = book.spine.reading.lines.map(\.text).joined(separator: " | ")
            let best = book.match.candidates.first.map { "\($0.book.title) \(String(format: "%.2f", $0.confidence))" }
            print("  \(mark) \(book.spine.row).\(book.spine.index): \(lines) -> \(best ?? "-")")
        }
    }

    static func += (total: inout ShelfFigures, one: ShelfFigures) {
        total.score = total.score + one.score
        total.titlesRead += one.titlesRead
        for path in [\ShelfFigures.seconds, \.detection, \.recognition] as [WritableKeyPath<ShelfFigures, Double>] {
            total[keyPath: path] += one[keyPath: path]
        }
    }

    var description: String {
        func share(_ count: Int, _ of: Int) -> String {
            "\(count) (\(String(format: "%.1f %%", 100 * Double(count) / Double(max(1, of)))))"
        }
        let overlap = score.overlaps.reduce(0, +) / Double(max(1, score.overlaps.count))
        return
            "\(score.books) books, \(score.spines) spines; named rightly \(share(score.right, score.books)), of those named "
            + "\(share(score.right, score.named)); titles read \(share(titlesRead, score.books)); moved \(score.moved), "
            + "merged \(score.merged), slivers \(score.slivers), overlap \(String(format: "%.2f", overlap)); "
            + String(format: "%.2f s (detection %.2f, recognition %.2f)", seconds, detection, recognition)
    }
}
