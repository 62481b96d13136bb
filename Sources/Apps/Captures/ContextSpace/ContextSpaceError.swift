/// Error of the user's vector space.
public enum ContextSpaceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A vocabulary's file cannot be read.
    case vocabularyUnreadable(path: String, reason: String)
    /// A vocabulary lacks a token that every text needs.
    case tokenMissing(String)
    /// A model's file is not the network that it should be.
    case networkUnsuitable(path: String, expected: String, found: String)
    /// A vector has another number of values than its space.
    case dimensionsDiffer(expected: Int, found: Int)
    /// A vector of one space meets those of another: their cosines mean nothing.
    case spacesDiffer(expected: String, found: String)
    /// A vector contains a value that is not a number, or a weight is not above 0.
    case notFinite
    /// Stored bytes are an invalid vector.
    case storedVectorDamaged(reason: String)

    /// Message with the problem and its solution.
    public var description: String {
        switch self {
        case .vocabularyUnreadable(let path, let reason):
            "cannot read the vocabulary \(path): \(reason); run 'make setup' to fetch it"
        case .tokenMissing(let token):
            "the vocabulary has no \(token); run 'make setup' to fetch that of bert-base-uncased"
        case .networkUnsuitable(let path, let expected, let found):
            "invalid model \(path): expected \(expected), found \(found); run 'make setup' to fetch it again"
        case .dimensionsDiffer(let expected, let found):
            "a vector has \(found) values, but the space has \(expected); embed the text again"
        case .spacesDiffer(let expected, let found):
            "a vector belongs to the space \(found), not to \(expected); embed the text again"
        case .notFinite: "invalid vector or weight: expected numbers, and a weight above 0"
        case .storedVectorDamaged(let reason): "a stored vector \(reason); embed the text again"
        }
    }
}
