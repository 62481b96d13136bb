import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Talaria
import TextRecognition

extension ScanSession {
    /// Reads on the device (tier 1).
    func read(
        _ picture: ScanPicture,
        into scan: inout PhotoScan,
        _ milestone: @Sendable (Milestone) -> Void
    ) async throws {
        guard let reader else { throw ScanningError.noReader(strategy) }
        let result =
            switch picture {
            case .file(let bytes): try await reader.read(bytes, name: scan.name)
            case .pixels(let image): try await reader.read(image)
            }
        scan.timings.decoding = result.decoding
        scan.timings.reading = result.duration
        scan.timings.detectionInference = result.reading.timings.detectionInference
        scan.timings.recognitionInference = result.reading.timings.recognitionInference
        settings.log?("[STAT:vi_latency] \(String(format: "%.1f", result.duration / .milliseconds(1)))ms")
        scan.lines = result.reading.lines
        scan.subject = result.subject
        scan.orientation = result.reading.orientation
        scan.path.append(result.tier)
        milestone(.text(result.reading.lines))
    }

    /// Adds the ghost entry of the text to the library (S0-T03), read here or by the back end; none without text.
    func keepDraft(of scan: inout PhotoScan, _ milestone: @Sendable (Milestone) -> Void) throws {
        let lines = scan.draftLines
        guard !lines.isEmpty else { return }
        var draft = Draft(id: scan.id, lines: lines, createdAt: now())
        draft.confidence = scan.readingConfidence
        draft.source = scan.name
        draft.tier = scan.path.last ?? .fast
        draft.picture = scan.picture
        try store.add(draft)
        scan.status = .draft
        milestone(.draft(draft))
    }

    /// Matches the text with the device's own catalogue.
    func match(_ scan: inout PhotoScan, _ milestone: @Sendable (Milestone) -> Void) throws {
        guard matcher != nil else { return }
        let clock = ContinuousClock()
        let start = clock.now
        let named = try scan.named ?? self.named(scan.lines, on: scan.subject)
        scan.timings.matching = scan.timings.matching ?? start.duration(to: clock.now)
        scan.candidates = named.candidates
        scan.answer = named.naming.answer
        scan.source = scan.answer == nil ? .neither : .local
        milestone(.matched(scan.answer))
    }

    /// Returns the book that the device's own catalogue names by lines that were read on a subject; none without a
    /// catalogue.
    func named(_ lines: [RecognizedLine], on subject: NamingPolicy.Subject) throws -> NamedText {
        try NamedText(lines, on: subject, by: matcher)
    }

    /// Names the book that was read: the device's catalogue and the back end work at the same time.
    func resolve(_ scan: inout PhotoScan, _ milestone: @escaping @Sendable (Milestone) -> Void) async throws {
        guard !scan.lines.isEmpty else { return }
        // The back end is not asked for a book without enough text.
        guard backEnd != nil, NamingPolicy.isEnough(scan.lines.map(\.text), on: scan.subject) else {
            try match(&scan, milestone)
            try keepLocalAnswer(&scan, enrichment: .pending)
            return
        }
        try store.enqueue(text: scan.text, id: scan.id, createdAt: now())
        try await enrich(&scan, milestone) { try note($1, for: &$0) }
    }

    /// Resolves the draft to a book if the device's own catalogue is sure enough of one.
    func keepLocalAnswer(_ scan: inout PhotoScan, enrichment: LibraryBook.Enrichment) throws {
        let decision = Reconciliation(lines: scan.lines.map(\.text), local: scan.answer, remote: nil)
        scan.needsReview = decision.needsReview
        // An answer that is not sure stays with the draft as long as the back end may know better.
        guard let answer = scan.answer, scan.status != .queued || !decision.needsReview else { return }
        let book = self.book(answer.book, of: scan, tier: scan.path.first ?? .fast, enrichment: enrichment)
        scan.book = try store.resolveDraft(scan.id, as: book)
        if scan.status != .queued { scan.status = .book }
    }

    /// Returns the library's book of a scan, to be reviewed if the scan is.
    func book(
        _ record: BookRecord,
        of scan: PhotoScan,
        tier: LibraryBook.Tier,
        enrichment: LibraryBook.Enrichment
    ) -> LibraryBook {
        var book = LibraryBook(record, addedAt: now(), tier: tier)
        book.enrichment = enrichment
        book.spineConfidence = scan.readingConfidence
        book.state = scan.needsReview ? .review : .enriched
        return book
    }

    // MARK: Frames

    var readsFirst: Bool { strategy.readsFirst }

    /// Time during which captures are useless, as the back end accepts none and the strategy has nothing else; nil
    /// otherwise.
    public var shutterClosedFor: Duration? { strategy == .talariaOnly ? backEnd?.rateLimit?.remaining : nil }

    /// Runs the first tier for a frame, without a draft yet: reads it if the strategy reads first.
    func look(at frame: Frame, milestone: @escaping @Sendable (Milestone) -> Void) async throws -> PhotoScan {
        var scan = PhotoScan(id: frame.id, name: "frame \(frame.number)", strategy: strategy)
        scan.frame = frame.number
        if readsFirst { try await read(.pixels(frame.aimed), into: &scan, milestone) }
        return scan
    }

    /// Returns whether a frame is read as one of shelves: no single spine is aimed at, and the first reader reads
    /// shelves.
    func readsShelf(on frame: Frame) -> Bool {
        readsFirst && reader?.shelf != nil && frame.guide == nil
            && ShelfReader.isLikely(width: frame.image.width, height: frame.image.height)
    }

    /// Returns the book that the catalogue names for certain by the text; nil without one.
    func sureBook(of lines: [RecognizedLine]) throws -> BookRecord? {
        let named = try named(lines, on: .spine)
        return named.naming.isSure ? named.candidates.first?.book : nil
    }

    /// Names the book of a frame, the rest of its scan.
    ///
    /// - Throws: as ``scan(photo:name:id:milestone:)``.
    public func finish(
        _ scan: PhotoScan,
        frame: Frame,
        milestone: @escaping @Sendable (Milestone) -> Void = { _ in }
    ) async throws -> PhotoScan {
        var scan = scan
        try await EgressLedger.$scan.withValue(scan.id) {
            switch strategy {
            case .onDeviceOnly, .hybrid: try await resolve(&scan, milestone)
            case .talariaOnly:
                _ = try await upload(.pixels(frame.aimed), of: &scan, within: settings.patience, milestone)
            case .visionFallback: try await uploadOrRead(.pixels(frame.aimed), of: &scan, milestone)
            }
        }
        scan.egress = ledger.totals(of: scan.id)
        return scan
    }
}
