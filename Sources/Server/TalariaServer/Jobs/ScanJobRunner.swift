import Foundation
import Talaria

/// Execution of one job: it reads the photos, names the books, and reports its progress.
extension TalariaServer {
    /// Completes a job with any result; a job that was canceled or cleaned up stops at the next stage.
    ///
    /// - Throws: the database's error when the job's result cannot be saved: then the job is still open, its pictures
    ///   exist, and it can be run again.
    func process(_ job: Job) async throws {
        let start = clock.now
        do {
            guard try await store.move(job.id, to: .processing, at: now()) else {
                files.remove(job.id)
                return
            }
            var timing: [String: Double] = [:]
            timing["uploadMs"] = Double(job.uploadMilliseconds)
            guard let photos = try await read(job, &timing) else { return leave(job) }
            let spines = photos.flatMap(\.spines)
            guard !spines.isEmpty else {
                try await fail(job, photos.lazy.compactMap(\.failure).first ?? .internalError)
                return leave(job)
            }
            guard let books = try await name(spines, of: job, &timing) else { return leave(job) }
            timing["totalMs"] = Double(job.uploadMilliseconds) + start.duration(to: clock.now).seconds * 1_000
            try await complete(job, books, photos: photos, timing)
            leave(job)
            metrics.jobEnded(.completed, after: start.duration(to: clock.now))
            log.info("job completed", ["job": job.id, "books": "\(books.count)"])
        } catch let error where !error.isDatabaseFailure {
            // The type alone: an error's text may quote the read text.
            log.error("job failed", ["job": job.id, "error": "\(type(of: error))"])
            try await fail(job, .internalError)
            leave(job)
        }
    }

    /// Spines of one photo, or the reason why there are none.
    private struct ReadPhoto: Sendable {
        var spines: [SpineText] = []
        var failure: ErrorCode?
    }

    // MARK: Stages

    private func read(_ job: Job, _ timing: inout [String: Double]) async throws -> [ReadPhoto]? {
        try await report(job, status: "processing", message: "analyzing_image", progress: 0.1)
        let start = clock.now
        var photos: [ReadPhoto] = []
        for index in 0..<job.photos {
            guard try await isWanted(job) else { return nil }
            photos.append(await photo(index, of: job))
        }
        let duration = start.duration(to: clock.now)
        timing["geminiMs"] = duration.seconds * 1_000
        metrics.stage("recognition", duration)
        let detected = photos.reduce(0) { $0 + $1.spines.count }
        if detected > 0 {
            try await report(
                job,
                status: "identifying_books",
                message: "Identified \(detected) \(detected == 1 ? "book" : "books")",
                progress: 0.5,
                detected: detected
            )
        }
        return photos
    }

    private func photo(_ index: Int, of job: Job) async -> ReadPhoto {
        let (files, reader) = (files, reader)
        let id = job.id
        do {
            let text = try await readingQueue.run { () -> PhotoText? in
                guard let bytes = files.bytes(ofPhoto: index, job: id) else { return nil }
                return try reader.read(bytes, "photo \(index)")
            }
            guard let text else { return ReadPhoto(failure: .imagesLost) }
            guard !text.spines.isEmpty else { return ReadPhoto(failure: .noTextDetected) }
            var spines = text.spines
            for spine in spines.indices { spines[spine].place?.photo = index + 1 }
            return ReadPhoto(spines: spines)
        } catch {
            log.warning("photo not read", ["job": id, "error": "\(type(of: error))"])
            return ReadPhoto(failure: .unsupportedFormat)
        }
    }

    private func name(
        _ texts: [SpineText],
        of job: Job,
        _ timing: inout [String: Double]
    ) async throws -> [BookMetadata]? {
        var enrichment = Duration.zero
        var books: [BookMetadata] = []
        for (index, text) in texts.enumerated() {
            guard try await isWanted(job) else { return nil }
            let start = clock.now
            var book = try await resolvingQueue.run {
                try resolver.resolve(text.lines, on: text.subject, candidates: text.candidates)
            }
            (book.boundingBox, book.place) = (text.box, text.place)
            // The read text and the assumed book are separate.
            book.lines = text.lines
            enrichment += start.duration(to: clock.now)
            books.append(book)
            let progress = 0.5 + 0.45 * Double(index + 1) / Double(texts.count)
            var scan = ScanProgress(jobID: job.id, progress: progress, status: "enriching_metadata")
            scan.message = "Enriched book \(index + 1) of \(texts.count)"
            (scan.processedCount, scan.totalCount) = (index + 1, texts.count)
            scan.currentItem = book.title
            scan.timestamp = JSON.timestamp(now())
            try await send(.result(ScanResult(book: book, progress: scan)), of: job.id, progress: progress)
        }
        timing["enrichmentMs"] = enrichment.seconds * 1_000
        metrics.stage("enrichment", enrichment)
        return books
    }

    private func complete(
        _ job: Job,
        _ books: [BookMetadata],
        photos: [ReadPhoto],
        _ timing: [String: Double]
    ) async throws {
        let date = now()
        let enriched = books.count { $0.enrichmentStatus == .success }
        let failed = photos.count { $0.spines.isEmpty }
        var summary = ScanSummary(processed: books.count + failed, enriched: enriched, detected: books.count)
        summary.failed = failed
        summary.reviewNeeded = books.count { $0.enrichmentStatus == .reviewNeeded }
        summary.degraded = 0
        summary.unique = Set(books.map { $0.isbn ?? "\($0.title)|\($0.authors)".lowercased() }).count
        summary.approved = enriched
        var first = ScanCompletion(jobID: job.id, books: books)
        var second = ScanCompletion(jobID: job.id, resultsLocation: ScanPaths(id: job.id).results)
        first.duration = timing
        (first.summary, second.summary) = (summary, summary)
        (first.completedAt, second.completedAt) = (JSON.timestamp(date), JSON.timestamp(date))
        _ = try await store.move(
            job.id,
            to: .completed,
            at: date,
            events: [try stored(.completed(first)), try stored(.completed(second), type: JobEvent.lastType)],
            result: WireJSON.encode(ScanResults(jobID: job.id, results: books))
        )
    }

    // MARK: Around them

    private func fail(_ job: Job, _ code: ErrorCode) async throws {
        let isRetryable = code == .internalError || code == .imagesLost
        var problem = ProblemDetails(detail: code.explanation, code: code, isRetryable: isRetryable)
        problem.jobID = job.id
        let event = try stored(.failed(problem))
        // A client that retries sends the same key, and should get a new job.
        _ = try await store.move(job.id, to: .failed, at: now(), events: [event], releasesKey: isRetryable)
        metrics.jobEnded(.failed, after: nil)
        log.info("job failed", ["job": job.id, "code": "\(code)"])
    }

    /// Removes the pictures as soon as they are unneeded, and before the end of the job is reported.
    private func leave(_ job: Job) {
        files.remove(job.id)
        signals.notify(job.id)
    }

    private func isWanted(_ job: Job) async throws -> Bool { try await store.state(of: job.id) == .processing }

    private func report(
        _ job: Job,
        status: String,
        message: String,
        progress: Double,
        detected: Int? = nil
    ) async throws {
        var event = ScanProgress(jobID: job.id, progress: progress, status: status, message: message)
        (event.processedCount, event.totalCount) = (0, job.photos)
        event.detectedCount = detected
        event.timestamp = JSON.timestamp(now())
        try await send(.progress(event), of: job.id, progress: progress)
    }
}

extension JobEvent {
    /// Type in the id of the event after which a stream ends.
    static let lastType = "complete"
}

extension ErrorCode {
    fileprivate var explanation: String {
        switch self {
        case .noTextDetected: "No text was found on the photo; move closer, or hold still."
        case .unsupportedFormat: "The photo cannot be decoded; send a JPEG, PNG or HEIC file."
        case .imagesLost: "The photo was lost when the server stopped; send it again."
        default: "The server failed to process the request; try again."
        }
    }
}
