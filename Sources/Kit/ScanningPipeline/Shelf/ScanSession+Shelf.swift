import Basics
import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import TextRecognition

extension ScanSession {
    /// Whether a photo of shelves becomes all of its books: by the reader on the device, if that is asked first, or
    /// by the back end.
    public var readsShelves: Bool { reader?.shelf != nil || !readsFirst }

    /// Scans a photo of shelves: each of its spines becomes a scan.
    ///
    /// The first reader of the device reads the photo, and the back end receives texts alone. A strategy that sends
    /// pictures sends the photo, once, and uses the books of the answer; `vision-fallback` reads it here when that
    /// fails or names no book.
    ///
    /// `found` is called with each spine's finished scan.
    ///
    /// - Precondition: ``readsShelves``.
    /// - Throws: as ``scan(photo:name:id:milestone:)``.
    /// - Returns: the spines with text, row by row from the top; the result for the picture of one spine if there are
    ///   fewer than two; one waiting scan if the photo waits.
    public func scan(
        shelf bytes: [UInt8],
        name: String,
        found: @escaping @Sendable (PhotoScan) -> Void = { _ in }
    ) async throws -> [PhotoScan] {
        guard readsShelves else { throw ScanningError.noReader(strategy) }
        if readsFirst { return try await scans(of: books(on: bytes, name: name), bytes, name: name, found) }
        var scans = try await send(shelf: bytes, name: name)
        if strategy == .visionFallback, scans.count == 1, scans[0].status != .book {
            if reader?.shelf != nil {
                let books = try await books(on: bytes, name: name)
                if books.books.count > 1 {
                    // Each spine's text goes its own way: the photo need not wait any longer.
                    try store.forget(scans[0].id)
                    try store.discardDraft(scans[0].id)
                    return try await self.scans(of: books, bytes, name: name, found)
                }
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
        scan.picture = SHA256.hex(of: bytes)
        let limit = strategy == .visionFallback ? settings.patience : settings.shelfTimeout
        let others = try await EgressLedger.$scan.withValue(scan.id) {
            try await upload(.file(bytes), of: &scan, within: limit) { _ in }
        }
        scan.egress = ledger.totals(of: scan.id)
        return [scan] + others
    }

    /// Returns the books on a photo, as the device reads and names them.
    private func books(on bytes: [UInt8], name: String) async throws -> PictureBooks {
        guard let pipeline else { throw ScanningError.noReader(strategy) }
        return try await ReaderQueue.run { try pipeline.books(of: .file(bytes), name: name) }
    }

    /// Returns a scan of each book on a photo, each to its end; one of the photo where it has no text.
    private func scans(
        of photo: PictureBooks,
        _ bytes: [UInt8],
        name: String,
        _ found: @Sendable (PhotoScan) -> Void
    ) async throws -> [PhotoScan] {
        let digest = SHA256.hex(of: bytes)
        var scans = photo.books.map { book in
            var scan = scan(of: book.spine, on: name, after: photo.timings.total)
            (scan.subject, scan.named) = (photo.kind, book.named)
            return scan
        }
        if scans.isEmpty {
            var scan = PhotoScan(id: UUID(), name: name, strategy: strategy)
            (scan.path, scan.timings.reading) = ([reader?.tier ?? .fast], photo.timings.total)
            scans = [scan]
        }
        for index in scans.indices {
            try Task.checkCancellation()
            if scans.count == 1 { scans[index].name = name }
            // The photo that is scanned again replaces the draft at each place.
            scans[index].picture = digest + scans[index].name.dropFirst(name.count)
            scans[index].timings.decoding = photo.decoding
            try await EgressLedger.$scan.withValue(scans[index].id) {
                try keepDraft(of: &scans[index]) { _ in }
                try await resolve(&scans[index]) { _ in }
            }
            scans[index].egress = ledger.totals(of: scans[index].id)
            found(scans[index])
        }
        return scans
    }

    /// Reads all spines of a picture of shelves.
    ///
    /// - Precondition: the session has a reader of shelves.
    func spines(on image: RasterImage) async throws -> ShelfReading {
        guard let shelf = reader?.shelf else { throw ScanningError.noReader(strategy) }
        let judge = matcher.map(ShelfReader.judge)
        return try await ReaderQueue.run { try shelf.read(image, judge: judge) }
    }

    /// Returns the scan of a spine that was read on a picture of that name, without a draft yet.
    func scan(of spine: ShelfSpine, on name: String, after time: Duration) -> PhotoScan {
        var scan = PhotoScan(id: UUID(), name: "\(name)#\(spine.row).\(spine.index)", strategy: strategy)
        scan.lines = spine.reading.lines
        scan.orientation = spine.reading.orientation
        scan.subject = .shelf
        scan.path = [reader?.tier ?? .fast]
        scan.timings.reading = time
        return scan
    }
}
