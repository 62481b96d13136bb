import Basics
import Foundation
import HTTPServer
import HTTPTypes
import Imaging
import Talaria

extension TalariaServer {
    /// Answers `POST /v3/jobs/scans`: takes photos in and answers before they are read.
    func upload(_ request: Request) async throws -> Response {
        let start = clock.now
        let device = try DeviceID(of: request).text
        let key = try idempotencyKey(request)
        guard let boundary = request.headers[.contentType].flatMap(FormPart.boundary) else {
            throw Problem(.invalidRequest, "The content type must be multipart/form-data with a boundary.")
        }
        // Checked before the body arrives: a client that would be refused need not send it.
        var isReplay = false
        if let key { isReplay = try await store.job(device: device, idempotencyKey: key) != nil }
        let open = isReplay ? 0 : try await store.openPhotos()
        if open > 0, open >= places { throw refusal(excess: open + 1 - places) }
        // Headers and delimiters of parts are small.
        let body = try await collectBody(request, limit: limits.batchBytes + 64 << 10)
        let (photos, digest) = try photos(of: body, boundary: boundary)
        var job = Job(
            id: UUID().uuidString.lowercased(),
            device: device,
            photos: photos.count,
            created: now(),
            idempotencyKey: key,
            digest: digest,
            uploadMilliseconds: start.duration(to: clock.now).milliseconds
        )
        var initial = ScanProgress(jobID: job.id, progress: 0.05, status: "processing")
        (initial.processedCount, initial.totalCount) = (0, job.photos)
        let event = try stored(.progress(initial), of: job.id, type: "initial")
        let secret = JobToken.random()
        let expires = now() + limits.tokenLife.seconds
        var token = JobToken(hash: JobToken.hash(of: secret), job: job.id, expires: expires)
        var fields: HTTPFields = [:]
        switch try await store.add(job, photos, event: event, token: token, places: places) {
        case .added: arrivals.notify()
        case .full(let excess): throw refusal(excess: excess)
        case .existing(let known):
            guard known.digest == digest else {
                throw Problem(.idempotencyKeyReused, "The Idempotency-Key belongs to other photos.")
            }
            guard known.state != .cleaned else {
                throw Problem(.jobAlreadyFinished, "The job of this Idempotency-Key was done and cleaned up.")
            }
            // The first token is not stored in the clear.
            (job, token.job) = (known, known.id)
            try await store.add(token)
            fields[.idempotencyReplayed] = "true"
        }
        return accepted(job, token: secret, request).with(fields)
    }

    /// Places for photos that are read or wait.
    ///
    /// An accepted job then waits for at most `queue / workers` others, which bounds its time under any load.
    private var places: Int { configuration.workers + configuration.queue }

    private func refusal(excess: Int) -> Problem {
        let wait = queue.time(ofPhotos: excess, workers: configuration.workers)
        let detail = "All workers are busy and the queue is full; try again later."
        return Problem(.queueFull, detail, retryAfter: wait)
    }

    /// Returns the photos of a form, and a digest over all of them.
    private func photos(
        of body: [UInt8],
        boundary: String
    ) throws -> (photos: [ArraySlice<UInt8>], digest: String) {
        let photos = try FormPart.parts(of: body, boundary: boundary)
        guard !photos.isEmpty, photos.allSatisfy({ $0.name == "photos[]" }) else {
            throw Problem(.invalidRequest, "Every part must have the name photos[], and there must be one.")
        }
        guard photos.count <= 5 else {
            throw Problem(.batchTooLarge, "More than 5 photos; send them in several batches.")
        }
        var digest = SHA256()
        for (index, photo) in photos.map(\.content).enumerated() {
            guard photo.count <= limits.photoBytes else {
                throw Problem(.fileTooLarge, "A photo is larger than \(limits.photoBytes >> 20) MB.")
            }
            // The header alone: a photo that is damaged further on is found when it is read.
            guard (try? ImageCodec.header(of: Array(photo), name: "photo")) != nil else {
                throw Problem(.unsupportedFormat, "Photo \(index + 1) is not a JPEG, PNG or HEIC file.")
            }
            // The same bytes split otherwise are another batch.
            digest.update(photo)
            digest.update(Data("/\(photo.count)/".utf8))
        }
        return (photos.map(\.content), digest.hex())
    }

    private func idempotencyKey(_ request: Request) throws -> String? {
        guard let key = request.headers[.idempotencyKey] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Problem(.invalidRequest, "An Idempotency-Key must have 1 to 255 visible ASCII characters.")
        }
        return key
    }
}
