import Basics
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
            guard let (spines, problems) = try await read(job, &timing) else { return }
            if spines.isEmpty, let problem = problems.first { return try await fail(job, problem) }
            guard let books = try await name(spines, of: job, &timing) else { return }
            timing["totalMs"] = Double(job.uploadMilliseconds) + start.duration(to: clock.now).seconds * 1_000
            guard try await complete(job, books, failed: problems.count, timing) else { return }
            let milliseconds = "\(start.duration(to: clock.now).milliseconds)"
            log.info("job completed", ["job": job.id, "books": "\(books.count)", "milliseconds": milliseconds])
        } catch let error where !error.isDatabaseFailure {
            // The type alone: an error's text may quote the read text.
            log.error("job failed", ["job": job.id, "error": "\(type(of: error))"])
            let detail = "The server failed to process the request; try again."
            try await fail(job, Problem(.internalError, detail))
        }
    }

    // MARK: Stages

    /// Returns the spines of the photos, and a problem for each photo without any; nil when they are not wanted any more.
    private func read(
        _ job: Job,
        _ timing: inout [String: Double]
    ) async throws -> (spines: [SpineText], problems: [Problem])? {
        try await report(job, status: "processing", message: "analyzing_image", progress: 0.1)
        let start = clock.now
        var (spines, problems) = ([SpineText](), [Problem]())
        for index in 0..<job.photos {
            guard try await store.job(job.id)?.state == .processing else { return nil }
            switch try await photo(index, of: job) {
            case .success(let found): spines += found
            case .failure(let problem): problems.append(problem)
            }
        }
        timing["geminiMs"] = start.duration(to: clock.now).seconds * 1_000
        let count = spines.count
        if count > 0 {
            let message = "Identified \(count) \(count == 1 ? "book" : "books")"
            try await report(job, status: "identifying_books", message: message, progress: 0.5, detected: count)
        }
        return (spines, problems)
    }

    private func photo(_ index: Int, of job: Job) async throws -> Result<[SpineText], Problem> {
        guard let bytes = try await store.picture(index, of: job.id) else {
            return .failure(Problem(.imagesLost, "The photo was lost when the server stopped; send it again."))
        }
        do {
            var spines = try await readingQueue.run { [reader] in try reader.read(bytes, "photo \(index)") }
            for spine in spines.indices { spines[spine].place?.photo = index + 1 }
            if !spines.isEmpty { return .success(spines) }
            return .failure(Problem(.noTextDetected, "No text was found on the photo; move closer, or hold still."))
        } catch {
            log.warning("photo not read", ["job": job.id, "error": "\(type(of: error))"])
            let detail = "The photo cannot be decoded; send a JPEG, PNG or HEIC file."
            return .failure(Problem(.unsupportedFormat, detail))
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
            let event = ScanEvent.result(ScanResult(book: book, progress: scan))
            guard try await send(event, of: job.id, progress: progress) else { return nil }
        }
        timing["enrichmentMs"] = enrichment.seconds * 1_000
        return books
    }

    private func complete(
        _ job: Job,
        _ books: [BookMetadata],
        failed: Int,
        _ timing: [String: Double]
    ) async throws -> Bool {
        let date = now()
        let enriched = books.count { $0.enrichmentStatus == .success }
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
            try stored(.completed(second), of: job.id, type: "complete"),
        ]
        return try await store.move(job.id, to: .completed, at: date, events: events)
    }

    // MARK: Around them

    private func fail(_ job: Job, _ problem: Problem) async throws {
        let isRetryable = problem.isRetryable
        var details = ProblemDetails(detail: problem.detail, code: problem.code, isRetryable: isRetryable)
        details.jobID = job.id
        let event = try stored(.failed(details), of: job.id)
        // A client that retries sends the same key, and should get a new job.
        guard try await store.move(job.id, to: .failed, at: now(), events: [event], releasesKey: isRetryable) else {
            return
        }
        log.info("job failed", ["job": job.id, "code": "\(problem.code)"])
    }

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
        _ = try await send(.progress(event), of: job.id, progress: progress)
    }
}
