import Basics
import BookCatalogue
import Foundation
import Imaging
import ScanningPipeline
import ScanningPolicies
import Talaria
import TextRecognition

/// Spine of a sequence of faults, by the code of its picture.
struct FaultCode: Sendable, Hashable {
    /// Kind of text on the spine.
    enum Kind: UInt32, Sendable, CaseIterable {
        /// The title and the author of a book that the back end knows.
        case book
        /// Words of no book.
        case unknown
        /// Blank spine.
        case blank
    }

    /// Number, unique for each picture.
    var number: Int
    var kind: Kind
    /// Index in ``FaultCatalogue/books``.
    var book: Int

    init(number: Int, kind: Kind, book: Int) { (self.number, self.kind, self.book) = (number, kind, book) }

    /// Reads a picture, independent of its encodings in between; nil for another one.
    init?(_ image: RasterImage) {
        guard image.width == 64, image.height == 32 else { return nil }
        var code: UInt32 = 0
        for bit in 0..<32 {
            let (x, y) = (bit % 8 * 8 + 4, bit / 8 * 8 + 4)
            if image.pixels[(y * 64 + x) * image.channels] > 127 { code |= 1 << UInt32(bit) }
        }
        guard let kind = Kind(rawValue: code >> 5 & 7), code & 31 < FaultCatalogue.books.count else { return nil }
        self.init(number: Int(code >> 8), kind: kind, book: Int(code & 31))
    }

    /// Returns the picture's file, readable without an engine: a black or white square of eight pixels for each bit.
    func picture() throws -> [UInt8] {
        let code: UInt32 = UInt32(number) << 8 | kind.rawValue << 5 | UInt32(book)
        let pixels = (0..<64 * 32).map { index -> UInt8 in
            let bit: Int = index / 512 * 8 + index % 64 / 8
            let isSet: Bool = code >> UInt32(bit) & 1 == 1
            return isSet ? 255 : 0
        }
        return try ImageCodec.encodePNG(RasterImage(width: 64, height: 32, channels: 1, pixels: pixels))
    }

    /// Lines that a reader reads off the spine.
    var lines: [String] {
        switch kind {
        case .book: [FaultCatalogue.books[book].authors[0].uppercased(), FaultCatalogue.books[book].title.uppercased()]
        case .unknown: ["QXZWV KJHGF", "ZZYXW PQRST"]
        case .blank: []
        }
    }
}

/// The books that the check's spines may be of; no two are alike.
enum FaultCatalogue {
    static let books = [
        BookRecord(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("978-0-441-17271-9")),
        BookRecord(title: "Emma", authors: ["Jane Austen"], year: 1815),
        BookRecord(title: "Persuasion", authors: ["Jane Austen"]),
        BookRecord(title: "Thérèse Raquin", authors: ["Émile Zola"]),
        BookRecord(title: "The Heart Is a Lonely Hunter", authors: ["Carson McCullers"]),
        BookRecord(title: "Middlemarch", authors: ["George Eliot"]),
        BookRecord(title: "Walden", authors: ["Henry David Thoreau"]),
        BookRecord(title: "The Left Hand of Darkness", authors: ["Ursula K. Le Guin"]),
    ]
    /// Book that a device takes a spine for when it is wrong.
    static let wrong = BookRecord(title: "Gardening for Beginners", authors: ["Nobody Inparticular"])
}

/// The reader on the device.
struct FaultReader: SpineTextReader {
    func read(_ image: RasterImage) throws -> SpineReading {
        guard let lines = FaultCode(image)?.lines else {
            throw FaultFinding("the picture is not one of these tests'")
        }
        let corner = Point(x: 0, y: 0)
        let quad = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        return SpineReading(
            lines: lines.map { RecognizedLine(text: $0, confidence: 0.9, quad: quad) },
            orientation: lines.isEmpty ? nil : .clockwise,
            timings: StageTimings()
        )
    }
}

extension ScanSession {
    /// Returns a session that reads ``FaultCode``s, and its ledger contains its client's transfers.
    ///
    /// `patience` is the client's clock, `clock` the session's own; the calendar is a number of hours fast, so that
    /// the queue's waits are over.
    static func ofFaultCodes(
        strategy: ScanStrategy,
        client: ClientConfiguration,
        transport: any HTTPTransport,
        store: LibraryStore,
        ledger: EgressLedger = EgressLedger(),
        matcher: Matcher? = nil,
        patience: any Clock<Duration> = ContinuousClock(),
        clock: any Clock<Duration> = ContinuousClock(),
        hours: Double
    ) throws -> ScanSession {
        try ScanSession(
            strategy: strategy,
            reader: LocalReader(FaultReader()),
            matcher: matcher,
            backEnd: TalariaClient(configuration: client, transport: transport, clock: patience) { ledger.note($0) },
            store: store,
            ledger: ledger,
            deviceID: client.deviceID,
            clock: clock,
            now: { Date().addingTimeInterval(hours * 3_600) }
        )
    }
}
