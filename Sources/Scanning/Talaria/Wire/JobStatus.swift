/// Where a job stands.
public enum JobStatus: Sendable, Hashable {
    /// Accepted; not begun.
    case queued
    /// Being worked on.
    case processing
    /// Done; there are results.
    case completed
    /// Ended without results.
    case failed
    /// Ended because the client asked for it.
    case canceled
    /// A word of a later server.
    case unknown(String)

    /// Whether nothing more will come.
    public var isFinal: Bool {
        switch self {
        case .completed, .failed, .canceled: true
        case .queued, .processing, .unknown: false
        }
    }

    /// The word on the wire.
    public var name: String {
        switch self {
        case .queued: "queued"
        case .processing: "processing"
        case .completed: "completed"
        case .failed: "failed"
        case .canceled: "canceled"
        case .unknown(let name): name
        }
    }

    /// The status that a word on the wire means, in any generation.
    public init(name: String) {
        self =
            switch name {
            case "queued", "initialized": .queued
            case "processing": .processing
            case "completed", "complete": .completed
            case "failed", "error": .failed
            case "canceled", "cancelled": .canceled
            default: .unknown(name)
            }
    }
}

extension JobStatus: Codable {
    /// Reads the word.
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
