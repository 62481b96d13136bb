import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Talaria
import TextRecognition

/// A step of a scan: a strategy is a list of them.
enum ScanStep: Equatable {
    /// The device reads the picture. A photo of shelves splits into its spines.
    case read
    /// The text becomes a draft, and the device's catalogue names it, and the back end, unless it has answered to the
    /// picture.
    case ask
    /// The back end gets the picture, and a limited time for its answer. A book in it ends the scan.
    case send(within: Duration)
}

extension ScanSession {
    func steps(forShelf isShelf: Bool) -> [ScanStep] {
        switch strategy {
        case .onDeviceOnly, .hybrid: [.read, .ask]
        case .talariaOnly: [.send(within: settings.patience(forShelf: isShelf))]
        case .visionFallback: [.send(within: isShelf ? settings.patience : settings.slowThreshold), .read, .ask]
        }
    }

    /// Takes the scan of a picture through steps; it becomes the scans of the picture's books.
    ///
    /// `found` is called with each that has ended.
    func run(
        _ steps: some Sequence<ScanStep>,
        of scans: inout [PhotoScan],
        on picture: ScanPicture,
        isShelf: Bool = false,
        _ milestone: Milestone.Handler = { _ in },
        found: (PhotoScan) -> Void = { _ in }
    ) async throws {
        func end(_ scan: inout PhotoScan) {
            scan.egress = ledger.totals(of: scan.id)
            if scan.status == .queued, let problem = scan.problem { milestone(.queued(problem)) }
            found(scan)
        }
        steps: for step in steps {
            switch step {
            case .read: try await read(picture, isShelf: isShelf, into: &scans, milestone)
            case .send(let limit):
                try await EgressLedger.$scan.withValue(scans[0].id) {
                    scans += try await send(picture, of: &scans[0], within: limit, milestone)
                }
                if scans.count > 1 || scans[0].status == .book { break steps }
            case .ask:
                for index in scans.indices {
                    if index > 0 { try Task.checkCancellation() }
                    try await EgressLedger.$scan.withValue(scans[index].id) { try await ask(&scans[index], milestone) }
                    end(&scans[index])
                }
                return
            }
        }
        for index in scans.indices { end(&scans[index]) }
    }

    // MARK: Read

    /// Reads the picture of a scan on the device (tier 1).
    func read(
        _ picture: ScanPicture,
        isShelf: Bool = false,
        into scans: inout [PhotoScan],
        _ milestone: Milestone.Handler
    ) async throws {
        guard let reader else { throw ScanningError.noReader(strategy) }
        let (photo, name) = (scans[0], scans[0].name)
        let (seen, tier) = try await reader.books(of: picture, name: name, isShelf: isShelf, matcher: matcher)
        let time = seen.timings.total
        if seen.books.count > 1 {
            // Each spine's text goes its own way: the photo need not wait any longer.
            if !photo.path.isEmpty {
                try store.forget(photo.id)
                try store.discardDraft(photo.id)
            }
            scans = seen.books.map { book in
                var scan = PhotoScan(id: UUID(), name: name, strategy: strategy, picture: photo.picture)
                scan.add(place: book.spine.place)
                return scan
            }
        }
        for index in scans.indices {
            let book = index < seen.books.count ? seen.books[index] : nil
            let reading = book?.spine.reading ?? SpineReading(lines: [], orientation: nil, timings: seen.timings)
            // The user aims at what a frame shows.
            var subject = NamingPolicy.Subject.spine
            if case .file = picture { (subject, scans[index].timings.decoding) = (seen.kind, seen.decoding) }
            scans[index].note(reading, in: time, by: tier, on: subject)
            scans[index].timings.detectionInference = seen.timings.detectionInference
            scans[index].timings.recognitionInference = seen.timings.recognitionInference
            if isShelf { scans[index].named = book?.named }
            milestone(.text(reading.lines))
        }
        settings.log?("[STAT:vi_latency] \(String(format: "%.1f", time / .milliseconds(1)))ms")
    }

    // MARK: Ask

    /// Stores the text as a draft and names it: the device's catalogue and the back end work at the same time (tier 2).
    private func ask(_ scan: inout PhotoScan, _ milestone: Milestone.Handler) async throws {
        guard !scan.lines.isEmpty else { return }
        // A draft is in the queue at once: no text is kept that nobody asks for.
        if scan.status != .draft { try keepDraft(of: &scan, milestone) }
        let wasSent = scan.path.first == .upload
        // The back end is not asked without enough text, nor for the text of a picture that it has answered to.
        let isEnough = wasSent ? scan.problem != nil : NamingPolicy.isEnough(scan.lines.map(\.text), on: scan.subject)
        guard backEnd != nil, isEnough else {
            try match(&scan, milestone)
            return try keepLocalAnswer(&scan, enrichment: wasSent ? .notFound : .pending)
        }
        if !wasSent { try store.enqueue(text: scan.text, id: scan.id, createdAt: now()) }
        do {
            _ = try await submit(request(scan.text, scan.orientation), of: &scan, milestone) { scan in
                try match(&scan, milestone)
            }
        } catch let failure as TalariaError {
            // A picture that waits has more information than its text.
            if !wasSent { try note(failure, for: &scan) }
            let isOpen = if case .circuitOpen = failure { true } else { false }
            try keepLocalAnswer(&scan, enrichment: isOpen ? .circuitOpen : .error)
        }
    }

    // MARK: Send

    /// Sends the picture (tier 3).
    ///
    /// - Returns: the scans of the other books, if the picture shows several.
    private func send(
        _ picture: ScanPicture,
        of scan: inout PhotoScan,
        within limit: Duration,
        _ milestone: Milestone.Handler
    ) async throws -> [PhotoScan] {
        let (preparation, name) = (settings.preparation, scan.name)
        let start = ContinuousClock.now
        let photo = try await ReaderQueue.run { try preparation.prepare(picture, name: name) }
        scan.timings.preparation = start.duration(to: .now)
        try store.enqueue(image: Data(photo.jpeg), id: scan.id, createdAt: now())
        milestone(.prepared)
        do {
            return try await submit(request(photo, id: scan.id, within: limit), of: &scan, milestone)
        } catch let failure as TalariaError {
            try note(failure, for: &scan)
            return []
        }
    }

    /// Leaves a scan in the queue, or gives it up if it would fail again.
    private func note(_ failure: TalariaError, for scan: inout PhotoScan) throws {
        scan.retryAfter = failure.wait
        try markFailed(scan.id, failure, after: failure.wait ?? .zero)
        if !failure.isFinal { scan.status = .queued }
    }
}

extension PhotoScan {
    /// Takes in a reading on the device that took so long.
    mutating func note(
        _ reading: SpineReading,
        in time: Duration,
        by tier: LibraryBook.Tier,
        on subject: NamingPolicy.Subject
    ) {
        (lines, orientation, self.subject) = (reading.lines, reading.orientation, subject)
        timings.reading = time
        path.append(tier)
    }

    /// Adds the place on its photo, `#ROW.INDEX`: the photo that is scanned again replaces the draft at each place.
    mutating func add(place: String) {
        name += place
        picture = picture.map { $0 + place }
    }
}

extension ShelfSpine {
    var place: String { "#\(row).\(index)" }
}
