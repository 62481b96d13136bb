package import Foundation

extension TalariaClient {
    /// Sends photos, follows the job to its end, and returns the books.
    ///
    /// The work is done in the caller's task: cancelling it closes the stream's connection.
    ///
    /// - Parameters:
    ///   - photos: One to five.
    ///   - id: The scan's own identity. A scan sent again with the same one is done once.
    ///   - cleansUp: Whether the server is asked to remove its data before this returns; else call `cleanup`.
    ///   - onEvent: Called with every event in turn, with books that are new alone, and with `completed` once and
    ///     last with all books; the stream waits for it.
    /// - Returns: The books, each once.
    /// - Throws: `TalariaError`; `CancellationError`.
    package func scan(
        _ photos: [Photo],
        id: UUID = UUID(),
        cleansUp: Bool = true,
        onEvent: @escaping @Sendable (ScanEvent) async -> Void = { _ in }
    ) async throws -> ScanOutcome {
        try await follow(try await upload(photos, id: id), cleansUp: cleansUp, onEvent: onEvent)
    }

    /// Sends photos: `POST /v3/jobs/scans`.
    ///
    /// There may be one to five. `id`, the scan's own identity, is the `Idempotency-Key`: an upload whose answer was
    /// lost can be repeated without doubling the scan.
    ///
    /// - Throws: `TalariaError`; `CancellationError`.
    package func upload(_ photos: [Photo], id: UUID = UUID()) async throws -> ScanAccepted {
        try Photo.check(photos)
        let boundary = "talaria-\(id.uuidString)"
        var call = Call(
            .upload,
            .post,
            route("v3/jobs/scans"),
            headers: [
                ("Content-Type", "multipart/form-data; boundary=\(boundary)"), ("Accept", "text/event-stream"),
                ("Idempotency-Key", id.uuidString),
            ],
            body: Photo.body(of: photos, boundary: boundary)
        )
        call.timeout = configuration.uploadTimeout
        return try await perform(call, as: ScanAccepted.self)
    }

    /// Follows a job to its end, and returns the books; waits while the maximum number of streams is open.
    ///
    /// - Returns: The books, each once.
    /// - Throws: `TalariaError`; `CancellationError`.
    package func follow(
        _ accepted: ScanAccepted,
        cleansUp: Bool = true,
        onEvent: @escaping @Sendable (ScanEvent) async -> Void = { _ in }
    ) async throws -> ScanOutcome {
        let follower = try ScanFollower(client: self, accepted: accepted, onEvent: onEvent)
        var outcome = try await streams.withPlace {
            try await within(self.configuration.streamCeiling, "scan \(accepted.jobID)", on: self.time.clock) {
                try await follower.run()
            }
        }
        // Runs after the results, as it may remove them (K-29). Its failure does not affect the scan.
        if cleansUp { outcome.cleanedUp = (try? await cleanup(accepted.jobID, token: accepted.token)) != nil }
        return outcome
    }

    /// Returns the results of a job: `GET /v3/jobs/scans/{id}/results`, or the address that the server stated.
    package func results(of jobID: String, token: String?, location: String? = nil) async throws -> ScanResults {
        var call = jobCall(.results, .get, jobID, "/results", token: token)
        call.request.url.append(queryItems: [URLQueryItem(name: "format", value: "full")])
        if let location {
            var given = call
            given.request.url = try resolve(location)
            do {
                return try await perform(given, as: ScanResults.self)
            } catch TalariaError.refused(_, let problem)
                where problem.status == 404 && given.request.url != call.request.url
            {}
        }
        return try await perform(call, as: ScanResults.self)
    }
}

/// A photo that is ready to be sent: at most 1920 pixels a side, JPEG, without metadata.
public struct Photo: Sendable, Equatable {
    /// The JPEG file.
    public var jpeg: [UInt8]

    /// Creates a photo of these bytes.
    public init(jpeg: [UInt8]) { self.jpeg = jpeg }

    /// Limits of the server: 1 to 5 photos, 10 MB each, 50 MB together.
    static let maximumCount = 5
    static let maximumBytes = 10_000_000
    static let maximumBatchBytes = 50_000_000

    /// - Throws: `TalariaError.badPhotos` for photos that the server would refuse.
    static func check(_ photos: [Photo]) throws(TalariaError) {
        guard (1...maximumCount).contains(photos.count) else {
            throw .badPhotos("a scan has 1 to \(maximumCount) photos, not \(photos.count); send several scans")
        }
        for (number, bytes) in zip(1..., photos.map(\.jpeg.count)) {
            guard bytes > 0 else { throw .badPhotos("photo \(number) is empty") }
            guard bytes <= maximumBytes else {
                throw .badPhotos("photo \(number) has \(bytes) bytes; scale it down to at most \(maximumBytes)")
            }
        }
        let total = photos.reduce(0) { $0 + $1.jpeg.count }
        guard total <= maximumBatchBytes else {
            let limit = "send several scans of at most \(maximumBatchBytes)"
            throw .badPhotos("the photos have \(total) bytes together; \(limit)")
        }
    }

    /// Returns photos as the body of an upload: `multipart/form-data`, one part `photos[]` each, in order.
    ///
    /// A boundary of 122 random bits is in none of the photos, by chance alone. It is the scan's identity: a retry is
    /// identical to the byte, as a server may require for a repeated key.
    static func body(of photos: [Photo], boundary: String) -> [UInt8] {
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="photos[]"; filename="spine.jpg"\r
            Content-Type: image/jpeg\r
            \r

            """
        return photos.flatMap { Array(head.utf8) + $0.jpeg + Array("\r\n".utf8) } + Array("--\(boundary)--\r\n".utf8)
    }
}
