import BookCatalogue
import Foundation

extension ScanSession {
    /// Adds the ghost entry of the text to the library (S0-T03), read here or by the back end; none without text.
    func keepDraft(of scan: inout PhotoScan, _ milestone: Milestone.Handler) throws {
        guard !scan.draftLines.isEmpty else { return }
        var draft = Draft(id: scan.id, lines: scan.draftLines, createdAt: now())
        (draft.confidence, draft.source, draft.picture) = (scan.readingConfidence, scan.name, scan.picture)
        draft.tier = scan.path.last ?? .fast
        try store.add(draft)
        if scan.status != .queued { scan.status = .draft }
        milestone(.draft(draft))
    }

    /// Matches the text with the device's own catalogue.
    func match(_ scan: inout PhotoScan, _ milestone: Milestone.Handler = { _ in }) throws {
        guard matcher != nil else { return }
        let clock = ContinuousClock()
        let start = clock.now
        let named = try scan.named ?? NamedText(scan.lines, on: scan.subject, by: matcher)
        scan.timings.matching = scan.timings.matching ?? start.duration(to: clock.now)
        (scan.candidates, scan.answer) = (named.candidates, named.naming.answer)
        scan.source = scan.answer == nil ? .neither : .local
        milestone(.matched(scan.answer))
    }

    /// Resolves the draft to a book if the device's own catalogue is sure enough of one.
    func keepLocalAnswer(_ scan: inout PhotoScan, enrichment: LibraryBook.Enrichment) throws {
        scan.needsReview = scan.isUnsure
        // An answer that is not sure stays with the draft as long as the back end may know better.
        guard scan.answer != nil, scan.status != .queued || !scan.needsReview else { return }
        try keepAnswer(of: &scan, tier: scan.path.first ?? .fast, enrichment: enrichment)
        if scan.status != .queued { scan.status = .book }
    }

    /// Stores the book of the answer instead of the draft, to be reviewed if the scan is.
    func keepAnswer(
        of scan: inout PhotoScan,
        tier: LibraryBook.Tier,
        enrichment: LibraryBook.Enrichment,
        format: String? = nil
    ) throws {
        guard let answer = scan.answer else { return }
        var book = LibraryBook(answer.book, addedAt: now(), tier: tier)
        (book.enrichment, book.format, book.spineConfidence) = (enrichment, format, scan.readingConfidence)
        book.state = scan.needsReview ? .review : .enriched
        scan.book = try store.resolveDraft(scan.id, as: book)
    }
}
