/// Status of the enrichment of a book's metadata.
public enum EnrichmentStatus: String, Sendable, Hashable, CaseIterable {
    case pending
    case success
    case notFound = "not_found"
    case error
    case circuitOpen = "circuit_open"
    case reviewNeeded = "review_needed"
}

extension EnrichmentStatus: Codable {
    /// Reads a status; one that is not known is pending.
    public init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .pending
    }
}
