import Basics
import BookCatalogue
import Crypto
import Foundation
import ImageCodec
import LibraryStore
import ScanningPolicies
import TextRecognition

extension ScanSession {
    /// Whether a photo of shelves becomes all of its books: what reads on the device reads shelves, and is asked first.
    public var readsShelves: Bool { reader?.shelf != nil && readsFirst }

    /// Scans a photo of shelves: each of its spines goes its own way, as the picture of one would, and the back end is sent
    /// texts alone.
    ///
    /// The catalogue decides where one book ends and the next begins. What is found is handed on book by book.
    ///
    /// - Precondition: ``readsShelves``.
    /// - Throws: as ``scan(photo:name:id:milestone:)``.
    /// - Returns: the spines with text, row by row from the top; what became of the picture of one spine where there are not
    ///   two.
    public func scan(
        shelf bytes: [UInt8],
        name: String,
        found: @escaping @Sendable (PhotoScan) -> Void = { _ in }
    ) async throws -> [PhotoScan] {
        guard let reader, let shelf = reader.shelf else { throw ScanningError.noReader(strategy) }
        let clock = ContinuousClock()
        let start = clock.now
        let image = try await ReaderQueue.run { try ImageCodec.decode(bytes, name: name).image }
        let decoding = start.duration(to: clock.now)
        let judge = matcher.map { matcher in ShelfReader.judge(by: matcher) }
        let reading = try await ReaderQueue.run { try shelf.read(image, judge: judge) }
        guard reading.spines.count > 1 else {
            let scan = try await scan(photo: bytes, name: name)
            found(scan)
            return [scan]
        }
        let digest = SHA256.hash(data: bytes).hexadecimal
        var scans: [PhotoScan] = []
        for spine in reading.spines {
            try Task.checkCancellation()
            let place = "#\(spine.row).\(spine.index)"
            var scan = PhotoScan(id: UUID(), name: name + place, strategy: strategy)
            // The photo that is scanned again replaces the draft at each place.
            scan.picture = digest + place
            scan.lines = spine.reading.lines
            scan.orientation = spine.reading.orientation
            scan.path = [reader.tier]
            (scan.timings.decoding, scan.timings.reading) = (decoding, reading.timings.total)
            try await EgressLedger.$scan.withValue(scan.id) {
                try keepDraft(of: &scan) { _ in }
                try await resolve(&scan) { _ in }
            }
            scan.egress = ledger.totals(of: scan.id)
            found(scan)
            scans.append(scan)
        }
        return scans
    }
}

extension ShelfReader {
    /// The judge that takes the catalogue's word.
    static func judge(by matcher: @escaping ScanSession.Matcher) -> Judge {
        { lines in
            let best = try matcher(lines.map(MatchLine.init)).candidates.first
            return Judgement(book: best?.book.id, probability: best?.confidence ?? 0)
        }
    }
}
