import Basics
import BookCatalogue
import Foundation
import Talaria
import TextRecognition

extension ScanSession {
    /// The result of a request to the back end.
    enum Remote: Sendable {
        case answer(PhotoAnswer)
        case failure(Failure)
    }

    /// The reason for the back end's missing answer.
    struct Failure: Sendable {
        var problem: String
        /// Whether a retry makes sense; false if the server itself has refused the scan.
        var isRetryable: Bool
        /// Whether the answer apparently came from another server.
        var isForeign: Bool
        /// Wait before the retry; nil if the back end did not state one.
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

    /// Sends text (tier 2).
    func ask(text: String, orientation: TextOrientation?) async throws -> (Remote, Duration) {
        let isVertical = orientation.map { $0 == .clockwise || $0 == .counterclockwise }
        let geometry = isVertical.map { EnrichRequest.Geometry(orientation: $0 ? "vertical" : "horizontal") }
        let request = EnrichRequest(rawText: text, deviceID: deviceID, geometry: geometry)
        return try await ask("enrichment", within: settings.patience) {
            PhotoAnswer(books: [try await $0.enrich(request)])
        }
    }

    /// Sends a request to the back end, and returns the answer with its duration.
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

    /// Sends the picture (tier 3).
    ///
    /// - Returns: the scans of the other books, if the picture shows several.
    func upload(
        _ picture: ScanPicture,
        of scan: inout PhotoScan,
        within limit: Duration,
        _ milestone: @Sendable (Milestone) -> Void
    ) async throws -> [PhotoScan] {
        let (preparation, name) = (settings.preparation, scan.name)
        let start = ContinuousClock.now
        let photo = try await ReaderQueue.run {
            switch picture {
            case .file(let bytes): try preparation.prepare(bytes, name: name)
            case .pixels(let image): try preparation.prepare(image)
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
            scan.stream = answer.stream
            let others = try take(answer, of: &scan, milestone) { scan, book in
                try reconcile(&scan, with: book, tier: .upload)
            }
            try store.markDone(scan.id)
            milestone(.enriched(scan.book))
            if let cleanUp = answer.cleanUp { cleanups.start(cleanUp) }
            return others
        case .failure(let failure):
            try note(failure, for: &scan)
            if scan.status == .queued { milestone(.queued(failure.problem)) }
            return []
        }
    }

    /// Stores the books of a picture: the scan itself is of the first, and each other one has a scan of its own.
    ///
    /// The text of an unidentified book is stored before the picture is deleted. An answer stored again, because the
    /// process was killed meanwhile, duplicates nothing.
    ///
    /// - Returns: the other books' scans, in the order of the answer.
    func take(
        _ answer: PhotoAnswer,
        of scan: inout PhotoScan,
        _ milestone: @Sendable (Milestone) -> Void = { _ in },
        reconciled: (inout PhotoScan, BookMetadata?) throws -> Void
    ) throws -> [PhotoScan] {
        let books = answer.books
        let photo = scan
        if books.count > 1 {
            scan.place(of: books[0], number: 1, on: photo)
        } else {
            scan.remoteLines = answer.lines
        }
        try reconciled(&scan, books.first)
        if scan.status != .book { try keepDraft(of: &scan, milestone) }
        return try books.enumerated().dropFirst().map { index, book in
            var other = PhotoScan(id: photo.id.part(index), name: photo.name, strategy: strategy)
            (other.path, other.timings, other.frame) = (photo.path, photo.timings, photo.frame)
            other.place(of: book, number: index + 1, on: photo)
            try reconcile(&other, with: book, tier: .upload)
            if other.status != .book { try keepDraft(of: &other) { _ in } }
            return other
        }
    }

    /// Sends the picture first; when that fails, is slow or names no book, the text (option C).
    func uploadOrRead(
        _ picture: ScanPicture,
        of scan: inout PhotoScan,
        _ milestone: @escaping @Sendable (Milestone) -> Void
    ) async throws {
        let others = try await upload(
            picture,
            of: &scan,
            within: settings.slowThreshold,
            { if case .enriched = $0 { milestone($0) } }
        )
        if scan.status != .book, others.isEmpty { try await readUnnamed(picture, of: &scan, milestone) }
    }

    /// Reads the picture of one spine after the back end failed, was slow or named no book.
    func readUnnamed(
        _ picture: ScanPicture,
        of scan: inout PhotoScan,
        _ milestone: @escaping @Sendable (Milestone) -> Void
    ) async throws {
        guard scan.problem != nil else {
            // The back end knows no book: the device's text is stored, and its own catalogue may have more.
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
        try await enrich(&scan, milestone) { scan, failure in
            scan.problem = failure.problem
            // The picture is in the queue and has more information than the text.
            scan.status = waits ? .queued : .draft
        }
    }

    /// Asks the back end and the device's own catalogue for the book of the text, at the same time; `failed` notes a
    /// missing answer.
    func enrich(
        _ scan: inout PhotoScan,
        _ milestone: @escaping @Sendable (Milestone) -> Void,
        failed: (inout PhotoScan, Failure) throws -> Void
    ) async throws {
        async let asked = ask(text: scan.text, orientation: scan.orientation)
        try match(&scan, milestone)
        let (remote, duration) = try await asked
        scan.timings.enrichment = duration
        scan.path.append(.enrich)
        switch remote {
        case .answer(let answer):
            (scan.problem, scan.retryAfter) = (nil, nil)
            try reconcile(&scan, with: answer.books.first, tier: .enrich)
            try store.markDone(scan.id)
            milestone(.enriched(scan.book))
        case .failure(let failure):
            try failed(&scan, failure)
            try keepLocalAnswer(&scan, enrichment: failure.enrichment)
            if scan.status == .queued { milestone(.queued(failure.problem)) }
        }
    }

    /// Leaves a scan in the queue, or gives it up if it would fail again.
    func note(_ failure: Failure, for scan: inout PhotoScan) throws {
        scan.problem = failure.problem
        scan.retryAfter = failure.wait
        let date = now().addingTimeInterval((failure.wait ?? .zero) / .seconds(1))
        try store.markFailed(scan.id, error: failure.problem, retryAt: failure.isRetryable ? date : nil)
        if failure.isRetryable { scan.status = .queued }
    }

    /// Takes the back end's answer in: its book, or none.
    func reconcile(_ scan: inout PhotoScan, with book: BookMetadata?, tier: LibraryBook.Tier) throws {
        let decision = Reconciliation(lines: scan.lines.map(\.text), local: scan.answer, remote: book)
        scan.source = decision.source
        scan.needsReview = decision.needsReview
        let remote = book.flatMap { $0.title.isEmpty ? nil : $0 }
        scan.candidates = Self.candidates(decision, local: scan.candidates, remote: remote)
        switch decision.source {
        case .neither:
            scan.status = scan.lines.isEmpty ? .unread : .draft
            return
        case .remote:
            guard let remote else { return }
            scan.answer = BookMatch(book: BookRecord(remote), confidence: decision.confidence)
            scan.isDraft = remote.isDraft
            let enrichment = LibraryBook.Enrichment(name: remote.enrichmentStatus.rawValue)
            var book = self.book(BookRecord(remote), of: scan, tier: tier, enrichment: enrichment)
            book.format = remote.format
            scan.book = try store.resolveDraft(scan.id, as: book)
        case .local:
            guard var answer = scan.answer else { return }
            // The same book: the back end's further data is added.
            if let remote, BookIdentity.isSame(answer.book, BookRecord(remote)) {
                answer.book = answer.book.completed(by: BookRecord(remote))
            }
            scan.answer = answer
            let enrichment = LibraryBook.Enrichment(name: (book?.enrichmentStatus ?? .notFound).rawValue)
            let book = self.book(answer.book, of: scan, tier: scan.path.first ?? tier, enrichment: enrichment)
            scan.book = try store.resolveDraft(scan.id, as: book)
        }
        scan.status = .book
    }

    /// Returns the selected answer first, then the other's, then the remaining candidates of both; each book once.
    private static func candidates(
        _ decision: Reconciliation,
        local: [BookMatch],
        remote: BookMetadata?
    ) -> [BookMatch] {
        guard let remote else { return local }
        // A draft is not a book of the catalogue.
        let named = remote.isDraft ? [] : [BookMatch(book: BookRecord(remote), confidence: remote.confidence ?? 0)]
        let related = remote.relatedTitles.map { BookMatch(book: BookRecord(title: $0), confidence: 0) }
        let all = decision.source == .remote ? named + local + related : local + named + related
        return all.reduce(into: []) { kept, match in
            if !kept.contains(where: { BookIdentity.isSame($0.book, match.book) }) { kept.append(match) }
        }
    }
}

extension PhotoScan {
    /// Turns the scan into that of one of several books on a photo.
    fileprivate mutating func place(of book: BookMetadata, number: Int, on photo: PhotoScan) {
        place = book.place
        let suffix = place.map { "#\($0.row).\($0.index)" } ?? "#\(number)"
        name = photo.name + suffix
        // The photo that is scanned again replaces the draft at each place.
        picture = photo.picture.map { $0 + suffix }
        remoteLines = book.lines
        stream = photo.stream
    }
}

extension UUID {
    /// Returns the identity of one of several books on the photo of this one.
    fileprivate func part(_ number: Int) -> UUID {
        let bytes = SHA256.digest(of: Data("\(uuidString)#\(number)".utf8))
        // Version 8, of one's own making (RFC 9562, section 5.8).
        return bytes.withUnsafeBytes { raw in
            var id = raw.loadUnaligned(as: uuid_t.self)
            (id.6, id.8) = (id.6 & 0x0F | 0x80, id.8 & 0x3F | 0x80)
            return UUID(uuid: id)
        }
    }
}
