import ArgumentParser
import Basics
import BookCatalogue
import Composition
import Evaluation
import Foundation
import Imaging
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Synchronization
import TextRecognition

struct PanCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pan",
        abstract: "Move a window over photos of shelves like a camera, and count how often each book is found.",
        discussion: """
            A dataset's folder contains shelves.jsonl, one photo with its books per line, or shelf.json with a single photo. The catalogue should \
            contain all books: 'spinebench catalogue build books.csv --from-dataset DIR'. Books whose title is not wholly visible \
            do not count.
            """
    )

    @Argument(help: "Datasets' folders.", completion: .directory)
    var datasets: [String]

    @Option(help: "A catalogue; “embedded” for the one inside the program.", completion: .file())
    var catalogue = "embedded"

    @Option(help: "How to read: a variant with settings.")
    var variant = "fast"

    @Flag(help: "Print the results.")
    var verbose = false

    func run() async throws {
        let loaded = try ComposedVariant(variant).reading.load()
        guard loaded.shelf != nil else { throw ValidationError("\(variant) does not read shelves") }
        let matcher = try CatalogueMatcher(catalogue: .named(catalogue))
        for folder in datasets {
            for shelf: LabelledShelf in try shelves(in: folder) {
                let image = try ImageCodec.decode(contentsOf: "\(folder)/\(shelf.image)").image
                let found = try await panned(shelf, image, loaded) { try matcher.match($0, readings: 1) }
                print("\(shelf.image): \(found)")
            }
        }
    }
}

extension PanCheck {
    /// Returns the results of a camera that is moved over a photo from the left to the right, a fiftieth of its view
    /// from frame to frame.
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
        let answers = scans.compactMap { $0.answer?.book }
        let times = counted.map { book in answers.count(where: book.isTitle) }
        let named = times.count { $0 > 0 }
        let again = times.reduce(0) { $0 + max(0, $1 - 1) }
        let others = answers.count { answer in !counted.contains { $0.isTitle(of: answer) } }
        if verbose {
            for scan in scans { print("  \(scan.name) \(scan.lines.map(\.text)) -> \(scan.answer?.book.title ?? "-")") }
        }
        return "\(counted.count) books in \(figures.seen) frames, \(figures.spinesRead ?? 0) spines read, "
            + "\(figures.spinesKnown ?? 0) of them known; \(scans.count) found, \(named) named rightly, "
            + "\(again) of these once more, \(others) others named"
    }
}

/// Photo with its labelled books.
private struct LabelledShelf: Decodable {
    var image: String
    var books: [LabelledBook]
}

/// Reads the labels of a folder with `shelf.json` or `shelves.jsonl`.
func shelves<Shelf: Decodable>(in folder: String) throws -> [Shelf] {
    if let shelf = FileManager.default.contents(atPath: "\(folder)/shelf.json") {
        return [try JSONDecoder().decode(Shelf.self, from: shelf)]
    }
    return try jsonLines("\(folder)/shelves.jsonl")
}

extension LabelledBook {
    fileprivate var counts: Bool { titleFullyVisible ?? true && legible ?? true && !title.isEmpty }

    fileprivate func isTitle(of book: BookRecord) -> Bool {
        let printed = [author ?? "", ""].map { GroundTruthBook(title: title, author: $0) }
        return ([truth] + printed).contains { $0.isSame(book) }
    }
}
