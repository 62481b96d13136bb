import BookCatalogue
import Foundation
import Imaging
import TextRecognition

extension ScanSession {
    /// The source of a reading.
    enum Picture: Sendable {
        case file([UInt8])
        case frame(RasterImage)
    }

    /// Reads on the device (tier 1).
    func read(
        _ picture: Picture,
        into scan: inout PhotoScan,
        _ milestone: @Sendable (Milestone) -> Void
    ) async throws {
        guard let reader else { throw ScanningError.noReader(strategy) }
        let result =
            switch picture {
            case .file(let bytes): try await reader.read(bytes, name: scan.name)
            case .frame(let image): try await reader.read(image)
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
        let (id, text, orientation) = (scan.id, scan.text, scan.orientation)
        try store.enqueue(text: text, id: id, createdAt: now())
        async let asked = ask(text: text, orientation: orientation)
        try match(&scan, milestone)
        let (remote, duration) = try await asked
        scan.timings.enrichment = duration
        scan.path.append(.enrich)
        switch remote {
        case .answer(let answer):
            try reconcile(&scan, with: answer.books.first, tier: .enrich)
            try store.markDone(id)
            milestone(.enriched(scan.book))
        case .failure(let failure):
            try note(failure, for: &scan)
            try keepLocalAnswer(&scan, enrichment: failure.enrichment)
            if scan.status == .queued { milestone(.queued(failure.problem)) }
        }
    }

    /// Resolves the draft to a book if the device's own catalogue is sure enough of one.
    func keepLocalAnswer(_ scan: inout PhotoScan, enrichment: LibraryBook.Enrichment) throws {
        let decision = Reconciliation(lines: scan.lines.map(\.text), local: scan.answer, remote: nil)
        scan.needsReview = decision.needsReview
        // An answer that is not sure stays with the draft as long as the back end may know better.
        guard let answer = scan.answer, scan.status != .queued || !decision.needsReview else { return }
        let book = LibraryBook(
            answer.book,
            tier: scan.path.first ?? .fast,
            scan: scan,
            enrichment: enrichment,
            needsReview: decision.needsReview,
            at: now()
        )
        scan.book = try store.resolveDraft(scan.id, as: book)
        if scan.status != .queued { scan.status = .book }
    }
}

extension LibraryBook {
    init(
        _ record: BookRecord,
        tier: Tier,
        scan: PhotoScan,
        enrichment: Enrichment,
        needsReview: Bool,
        format: String? = nil,
        at date: Date
    ) {
        self.init(record, addedAt: date, tier: tier)
        self.format = format
        self.enrichment = enrichment
        spineConfidence = scan.readingConfidence
        state = needsReview ? .review : .enriched
    }
}
