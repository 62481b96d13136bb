import BookCatalogue
public import Foundation
import ImageCodec
import Raster
import Talaria
import TextRecognition

/// From a photo of shelves to the books on it, by way of the back end; nothing is kept.
public struct ShelfUpload: Sendable {
    /// Reads the photo and names its books.
    public var backEnd: any BackEnd
    /// How the photo is made ready to be sent.
    public var preparation: PhotoPreparation

    /// An upload by its parts: see the properties.
    public init(backEnd: any BackEnd, preparation: PhotoPreparation = PhotoPreparation()) {
        self.backEnd = backEnd
        self.preparation = preparation
    }

    /// The books of a photo, with outlines and lines in its own pixels.
    ///
    /// `bytes` are a whole PNG, JPEG or HEIC file, which errors call `name`. Of the times, ``ShelfScan/decoding`` is that of
    /// making it ready, and the inner ones are the back end's own matter, and zero. What is sent is the ledger's under `id`.
    ///
    /// - Throws: `ImageCodecError` when the bytes are no picture; `TalariaError`; `CancellationError`.
    public func scan(_ bytes: [UInt8], name: String, id: UUID = UUID()) async throws -> ShelfScan {
        let clock = ContinuousClock()
        let start = clock.now
        let header = try ImageCodec.header(of: bytes, name: name)
        let photo = try await ReaderQueue.run { [preparation] in try preparation.prepare(bytes, name: name) }
        let prepared = start.duration(to: clock.now)
        let answer = try await EgressLedger.$scan.withValue(id) { try await backEnd.books(on: photo, id: id) }
        let (width, height) = (header.orientedWidth, header.orientedHeight)
        var timings = StageTimings()
        timings.total = start.duration(to: clock.now) - prepared
        let books = answer.books.enumerated().map { index, book in
            ShelfScan.Book(book, number: index + 1, width: width, height: height)
        }
        try? await EgressLedger.$scan.withValue(id) { try await answer.cleanUp?() }
        return ShelfScan(
            width: width,
            height: height,
            books: books,
            decoding: prepared,
            timings: timings,
            total: prepared + timings.total
        )
    }
}

extension ShelfScan.Book {
    /// A book of the back end's answer to a photo of that size, in pixels; the photo itself is its outline where the answer
    /// has none.
    ///
    /// `number`: its place in the answer, from 1: in the only row, where the answer does not say.
    init(_ book: BookMetadata, number: Int, width: Int, height: Int) {
        func point(_ x: Double, _ y: Double) -> Point { Point(x: x * Double(width), y: y * Double(height)) }
        let box = book.boundingBox ?? NormalizedBox(x: 0, y: 0, width: 1, height: 1)
        let around = Quad(
            topLeft: point(box.x, box.y),
            topRight: point(box.x + box.width, box.y),
            bottomRight: point(box.x + box.width, box.y + box.height),
            bottomLeft: point(box.x, box.y + box.height)
        )
        func quad(_ corners: [NormalizedPoint]?) -> Quad? {
            guard let points = corners?.map({ point($0.x, $0.y) }), points.count == 4 else { return nil }
            return Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        }
        let outline = quad(book.place?.outline) ?? around
        let lines = (book.lines ?? []).map { line in
            RecognizedLine(text: line.text, confidence: line.confidence ?? 1, quad: quad(line.corners) ?? outline)
        }
        spine = ShelfSpine(
            row: book.place?.row ?? 1,
            index: book.place?.index ?? number,
            outline: outline,
            reading: SpineReading(lines: lines, orientation: nil, timings: StageTimings())
        )
        let named = BookMatch(book: BookRecord(book), confidence: book.confidence ?? 0)
        // A draft is no book of the catalogue that the spine may be of.
        let isNamed = !book.title.isEmpty && book.enrichmentStatus != .notFound && !book.isDraft
        let related = book.relatedTitles.map { BookMatch(book: BookRecord(title: $0), confidence: 0) }
        match = MatchResult(candidates: (isNamed ? [named] : []) + related, answer: isNamed ? named : nil)
    }
}
