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
            guard try await store.move(job.id, to: .processing, at: now()) else { return }
            var timing = ["uploadMs": Double(job.uploadMilliseconds)]
            guard let photos = try await read(job, &timing) else { return }
            let spines = photos.flatMap(\.spines)
            guard !spines.isEmpty else {
                return try await fail(job, photos.lazy.compactMap(\.failure).first ?? .internalError)
            }
            guard let books = try await name(spines, of: job, &timing) else { return }
            timing["totalMs"] = Double(job.uploadMilliseconds) + start.duration(to: clock.now).seconds * 1_000
            guard try await complete(job, books, photos: photos, timing) else { return }
            metrics.jobEnded(.completed, after: start.duration(to: clock.now))
            log.info("job completed", ["job": job.id, "books": "\(books.count)"])
        } catch let error where !error.isDatabaseFailure {
            // The type alone: an error's text may quote the read text.
            log.error("job failed", ["job": job.id, "error": "\(type(of: error))"])
            try await fail(job, .internalError)
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
            photos.append(try await photo(index, of: job))
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

    private func photo(_ index: Int, of job: Job) async throws -> ReadPhoto {
        guard let bytes = try await store.picture(index, of: job.id) else { return ReadPhoto(failure: .imagesLost) }
        do {
            var spines = try await readingQueue.run { [reader] in try reader.read(bytes, "photo \(index)") }
            guard !spines.isEmpty else { return ReadPhoto(failure: .noTextDetected) }
            for spine in spines.indices { spines[spine].place?.photo = index + 1 }
            return ReadPhoto(spines: spines)
        } catch {
            log.warning("photo not read", ["job": job.id, "error": "\(type(of: error))"])
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
    ) async throws -> Bool {
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
        var second = ScanCompletion(jobID: job.id, resultsLocation: "\(job.path)/results")
        first.duration = timing
        (first.summary, second.summary) = (summary, summary)
        (first.completedAt, second.completedAt) = (JSON.timestamp(date), JSON.timestamp(date))
        let events = [
            try stored(.completed(first), of: job.id),
            try stored(.completed(second), of: job.id, type: JobEvent.lastType),
        ]
        return try await store.move(job.id, to: .completed, at: date, events: events)
    }

    // MARK: Around them

    private func fail(_ job: Job, _ code: ErrorCode) async throws {
        let isRetryable = code == .internalError || code == .imagesLost
        var problem = ProblemDetails(detail: code.explanation, code: code, isRetryable: isRetryable)
        problem.jobID = job.id
        let event = try stored(.failed(problem), of: job.id)
        // A client that retries sends the same key, and should get a new job.
        guard try await store.move(job.id, to: .failed, at: now(), events: [event], releasesKey: isRetryable) else {
            return
        }
        metrics.jobEnded(.failed, after: nil)
        log.info("job failed", ["job": job.id, "code": "\(code)"])
    }

    private func isWanted(_ job: Job) async throws -> Bool { try await store.job(job.id)?.state == .processing }

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
