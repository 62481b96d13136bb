import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Synchronization
import Talaria
import TestSupport
import Testing
import TextRecognition

@testable import ScanningPipeline

@Suite struct ShelfScanTests {
    /// Two books of 60 columns, a dark one and a lighter one, on a white wall.
    private static let photo = RasterImage(
        width: 320,
        height: 400,
        channels: 1,
        pixels: (0..<320 * 400).map { pixel in
            let (x, y) = (pixel % 320, pixel / 320)
            return (100..<220).contains(x) && (50..<350).contains(y) ? (x < 160 ? 60 : 120) : 255
        }
    )

    /// Returns a reader whose detector sees text on a number of the photo's books, from the left.
    private func shelf(books: Int, text: String = "DUNE MESSIAH") -> ShelfReader {
        // The photo is searched turned to the left: columns become rows, from the bottom.
        let lines = (0..<books).map { book in
            let y = Double(320 - 120 - 60 * book - 20)
            return Quad(
                topLeft: Point(x: 80, y: y),
                topRight: Point(x: 280, y: y),
                bottomRight: Point(x: 280, y: y + 20),
                bottomLeft: Point(x: 80, y: y + 20)
            )
        }
        let detector = ScriptedDetector { $0.width == 400 && $0.height == 320 ? lines : [] }
        let reader = SpineReader(
            detector: detector,
            recognizer: ScriptedRecognizer(text: text, confidence: 0.95),
            configuration: SpineReaderConfiguration(firstLook: Look(frame: .turned, shortSide: 96, longSide: 1024))
        )
        return ShelfReader(detector: detector, reader: reader)
    }

    private func session(_ strategy: ScanStrategy, stage: Stage, books: Int) throws -> ScanSession {
        try ScanSession(
            strategy: strategy,
            reader: LocalReader(SpineScanner(reader: stage.reader), shelf: shelf(books: books)),
            matcher: stage.session.matcher,
            backEnd: stage.backEnd,
            store: stage.store,
            ledger: stage.ledger,
            deviceID: UUID()
        )
    }

    private var file: [UInt8] { get throws { try ImageCodec.encodePNG(Self.photo) } }

    @Test func everySpineGoesItsOwnWay() async throws {
        let stage = try Stage(.onDeviceOnly, local: nil)
        let session = try session(.onDeviceOnly, stage: stage, books: 2)
        let names = Mutex<[String]>([])
        let scans = try await session.scan(shelf: file, name: "s.png") { scan in names.withLock { $0.append(scan.name) }
        }
        #expect(scans.map(\.name) == ["s.png#1.1", "s.png#1.2"])
        #expect(names.withLock { $0 } == scans.map(\.name))
        #expect(scans.allSatisfy { $0.status == .draft && $0.lines.map(\.text) == ["DUNE MESSIAH"] })
        #expect(try stage.store.drafts().count == 2)
        // The same photo again leaves no second drafts.
        _ = try await session.scan(shelf: file, name: "s.png")
        #expect(try stage.store.drafts().count == 2)
        #expect(stage.backEnd.questions.isEmpty && stage.ledger.badge != nil)
    }

    @Test func hybridSendsTextsAlone() async throws {
        let stage = try Stage(.hybrid)
        let scans = try await session(.hybrid, stage: stage, books: 2).scan(shelf: file, name: "s.png")
        #expect(scans.map(\.status) == [.book, .book])
        #expect(stage.backEnd.questions == [.text("DUNE MESSIAH"), .text("DUNE MESSIAH")])
        #expect(scans.allSatisfy { $0.egress.bytesUp[.image] == nil })
    }

    /// A photo that the back end did not name, and whose spines are read here: each has its own scan, and the photo has
    /// neither an entry in the queue nor a draft.
    @Test(
        arguments: [(unreachable, true), (unreachable, false), (refusal, true), (nil, true)] as [(TalariaError?, Bool)]
    )
    func aPhotoThatSplitsGivesUpItsEntry(photo: TalariaError?, isTextAnswered: Bool) async throws {
        let stage = try Stage(.visionFallback, local: nil, remoteLines: [RemoteLine(text: "ALL OF IT")]) { question in
            if case .picture = question {
                if let photo { throw photo }
                return []
            }
            guard isTextAnswered else { throw unreachable }
            return [dune]
        }
        let scans = try await session(.visionFallback, stage: stage, books: 2).scan(shelf: file, name: "s.png")
        #expect(scans.map(\.name) == ["s.png#1.1", "s.png#1.2"])
        #expect(scans.map(\.status) == Array(repeating: isTextAnswered ? .book : .queued, count: 2))
        #expect(try stage.store.waitingScans().map(\.isText) == (isTextAnswered ? [] : [true, true]))
        #expect(try stage.store.drafts().map(\.lines) == (isTextAnswered ? [] : [["DUNE MESSIAH"], ["DUNE MESSIAH"]]))
        #expect(try stage.store.failedScans().isEmpty)
        // The photo's own traffic is for no spine.
        #expect(scans.allSatisfy { $0.egress.bytesUp[.image] == nil })
    }

    /// Stopped while the first spine's text is asked about: what has a draft waits, and the photo can be scanned again.
    @Test func aStoppedShelfLeavesNoDraftThatNobodyAsksFor() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let stage = try Stage(.hybrid, local: nil) { _ in
            ask.yield()
            try await Task.sleep(for: .seconds(3_600))
            return []
        }
        let session = try session(.hybrid, stage: stage, books: 2)
        let task = Task { [file = try file] in try await session.scan(shelf: file, name: "s.png") }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try stage.store.drafts().map(\.id) == stage.store.waitingScans().map(\.id))
        #expect(try stage.store.drafts().count == 1)
    }

    /// A single spine whose book is named is read once; one that is not, and a photo without any, are read as a cover
    /// too.
    @Test(arguments: [(0, "Dune", 1), (1, "Dune", 0), (1, nil, 1)] as [(Int, String?, Int)])
    func lessThanTwoSpinesAreThePictureOfOne(books: Int, title: String?, readings: Int) async throws {
        let stage = try Stage(.onDeviceOnly, local: title.map { ($0, 0.95) })
        let scans = try await session(.onDeviceOnly, stage: stage, books: books).scan(shelf: file, name: "s.png")
        #expect(scans.map(\.name) == ["s.png"])
        #expect(scans.map(\.status) == [title == nil ? .draft : .book])
        #expect(stage.reader.count == readings)
    }

    @Test func whoReadsFirstAndReadsNoShelvesDoesNot() throws {
        let stage = try Stage(.onDeviceOnly)
        #expect(!stage.session.readsShelves)
        #expect(try session(.hybrid, stage: stage, books: 2).readsShelves)
        #expect(try Stage(.talariaOnly).session.readsShelves)
    }

    @Test func aFrameOfAShelfIsReadOnce() async throws {
        let stage = try Stage(.onDeviceOnly)
        let coordinator = ScanningCoordinator(session: try session(.onDeviceOnly, stage: stage, books: 2))
        func frame(_ number: Int, guide: Guide? = nil) -> Frame {
            Frame(number: number, time: .milliseconds(100) * number, image: Self.photo, guide: guide)
        }
        let scans = try await coordinator.process(frame(0)).scans
        // Two copies of a book, distinguished by their places.
        #expect(scans.map(\.name) == ["frame 0#1.1", "frame 0#1.2"] && scans.map(\.status) == [.draft, .draft])
        #expect(try await coordinator.process(frame(1)) == .skipFrame(.sameSpine))
        #expect(await coordinator.spines == (2, 0) && stage.reader.count == 0)
        // A user who aims at one spine has that one read.
        let aimed = [2, 3].map { frame($0, guide: Guide(share: 0.3)) }
        #expect(try await coordinator.process(aimed[0]) == .skipFrame(.sameSpine))
        #expect(try await coordinator.process(aimed[1]).scans.count == 1)
        #expect(stage.reader.count == 2)
    }

    @Test(arguments: [("DUNE", false), ("DUNE II", false), ("DUNE MESSIAH", true)])
    func oneWordNamesNoBook(text: String, isNamed: Bool) throws {
        let matcher = try #require(try Stage(.onDeviceOnly).session.matcher)
        let nobody = SpineScanner(reader: ScriptedReader([[]]))
        let pipeline = SpinePipeline(reader: nobody, shelf: shelf(books: 2, text: text), matcher: matcher)
        let photo = try pipeline.books(of: .file(file), name: "s.png")
        #expect(photo.kind == .shelf && photo.width == 320 && photo.height == 400)
        #expect(photo.books.count == 2 && photo.books.allSatisfy { ($0.named.naming.answer != nil) == isNamed })
        #expect(photo.books.allSatisfy { $0.named.candidates.count == 1 })
    }
}
