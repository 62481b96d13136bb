public import Foundation

/// A scan that waits for the back end.
public struct QueuedScan: Sendable, Equatable, Identifiable {
    /// Payload to be sent.
    public enum Payload: Sendable, Equatable {
        case text(String)
        /// The file with the picture; it goes when the scan is done.
        case image(URL)
    }

    /// Given by whoever scans; queueing the same one twice changes nothing.
    public var id: UUID
    /// When it was scanned.
    public var createdAt: Date
    /// Payload to be sent.
    public var payload: Payload
    /// Number of attempts in vain.
    public var attempts: Int
    /// Error of the last attempt.
    public var lastError: String?
    /// Not to be tried before; nil for at once.
    public var notBefore: Date?
}
