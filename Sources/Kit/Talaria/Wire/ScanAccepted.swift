package import Foundation

/// The answer to an upload: the job, and where to follow it.
package struct ScanAccepted: Sendable, Equatable {
    package var jobID: String
    /// Address of the job's events, absolute or relative; nil from servers that require polling (v3.9).
    package var stream: String?
    /// Token of `Authorization: Bearer` for the stream and the results; nil from servers without tokens.
    package var token: String?
    /// Address of the job's state, absolute or relative.
    package var statusLocation: String?
    package var status = JobStatus.queued

    package init(jobID: String, stream: String? = nil, token: String? = nil, statusLocation: String? = nil) {
        (self.jobID, self.stream, self.token, self.statusLocation) = (jobID, stream, token, statusLocation)
    }

    /// The forms that this answer has had.
    package enum Generation: String, Sendable, CaseIterable {
        /// `{"jobId", "streamUrl"}`.
        case seed
        /// `{"success", "data": {"jobId", "sseUrl", "authToken", "statusUrl"}, "_links", "metadata"}`.
        case enveloped
        /// `{"success", "data": {"jobId", "status", "streamUrl", "token"}}`, v3.5 and later.
        case tokens
        /// `{"success", "data": {"jobId", "status"}}`, v3.9: no stream.
        case polling
    }

    /// Returns the answer as JSON, in the form of a generation.
    ///
    /// - Throws: `EncodingError`, in no case that can be made from text.
    package func encoded(as generation: Generation) throws -> Data {
        try WireJSON.encode(Form(accepted: self, generation: generation))
    }
}

extension ScanAccepted: Codable {
    /// Reads the answer of any generation.
    package init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        guard let job = fields.text("jobId", "job_id", "id") else {
            throw outer.missing("jobId", in: "an upload's answer")
        }
        self.init(
            jobID: job,
            stream: fields.text("streamUrl", "sseUrl", "stream_url") ?? Self.link("stream", outer),
            token: fields.text("token", "authToken", "auth_token"),
            statusLocation: fields.text("statusUrl", "status_url") ?? Self.link("self", outer)
        )
        status = fields.value(JobStatus.self, "status") ?? .queued
    }

    /// Writes the form with tokens.
    package func encode(to encoder: any Encoder) throws {
        try Form(accepted: self, generation: .tokens).encode(to: encoder)
    }

    /// Returns the address of a link; `_links` has either addresses or objects with an `href`.
    private static func link(_ name: String, _ fields: Fields) -> String? {
        guard let links = fields.inner("_links") else { return nil }
        return links.text(name) ?? links.inner(name)?.text("href")
    }

    private struct Form: Encodable {
        let accepted: ScanAccepted
        let generation: Generation

        func encode(to encoder: any Encoder) throws {
            let (job, stream, token) = (accepted.jobID, accepted.stream, accepted.token)
            let location = accepted.statusLocation
            switch generation {
            case .seed: try encoder.write([("jobId", job), ("streamUrl", stream)])
            case .enveloped:
                let data = ["jobId": job, "sseUrl": stream, "authToken": token, "statusUrl": location]
                let links = ["self": location, "stream": stream, "cancel": location]
                try encoder.write([
                    ("success", true), ("data", data.compactMapValues(\.self)),
                    ("_links", links.compactMapValues(\.self)),
                ])
            case .tokens, .polling:
                var data = ["jobId": job, "status": accepted.status.name, "token": token]
                if generation == .tokens { (data["streamUrl"], data["statusUrl"]) = (stream, location) }
                try encoder.write([("success", true), ("data", data.compactMapValues(\.self))])
            }
        }
    }
}
