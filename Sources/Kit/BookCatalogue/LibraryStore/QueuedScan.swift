public import Foundation

/// A scan that waits for the back end.
public struct QueuedScan: Sendable, Equatable, Identifiable {
    /// Payload to be sent.
    public enum Payload: Sendable, Equatable {
        case text(String)
        /// File with the picture; it is deleted when the scan is done.
        case image(URL)
    }

    /// Identifier given by the scanning code; queueing the same one twice changes nothing.
    public var id: UUID
    /// Time of the scan.
    public var createdAt: Date
    /// Payload to be sent.
    public var payload: Payload
    /// Number of attempts in vain.
    public var attempts: Int
    /// Error of the last attempt.
    public var lastError: String?
    /// Earliest time of the next attempt; nil for at once.
    public var notBefore: Date?
}
