internal import Basics
public import BookCatalogue
public import Foundation
import Synchronization
public import Talaria

/// Records every byte sent from the device: time, destination and content (S0-P03, K-20).
public final class EgressLedger: Sendable {
    /// One request.
    public struct Entry: Sendable, Equatable, Codable {
        /// Start of the request.
        public var at: Date
        /// Back-end tier that the request served; nil for another service.
        public var tier: LibraryBook.Tier?
        /// Host of the destination.
        public var host: String
        /// Route on the host.
        public var endpoint: Transfer.Endpoint
        /// Class of the content.
        public var contentClass: Transfer.ContentClass
        /// Bytes that left.
        public var bytesUp: Int
        /// Bytes received.
        public var bytesDown: Int
        /// The scan that it was for; nil for one that was for none.
        public var scan: UUID?
    }

    /// The traffic of a number of requests.
    public struct Totals: Sendable, Equatable, Codable {
        /// Number of requests.
        public var requests = 0
        /// Bytes sent, by their content.
        public var bytesUp: [Transfer.ContentClass: Int] = [:]
        /// Bytes received.
        public var bytesDown = 0

        /// Creates empty totals.
        public init() {}

        /// All bytes that left.
        public var allBytesUp: Int { bytesUp.values.reduce(0, +) }
        /// Whether nothing has left.
        public var isLocal: Bool { allBytesUp == 0 }
    }

    /// The scan that a task works on: set around each scan, inherited by its child tasks.
    @TaskLocal static var scan: UUID?

    private let entries = Mutex<[Entry]>([])
    private let sink: (@Sendable (Entry) -> Void)?

    /// - Parameter sink: called with every new entry; nil for none.
    public init(sink: (@Sendable (Entry) -> Void)? = nil) { self.sink = sink }

    /// Records a request; `TalariaClient` calls this for each.
    public func note(_ transfer: Transfer) {
        let entry = Entry(
            at: transfer.at,
            tier: Self.tier(of: transfer.endpoint),
            host: transfer.host,
            endpoint: transfer.endpoint,
            contentClass: transfer.contentClass,
            bytesUp: transfer.bytesUp,
            bytesDown: transfer.bytesDown,
            scan: Self.scan
        )
        entries.withLock { $0.append(entry) }
        WorkMeter.count(.requestsSent, 1)
        WorkMeter.count(.bytesSent, entry.bytesUp)
        sink?(entry)
    }

    private static func tier(of endpoint: Transfer.Endpoint) -> LibraryBook.Tier? {
        switch endpoint {
        case .enrich, .search: .enrich
        case .upload, .stream, .status, .results, .cancel, .cleanup: .upload
        case .link, .place, .webSearch, .weather, .music, .narrator: nil
        }
    }

    /// All requests so far, in the order in which they ended.
    public var all: [Entry] { entries.withLock { $0 } }

    /// Returns the traffic of all requests, or of those for one scan.
    public func totals(of scan: UUID? = nil) -> Totals {
        entries.withLock { entries in
            entries.lazy.filter { scan == nil || $0.scan == scan }.reduce(into: Totals()) { totals, entry in
                totals.requests += 1
                totals.bytesUp[entry.contentClass, default: 0] += entry.bytesUp
                totals.bytesDown += entry.bytesDown
            }
        }
    }

    /// Text shown to a user: "🔒 Processing Locally" before the first sent byte; nil afterwards.
    public var badge: String? { totals().isLocal ? "🔒 Processing Locally" : nil }

    /// Returns one entry as a line of JSON, without the line's end.
    ///
    /// - Throws: the encoder's errors.
    public static func line(_ entry: Entry) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(entry), as: UTF8.self)
    }
}
