public import Foundation

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
    public func scan(
        _ photos: [Photo],
        id: UUID = UUID(),
        cleansUp: Bool = true,
        onEvent: @escaping @Sendable (ScanEvent) async -> Void = { _ in }
    ) async throws -> ScanOutcome {
        try await follow(try await upload(photos, id: id), cleansUp: cleansUp, onEvent: onEvent)
    }

    /// Sends photos: `POST /v3/jobs/scans`.
    ///
    /// - Parameters:
    ///   - photos: One to five.
    ///   - id: The scan's own identity, sent as `Idempotency-Key`, so that an upload whose answer was lost can be
    ///     repeated without doubling the scan.
    /// - Returns: The job, and where to follow it.
    /// - Throws: `TalariaError`; `CancellationError`.
    public func upload(_ photos: [Photo], id: UUID = UUID()) async throws -> ScanAccepted {
        try Photo.check(photos)
        // The scan's identity: a retry is identical to the byte, as a server may require for a repeated key.
        let body = MultipartBody(photos: photos, boundary: "talaria-\(id.uuidString)")
        let call = Call(
            endpoint: .upload,
            method: .post,
            url: route("v3/jobs/scans"),
            headers: [
                ("Content-Type", body.contentType), ("Accept", "text/event-stream"),
                ("Idempotency-Key", id.uuidString),
            ],
            body: body.stream,
            contentClass: .image,
            timeout: configuration.uploadTimeout
        )
        return try await perform(call, as: ScanAccepted.self)
    }

    /// Follows a job to its end, and returns the books; waits while the maximum number of streams is open.
    ///
    /// - Returns: The books, each once.
    /// - Throws: `TalariaError`; `CancellationError`.
    public func follow(
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
    public func results(of jobID: String, token: String?, location: String? = nil) async throws -> ScanResults {
        var call = jobCall(.results, .get, jobID, "/results", token: token)
        call.url.append(queryItems: [URLQueryItem(name: "format", value: ScanResults.Format.full.rawValue)])
        if let location {
            var given = call
            given.url = try resolve(location)
            do {
                return try await perform(given, as: ScanResults.self)
            } catch TalariaError.refused(_, let problem) where problem.status == 404 && given.url != call.url {}
        }
        return try await perform(call, as: ScanResults.self)
    }
}
