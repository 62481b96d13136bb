import Basics
import BookCatalogue
import Foundation
import Talaria
import TextRecognition

/// A request to the back end about a scan: its text, or its picture.
struct ScanRequest: Sendable {
    let tier: LibraryBook.Tier
    let limit: Duration
    let send: @Sendable (any BackEnd) async throws -> PhotoAnswer
}

extension ScanSession {
    func request(_ text: String, _ orientation: TextOrientation?) -> ScanRequest {
        let isVertical = orientation.map { $0 == .clockwise || $0 == .counterclockwise }
        let geometry = isVertical.map { EnrichRequest.Geometry(orientation: $0 ? "vertical" : "horizontal") }
        let request = EnrichRequest(rawText: text, deviceID: deviceID, geometry: geometry)
        return ScanRequest(tier: .enrich, limit: settings.patience) {
            PhotoAnswer(books: [try await $0.enrich(request)])
        }
    }

    func request(_ photo: Photo, id: UUID, within limit: Duration) -> ScanRequest {
        ScanRequest(tier: .upload, limit: limit) { try await $0.books(on: photo, id: id) }
    }

    /// Asks the back end about a scan in the queue, and stores its answer: the books are in the library, and the scan
    /// is out of the queue.
    ///
    /// `meanwhile` is done while the back end works.
    ///
    /// - Throws: `TalariaError` without an answer, `CancellationError`, and the errors of the catalogue and the library.
    /// - Returns: the scans of the other books on a picture.
    func submit(
        _ request: ScanRequest,
        of scan: inout PhotoScan,
        _ milestone: Milestone.Handler = { _ in },
        meanwhile: (inout PhotoScan) throws -> Void = { _ in }
    ) async throws -> [PhotoScan] {
        async let asked = reply(to: request)
        try meanwhile(&scan)
        let (reply, duration) = try await asked
        scan.path.append(request.tier)
        if request.tier == .enrich { scan.timings.enrichment = duration } else { scan.timings.upload = duration }
        if case .failure(let failure) = reply { scan.problem = "\(failure)" }
        let answer = try reply.get()
        (scan.problem, scan.retryAfter, scan.stream) = (nil, nil, answer.stream)
        let others = try store(answer, of: &scan, request.tier, milestone)
        try store.markDone(scan.id)
        milestone(.enriched(scan.book))
        if let cleanUp = answer.cleanUp { start(cleanUp) }
        return others
    }

    private func reply(to request: ScanRequest) async throws -> (Result<PhotoAnswer, TalariaError>, Duration) {
        guard let backEnd else { throw ScanningError.noBackEnd(strategy) }
        let (start, operation) = (ContinuousClock.now, request.tier == .enrich ? "enrichment" : "upload")
        do {
            let answer = try await within(request.limit, operation, on: clock) { try await request.send(backEnd) }
            return (.success(answer), start.duration(to: .now))
        } catch let error as TalariaError {
            try Task.checkCancellation()
            return (.failure(error), start.duration(to: .now))
        }
    }

    /// Stores the books of an answer: the scan itself is of the first, and each other one has a scan of its own.
    ///
    /// The text of an unidentified book is stored before the picture is deleted. An answer stored again, because the
    /// process was killed meanwhile, duplicates nothing.
    ///
    /// - Returns: the other books' scans, in the order of the answer.
    private func store(
        _ answer: PhotoAnswer,
        of scan: inout PhotoScan,
        _ tier: LibraryBook.Tier,
        _ milestone: Milestone.Handler
    ) throws -> [PhotoScan] {
        let photo = scan
        if answer.books.count > 1 {
            scan.note(answer.books[0], number: 1)
        } else {
            scan.remoteLines = answer.lines
        }
        try reconcile(&scan, with: answer.books.first, tier: tier)
        if tier == .upload, scan.status != .book { try keepDraft(of: &scan, milestone) }
        return try answer.books.enumerated().dropFirst().map { index, book in
            var other = PhotoScan(
                id: photo.id.part(index),
                name: photo.name,
                strategy: strategy,
                picture: photo.picture
            )
            (other.path, other.timings, other.frame, other.stream) = (
                photo.path, photo.timings, photo.frame, photo.stream
            )
            other.note(book, number: index + 1)
            try reconcile(&other, with: book, tier: tier)
            if other.status != .book { try keepDraft(of: &other) { _ in } }
            return other
        }
    }

    /// Records an attempt in vain; another one, if that makes sense, is due after a time.
    func markFailed(_ id: UUID, _ failure: TalariaError, after wait: Duration) throws {
        let date = now().addingTimeInterval(wait / .seconds(1))
        try store.markFailed(id, error: "\(failure)", retryAt: failure.isFinal ? nil : date)
    }

    /// Takes the back end's answer in: its book, or none.
    private func reconcile(_ scan: inout PhotoScan, with book: BookMetadata?, tier: LibraryBook.Tier) throws {
        let decision = Reconciliation(lines: scan.lines.map(\.text), local: scan.answer, remote: book)
        if scan.isBookAlready, decision.isSame != true { return }
        (scan.source, scan.needsReview, scan.answer) = (decision.source, decision.needsReview, decision.answer)
        let isRemote = decision.source == .remote
        if let book, book.isFound {
            // The selected answer first, then the other's, then the remaining candidates of both. A draft is not a book
            // of the catalogue.
            let named = book.isDraft ? [] : [BookMatch(book: BookRecord(book), confidence: book.confidence ?? 0)]
            let related = book.relatedTitles.map { BookMatch(book: BookRecord(title: $0), confidence: 0) }
            let all = (isRemote ? named + scan.candidates : scan.candidates + named) + related
            scan.candidates = all.reduce(into: []) { kept, match in
                if !kept.contains(where: { BookIdentity.isSame($0.book, match.book) }) { kept.append(match) }
            }
        }
        guard scan.answer != nil else {
            scan.status = scan.lines.isEmpty ? .unread : .draft
            return
        }
        scan.isDraft = isRemote && book?.isDraft == true
        try keepAnswer(
            of: &scan,
            tier: isRemote ? tier : scan.path.first ?? tier,
            enrichment: .init(name: (book?.enrichmentStatus ?? .notFound).rawValue),
            format: isRemote ? book?.format : nil
        )
        scan.status = .book
    }
}

extension PhotoScan {
    /// Notes that the scan is of one of several books on a photo, with a number from 1.
    fileprivate mutating func note(_ book: BookMetadata, number: Int) {
        (place, remoteLines) = (book.place, book.lines)
        add(place: place.map { "#\($0.row).\($0.index)" } ?? "#\(number)")
    }
}

extension TalariaError {
    /// Wait before the retry; nil if the back end did not state one.
    var wait: Duration? {
        switch self {
        case .rateLimited(let state): state.remaining
        case .circuitOpen(_, let retryAfter): retryAfter
        default: nil
        }
    }

    /// Whether the answer apparently came from another server.
    var isForeign: Bool {
        switch self {
        case .malformed, .responseTooLarge, .eventTooLarge, .foreignAddress: true
        case .refused(_, let problem): !isFinal && problem.code == nil
        default: false
        }
    }

    /// Whether other scans would fail in the same way now.
    var concernsAll: Bool {
        switch self {
        case .rateLimited, .circuitOpen, .unreachable, .timedOut, .untrusted, .wrongPin, .deviceIdentity,
            .badConfiguration:
            true
        default: false
        }
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
