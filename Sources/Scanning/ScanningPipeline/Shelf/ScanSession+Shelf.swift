import Basics
import BookCatalogue
import Crypto
import Foundation
import ImageCodec
import LibraryStore
import Raster
import ScanningPolicies
import TextRecognition

extension ScanSession {
    /// Whether a photo of shelves becomes all of its books: by what reads on the device, where that is asked first, or by the
    /// back end.
    public var readsShelves: Bool { reader?.shelf != nil || !readsFirst }

    /// Scans a photo of shelves: each of its spines becomes a scan.
    ///
    /// What reads first on the device reads the photo, and the back end is sent texts alone. Who sends pictures sends the
    /// photo, once, and takes the books of the answer; `vision-fallback` reads it here when that fails or names no book.
    ///
    /// `found` is called with each spine's scan when that has come to its end.
    ///
    /// - Precondition: ``readsShelves``.
    /// - Throws: as ``scan(photo:name:id:milestone:)``.
    /// - Returns: the spines with text, row by row from the top; what became of the picture of one spine where there are not
    ///   two; one scan that waits where the photo does.
    public func scan(
        shelf bytes: [UInt8],
        name: String,
        found: @escaping @Sendable (PhotoScan) -> Void = { _ in }
    ) async throws -> [PhotoScan] {
        guard readsShelves else { throw ScanningError.noReader(strategy) }
        if readsFirst {
            if let scans = try await read(shelf: bytes, name: name, found) { return scans }
            let scan = try await scan(photo: bytes, name: name)
            found(scan)
            return [scan]
        }
        var scans = try await send(shelf: bytes, name: name)
        if strategy == .visionFallback, scans.count == 1, scans[0].status != .book {
            if let spines = try await read(shelf: bytes, name: name, found) {
                // Each spine's text goes its own way: the photo need not wait any longer.
                try store.forget(scans[0].id)
                try store.discardDraft(scans[0].id)
                return spines
            }
            try await EgressLedger.$scan.withValue(scans[0].id) {
                try await readUnnamed(.file(bytes), of: &scans[0]) { _ in }
            }
            scans[0].egress = ledger.totals(of: scans[0].id)
        }
        scans.forEach(found)
        return scans
    }

    /// Sends a photo of shelves; the books of the answer, or a scan that waits.
    private func send(shelf bytes: [UInt8], name: String) async throws -> [PhotoScan] {
        var scan = PhotoScan(id: UUID(), name: name, strategy: strategy)
        scan.picture = SHA256.hash(data: bytes).hexadecimal
        let limit = strategy == .visionFallback ? settings.patience : settings.shelfPatience
        let others = try await EgressLedger.$scan.withValue(scan.id) {
            try await upload(.file(bytes), of: &scan, within: limit) { _ in }
        }
        scan.egress = ledger.totals(of: scan.id)
        return [scan] + others
    }

    /// Reads a photo of shelves on the device; nil where there are not two spines, or nothing reads shelves.
    private func read(
        shelf bytes: [UInt8],
        name: String,
        _ found: @Sendable (PhotoScan) -> Void
    ) async throws -> [PhotoScan]? {
        guard reader?.shelf != nil else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        let image = try await ReaderQueue.run { try ImageCodec.decode(bytes, name: name).image }
        let decoding = start.duration(to: clock.now)
        let reading = try await spines(on: image)
        guard reading.spines.count > 1 else { return nil }
        let digest = SHA256.hash(data: bytes).hexadecimal
        var scans: [PhotoScan] = []
        for spine in reading.spines {
            try Task.checkCancellation()
            var scan = scan(of: spine, on: name, after: reading.timings.total)
            // The photo that is scanned again replaces the draft at each place.
            scan.picture = digest + scan.name.dropFirst(name.count)
            scan.timings.decoding = decoding
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

    /// Reads all spines of a picture of shelves.
    ///
    /// - Precondition: There is a reader of shelves.
    func spines(on image: RasterImage) async throws -> ShelfReading {
        guard let shelf = reader?.shelf else { throw ScanningError.noReader(strategy) }
        let judge = matcher.map { matcher in ShelfReader.judge(by: matcher) }
        return try await ReaderQueue.run { try shelf.read(image, judge: judge) }
    }

    /// The scan of a spine that was read on a picture of that name, without a draft yet.
    func scan(of spine: ShelfSpine, on name: String, after time: Duration) -> PhotoScan {
        var scan = PhotoScan(id: UUID(), name: "\(name)#\(spine.row).\(spine.index)", strategy: strategy)
        scan.lines = spine.reading.lines
        scan.orientation = spine.reading.orientation
        scan.isEnoughToName = spine.reading.isEnoughToName
        scan.path = [reader?.tier ?? .fast]
        scan.timings.reading = time
        return scan
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
