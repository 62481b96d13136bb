public import Foundation

/// Event of a job's stream.
public enum ScanEvent: Sendable, Equatable {
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
    /// Book being processed.
    case bookProgress(BookProgress)
    /// An event of a later server.
    case unknown(name: String)

    /// The name that the event is sent under.
    public var name: String {
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
    public var isFinal: Bool {
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
    public init(name: String, data: Data) throws {
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
    public func data() throws -> Data {
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
