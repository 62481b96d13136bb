package import Foundation

package enum ScanEvent: Sendable, Equatable {
    case progress(ScanProgress)
    case result(ScanResult)
    /// The end, with the books or where they are.
    case completed(ScanCompletion)
    case failed(ProblemDetails)
    /// The end that the client asked for.
    case canceled
    /// The server gave the job up.
    case timeout(ProblemDetails)
    case ping
    /// Report that a book's metadata is from a lesser source.
    case enrichmentDegraded(EnrichmentDegradation)
    /// The photo with its spines marked.
    case segmented(Segmentation)
    case bookProgress(BookProgress)
    /// An event of a later server.
    case unknown(name: String)

    package var name: String {
        switch self {
        case .progress: "progress"
        case .result: "result"
        case .completed: "completed"
        case .failed: "failed"
        case .canceled: "canceled"
        case .timeout: "timeout"
        case .ping: "ping"
        case .enrichmentDegraded: "enrichment_degraded"
        case .segmented: "segmented"
        case .bookProgress: "book_progress"
        case .unknown(let name): name
        }
    }

    /// Whether the job has ended with this event.
    package var isFinal: Bool {
        switch self {
        case .completed, .failed, .canceled, .timeout: true
        default: false
        }
    }

    /// Creates the event of this name and these data.
    ///
    /// An event without a name of its own has the `type` among its data.
    ///
    /// - Throws: `DecodingError` when the data do not match the name.
    package init(name: String, data: Data) throws {
        var name = name
        if name.isEmpty || name == "message" {
            name = (try? WireJSON.decode(TypeOnly.self, from: data).type) ?? name
        }
        switch name {
        case "progress": self = .progress(try WireJSON.decode(ScanProgress.self, from: data))
        case "result": self = .result(try WireJSON.decode(ScanResult.self, from: data))
        case "completed", "complete": self = .completed(try WireJSON.decode(ScanCompletion.self, from: data))
        case "failed", "error": self = .failed(try Self.problem(data))
        case "canceled", "cancelled": self = .canceled
        case "timeout": self = .timeout((try? Self.problem(data)) ?? ProblemDetails())
        case "ping": self = .ping
        case "enrichment_degraded":
            self = .enrichmentDegraded(try WireJSON.decode(EnrichmentDegradation.self, from: data))
        case "segmented": self = .segmented(try WireJSON.decode(Segmentation.self, from: data))
        case "book_progress": self = .bookProgress(try WireJSON.decode(BookProgress.self, from: data))
        default: self = .unknown(name: name)
        }
    }

    /// Returns a problem as an event has it, whose `type` names the event and not the kind of problem.
    private static func problem(_ data: Data) throws -> ProblemDetails {
        var problem = try WireJSON.decode(ProblemDetails.self, from: data)
        problem.type = "about:blank"
        return problem
    }

    /// Returns the event's data as JSON on one line, with its name as `type`.
    ///
    /// - Throws: `EncodingError` where a number is not finite.
    package func data() throws -> Data {
        switch self {
        case .progress(let progress): try WireJSON.encode(Typed(type: name, content: progress))
        case .result(let result): try WireJSON.encode(Typed(type: name, content: result))
        case .completed(let completion): try WireJSON.encode(Typed(type: name, content: completion))
        case .failed(let problem), .timeout(let problem):
            try WireJSON.encode(ProblemDetails.EventForm(type: name, problem: problem))
        case .enrichmentDegraded(let notice): try WireJSON.encode(Typed(type: name, content: notice))
        case .segmented(let picture): try WireJSON.encode(Typed(type: name, content: picture))
        case .bookProgress(let progress): try WireJSON.encode(Typed(type: name, content: progress))
        case .canceled, .ping, .unknown: try WireJSON.encode(TypeOnly(type: name))
        }
    }

    private struct TypeOnly: Codable {
        let type: String
    }

    /// An event's content with its name among its fields.
    private struct Typed<Content: Encodable>: Encodable {
        let type: String
        let content: Content

        func encode(to encoder: any Encoder) throws {
            try content.encode(to: encoder)
            var container = encoder.container(keyedBy: WireKey.self)
            try container.encode(type, forKey: WireKey("type"))
        }
    }
}

/// An event that reports metadata from a lesser source.
package struct EnrichmentDegradation: Sendable, Equatable {
    package var jobID: String?
    package var isbn: String?
    package var title: String?
    package var reason: String?
    /// Source of the metadata instead.
    package var fallbackSource: String?
    package var failedFields: [String] = []
}

extension EnrichmentDegradation: Codable {
    private enum CodingKeys: String, CodingKey {
        case jobID = "jobId"
        case isbn, title, reason, fallbackSource, failedFields
    }

    /// Reads either of the two forms that are documented; nothing is needed.
    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        jobID = fields.text("jobId")
        isbn = fields.text("isbn").flatMap(BookMetadata.normalizedISBN)
        title = fields.text("title")
        reason = fields.text("reason", "message")
        fallbackSource = fields.text("fallbackSource")
        failedFields = fields.list(String.self, "failedFields") ?? []
    }
}

/// An event that brings the photo with its spines marked.
package struct Segmentation: Sendable, Equatable {
    /// The picture; nil where it could not be read.
    package var image: Data?
    package var totalBooks: Int?
}

extension Segmentation: Codable {
    /// Reads the picture as base64; nothing is needed.
    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        image = fields.text("image").flatMap { Data(base64Encoded: $0) }
        totalBooks = fields.integer("totalBooks")
    }
}

/// An event that reports the book being processed.
package struct BookProgress: Sendable, Equatable {
    /// Number of the book being processed, from 1.
    package var current: Int?
    package var total: Int?
    package var stage: ScanStage?
}

extension BookProgress: Codable {
    /// Reads the present fields; none is required.
    package init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        current = fields.integer("current")
        total = fields.integer("total")
        stage = fields.value(ScanStage.self, "stage")
    }
}
