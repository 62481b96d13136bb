import BookCatalogue
import Foundation
import LibraryStore
import Talaria
import TextRecognition

extension ScanSession {
    /// What came of asking the back end.
    enum Remote: Sendable {
        case answer(PhotoAnswer)
        case failure(Failure)
    }

    /// Why the back end did not answer.
    struct Failure: Sendable {
        var problem: String
        /// Whether the scan is worth keeping; false when the server itself has said that it is not.
        var isRetryable: Bool
        /// Whether somebody else answered than the back end, as it seems.
        var isForeign: Bool
        /// How long to wait before; nil when the back end did not say.
        var wait: Duration?
        /// Whether others would fail in the same way now.
        var concernsAll: Bool
        var enrichment: LibraryBook.Enrichment

        init(_ error: TalariaError) {
            problem = "\(error)"
            isRetryable = !error.isFinal
            isForeign = false
            enrichment = .error
            concernsAll = true
            switch error {
            case .rateLimited(let state): wait = state.remaining
            case .circuitOpen(_, let retryAfter):
                wait = retryAfter
                enrichment = .circuitOpen
            case .unreachable, .timedOut, .untrusted, .wrongPin, .deviceIdentity, .badConfiguration: break
            case .malformed, .responseTooLarge, .eventTooLarge, .foreignAddress:
                isForeign = true
                concernsAll = false
            case .refused(_, let problem):
                isForeign = isRetryable && problem.code == nil
                concernsAll = false
            default: concernsAll = false
            }
        }
    }

    /// Tier 2: sends text.
    func ask(text: String, orientation: TextOrientation?) async throws -> (Remote, Duration) {
        let isVertical = orientation.map { $0 == .clockwise || $0 == .counterclockwise }
        let geometry = isVertical.map { EnrichRequest.Geometry(orientation: $0 ? "vertical" : "horizontal") }
        let request = EnrichRequest(rawText: text, deviceID: deviceID, geometry: geometry)
        return try await ask("enrichment", within: settings.patience) {
            PhotoAnswer(books: [try await $0.enrich(request)])
        }
    }

    /// Asks the back end, and says how long that took.
    ///
    /// - Throws: `CancellationError`.
    func ask(
        _ operation: String,
        within limit: Duration,
        _ work: @escaping @Sendable (any BackEnd) async throws -> PhotoAnswer
    ) async throws -> (Remote, Duration) {
        guard let backEnd else { throw ScanningError.noBackEnd(strategy) }
        let start = ContinuousClock.now
        let remote: Remote
        do {
            remote = .answer(try await within(limit, operation, on: clock) { try await work(backEnd) })
        } catch let error as TalariaError {
            try Task.checkCancellation()
            remote = .failure(Failure(error))
        }
        return (remote, start.duration(to: .now))
    }

    /// Tier 3: sends the picture.
    func upload(
        _ picture: Picture,
        of scan: inout PhotoScan,
        within limit: Duration,
        _ milestone: @Sendable (Milestone) -> Void
    ) async throws {
        let (preparation, name) = (settings.preparation, scan.name)
        let start = ContinuousClock.now
        let photo = try await ReaderQueue.run {
            switch picture {
            case .file(let bytes): try preparation.prepare(bytes, name: name)
            case .frame(let image): try preparation.prepare(image)
            }
        }
        scan.timings.preparation = start.duration(to: .now)
        try store.enqueue(image: Data(photo.jpeg), id: scan.id, createdAt: now())
        let (remote, duration) = try await ask("upload", within: limit) { [id = scan.id] in
            try await $0.books(on: photo, id: id)
        }
        scan.timings.upload = duration
        scan.path.append(.upload)
        switch remote {
        case .answer(let answer):
            scan.remoteLines = answer.lines
            scan.stream = answer.stream
            try reconcile(&scan, with: answer.books, tier: .upload)
            // Read, and nobody knows the book: what was read is kept before the picture goes.
            if scan.status != .book { try keepDraft(of: &scan, milestone) }
            try store.markDone(scan.id)
            milestone(.enriched(scan.book))
            if let cleanUp = answer.cleanUp { cleanups.start(cleanUp) }
        case .failure(let failure):
            try note(failure, for: &scan)
            if scan.status == .queued { milestone(.queued(failure.problem)) }
        }
    }

    /// Option C: the picture first; when that fails, is slow or names no book, the text.
    func uploadOrRead(
        _ picture: Picture,
        of scan: inout PhotoScan,
        _ milestone: @escaping @Sendable (Milestone) -> Void
    ) async throws {
        try await upload(
            picture,
            of: &scan,
            within: settings.slowThreshold,
            { if case .enriched = $0 { milestone($0) } }
        )
        guard scan.status != .book else { return }
        guard scan.problem != nil else {
            // The back end knows no book: what the device reads is kept, and its own catalogue may know more.
            try await read(picture, into: &scan, milestone)
            try keepDraft(of: &scan, milestone)
            guard !scan.lines.isEmpty else { return }
            try match(&scan, milestone)
            try keepLocalAnswer(&scan, enrichment: .notFound)
            return
        }
        let waits = scan.status == .queued
        try await read(picture, into: &scan, milestone)
        try keepDraft(of: &scan, milestone)
        guard !scan.lines.isEmpty else {
            scan.status = waits ? .queued : .unread
            return
        }
        async let asked = ask(text: scan.text, orientation: scan.orientation)
        try match(&scan, milestone)
        let (remote, duration) = try await asked
        scan.timings.enrichment = duration
        scan.path.append(.enrich)
        switch remote {
        case .answer(let answer):
            scan.problem = nil
            scan.retryAfter = nil
            try reconcile(&scan, with: answer.books, tier: .enrich)
            try store.markDone(scan.id)
            milestone(.enriched(scan.book))
        case .failure(let failure):
            scan.problem = failure.problem
            // The picture is in the queue; it says more than the text.
            scan.status = waits ? .queued : .draft
            try keepLocalAnswer(&scan, enrichment: failure.enrichment)
            if scan.status == .queued { milestone(.queued(failure.problem)) }
        }
    }

    /// Leaves a scan in the queue, or gives it up when it would fail again.
    func note(_ failure: Failure, for scan: inout PhotoScan) throws {
        scan.problem = failure.problem
        scan.retryAfter = failure.wait
        let date = now().addingTimeInterval((failure.wait ?? .zero) / .seconds(1))
        try store.markFailed(scan.id, error: failure.problem, retryAt: failure.isRetryable ? date : nil)
        if failure.isRetryable { scan.status = .queued }
    }

    /// Takes the back end's answer in: of several books, the first is the spine's, and the others go beside it.
    func reconcile(_ scan: inout PhotoScan, with books: [BookMetadata], tier: LibraryBook.Tier) throws {
        let decision = Reconciliation(lines: scan.lines.map(\.text), local: scan.answer, remote: books.first)
        scan.source = decision.source
        scan.needsReview = decision.needsReview
        for other in books.dropFirst() where !other.title.isEmpty {
            try store.upsert(record(of: other, tier: tier, scan: scan, needsReview: Self.isDoubtful(other)))
        }
        let remote = books.first.flatMap { $0.title.isEmpty ? nil : $0 }
        scan.candidates = Self.candidates(decision, local: scan.candidates, remote: remote)
        switch decision.source {
        case .neither:
            scan.status = scan.lines.isEmpty ? .unread : .draft
            return
        case .remote:
            guard let remote else { return }
            scan.answer = BookMatch(book: BookRecord(remote), confidence: decision.confidence)
            scan.isDraft = remote.isDraft
            let book = record(of: remote, tier: tier, scan: scan, needsReview: decision.needsReview)
            scan.book = try store.resolveDraft(scan.id, as: book)
        case .local:
            guard var answer = scan.answer else { return }
            // The same book: what the back end knows beside its title is welcome.
            if let remote, BookIdentity.isSame(answer.book, BookRecord(remote)) {
                answer.book = answer.book.completed(by: BookRecord(remote))
            }
            scan.answer = answer
            let book = LibraryBook(
                answer.book,
                tier: scan.path.first ?? tier,
                scan: scan,
                enrichment: LibraryBook.Enrichment(name: (books.first?.enrichmentStatus ?? .notFound).rawValue),
                needsReview: decision.needsReview,
                at: now()
            )
            scan.book = try store.resolveDraft(scan.id, as: book)
        }
        scan.status = .book
    }

    private static func isDoubtful(_ book: BookMetadata) -> Bool {
        (book.confidence ?? 0) < Reconciliation.reviewBelow || book.enrichmentStatus == .reviewNeeded
    }

    private func record(
        of book: BookMetadata,
        tier: LibraryBook.Tier,
        scan: PhotoScan,
        needsReview: Bool
    ) -> LibraryBook {
        LibraryBook(
            BookRecord(book),
            tier: tier,
            scan: scan,
            enrichment: LibraryBook.Enrichment(name: book.enrichmentStatus.rawValue),
            needsReview: needsReview,
            format: book.format,
            at: now()
        )
    }

    /// The answer that was taken first, then the other's, then what either named besides; each book once.
    private static func candidates(
        _ decision: Reconciliation,
        local: [BookMatch],
        remote: BookMetadata?
    ) -> [BookMatch] {
        guard let remote else { return local }
        // A draft is no book of the catalogue that the spine may be of.
        let named = remote.isDraft ? [] : [BookMatch(book: BookRecord(remote), confidence: remote.confidence ?? 0)]
        let related = remote.relatedTitles.map { BookMatch(book: BookRecord(title: $0), confidence: 0) }
        let all = decision.source == .remote ? named + local + related : local + named + related
        return all.reduce(into: []) { kept, match in
            if !kept.contains(where: { BookIdentity.isSame($0.book, match.book) }) { kept.append(match) }
        }
    }
}
