public import Foundation
import Synchronization

/// Transfer of one request: a line for the ledger of sent data.
public struct Transfer: Sendable, Equatable {
    /// The route.
    public enum Endpoint: String, Sendable, CaseIterable, Codable {
        case enrich, upload, stream, status, results, cancel, cleanup, search
        /// Routes of other services than the back end: a web page, and data about a place, a word, the weather or
        /// music, or a summary of captures.
        case link, place, webSearch, weather, music, narrator
    }

    /// Class of the request's content.
    public enum ContentClass: String, Sendable, CaseIterable, Codable {
        case image
        /// Text from a spine, or typed by the user.
        case text
        /// A job's or the device's identity, and nothing else.
        case id
        case control
        /// User's location.
        case location
        /// Captured content, for a language model that its user chose; nothing of this class is sent unless one is
        /// configured.
        case privateCloud
    }

    /// The route.
    public var endpoint: Endpoint
    /// The server.
    public var host: String
    /// Class of its content.
    public var contentClass: ContentClass
    /// Bytes on the wire, with headers and TLS records; not the handshake of TLS, which a connection has once.
    public var bytesUp: Int
    /// Bytes received, counted likewise.
    public var bytesDown: Int
    /// Start of the request.
    public var at: Date
    /// Status of the answer; nil without one.
    public var status: Int?

    /// Creates a line of the ledger for a request to any server.
    public init(
        endpoint: Endpoint,
        host: String,
        contentClass: ContentClass,
        bytesUp: Int = 0,
        bytesDown: Int = 0,
        at date: Date,
        status: Int? = nil
    ) {
        (self.endpoint, self.host, self.contentClass, self.bytesUp) = (endpoint, host, contentClass, bytesUp)
        self.bytesDown = bytesDown
        at = date
        self.status = status
    }
}

/// Counts the bytes of one request and its answer.
public final class TransferMeter: Sendable {
    private let up = Atomic<Int>(0)
    private let down = Atomic<Int>(0)

    /// Creates a meter at zero.
    public init() {}

    /// Bytes that left.
    public var bytesUp: Int { up.load(ordering: .relaxed) }
    /// Bytes received.
    public var bytesDown: Int { down.load(ordering: .relaxed) }

    /// Adds bytes that left.
    public func addUp(_ count: Int) { up.wrappingAdd(count, ordering: .relaxed) }

    /// Adds received bytes.
    public func addDown(_ count: Int) { down.wrappingAdd(count, ordering: .relaxed) }
}
