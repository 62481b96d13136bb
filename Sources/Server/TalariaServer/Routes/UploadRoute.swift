import Foundation
import HTTPServer
import HTTPTypes
import Talaria

extension TalariaServer {
    /// Answers `POST /v3/jobs/scans`: takes photos in and answers before they are read.
    func upload(_ request: Request) async throws -> Response {
        let start = clock.now
        let device = try DeviceID(of: request)
        let key = try idempotencyKey(request)
        let rate = try await limiter.admit(client: device.text, .scans)
        guard let boundary = request.headers[.contentType].flatMap(MultipartHeader.boundary) else {
            throw Problem.invalidRequest("The content type must be multipart/form-data with a boundary.")
        }
        let announced = request.body.announced ?? 1
        if announced > limits.batchBytes + 64 << 10 {
            throw Problem.tooLarge("The body is larger than \(limits.batchBytes >> 20) MB.")
        }
        var isReplay = false
        if let key { isReplay = try await store.job(device: device.text, idempotencyKey: key) != nil }
        // Checked before the body arrives: a client that would be refused need not send it.
        if !isReplay, let wait = queue.probe() { throw refusal(wait, rate) }
        guard storage.has(announced) else {
            metrics.refused("room")
            throw Problem.noRoom
        }

        let id = UUID().uuidString.lowercased()
        try files.makeFolder(of: id)
        do {
            let (photos, digest) = try await receive(request, boundary: boundary, job: id)
            let job = Job(
                id: id,
                device: device.text,
                state: .queued,
                photos: photos,
                created: now(),
                idempotencyKey: key,
                digest: digest,
                uploadMilliseconds: start.duration(to: clock.now).milliseconds
            )
            let (accepted, token) = try await enqueue(job, rate)
            var response = self.accepted(accepted, token: token, request).with(rate)
            if accepted.id != id {
                files.remove(id)
                response.headers[.idempotencyReplayed] = "true"
            }
            metrics.stage("upload", start.duration(to: clock.now))
            return response
        } catch {
            files.remove(id)
            throw error
        }
    }

    private func receive(
        _ request: Request,
        boundary: String,
        job: String
    ) async throws -> (photos: Int, digest: String) {
        var receiver = UploadReceiver(boundary: boundary, files: files, job: job, limits: limits)
        do {
            for try await piece in try plainBody(request) { try receiver.take(piece) }
            return try receiver.finish()
        } catch {
            receiver.close()
            throw error
        }
    }

    /// Adds the job to the database, then to the queue; a job that is in the database is never lost.
    private func enqueue(_ job: Job, _ rate: HTTPFields) async throws -> (job: Job, token: String) {
        var generator = SystemRandomNumberGenerator()
        let token = JobToken(using: &generator)
        let expires = now().addingTimeInterval(configuration.tokenLife.seconds)
        if let key = job.idempotencyKey, let known = try await store.job(device: job.device, idempotencyKey: key) {
            return (try await replay(known, of: job, token: token, expires: expires), token.text)
        }
        if let wait = queue.reserve(photos: job.photos, job: job.id) { throw refusal(wait, rate) }
        do {
            var initial = ScanProgress(jobID: job.id, progress: 0.05, status: "processing")
            (initial.processedCount, initial.totalCount) = (0, job.photos)
            let event = try stored(.progress(initial), type: "initial")
            switch try await store.add(job, event: event, tokenHash: token.hash, expires: expires) {
            case .added:
                queue.submit(job)
                return (job, token.text)
            case .existing(let known):
                queue.release(photos: job.photos)
                return (try await replay(known, of: job, token: token, expires: expires), token.text)
            }
        } catch {
            queue.release(photos: job.photos)
            throw error
        }
    }

    /// Returns the same job for a repeated request, with a new token: the first one is not stored in the clear.
    private func replay(_ known: Job, of job: Job, token: JobToken, expires: Date) async throws -> Job {
        guard known.digest == job.digest else {
            let detail = "The Idempotency-Key belongs to other photos."
            throw Problem(.unprocessableContent, .idempotencyKeyReused, detail)
        }
        guard known.state != .cleaned else {
            throw Problem.conflict(.jobAlreadyFinished, "The job of this Idempotency-Key was done and cleaned up.")
        }
        try await store.addToken(hash: token.hash, job: known.id, expires: expires)
        return known
    }

    private func refusal(_ wait: Duration, _ rate: HTTPFields) -> Problem {
        metrics.refused("queue")
        var problem = Problem.queueFull(retryAfter: wait)
        problem.fields = rate
        return problem
    }

    private func idempotencyKey(_ request: Request) throws -> String? {
        guard let key = request.headers[.idempotencyKey] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Problem.invalidRequest("An Idempotency-Key must have 1 to 255 visible ASCII characters.")
        }
        return key
    }
}
