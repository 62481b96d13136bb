import Foundation
import HTTPTypes
import Synchronization
import Talaria

/// Limiter of requests by device, in memory.
final class RateLimiter: Sendable {
    enum Kind: String, CaseIterable {
        case scans, enrichments
        /// Everything else that belongs to a device.
        case others
    }

    /// Seconds of a window.
    private static let window = 60
    /// Requests of a kind that one device may send within a window; a kind without a limit is missing.
    private let limits: [Kind: Int]
    private let now: @Sendable () -> Date
    /// Requests of the window under way, by kind and client.
    private let counts = Mutex((start: 0, of: [String: Int]()))

    /// Creates a limiter of a text such as "120,1200,off", in the order of the kinds; "off" alone is no limit at all.
    init?(_ text: String, now: @escaping @Sendable () -> Date = { Date() }) {
        let parts =
            text == "off" ? ["off", "off", "off"] : text.split(separator: ",", omittingEmptySubsequences: false)
        let isValid = parts.allSatisfy { $0 == "off" || Int($0).map { $0 > 0 } ?? false }
        guard isValid, parts.count == Kind.allCases.count else { return nil }
        limits = Dictionary(
            uniqueKeysWithValues: zip(Kind.allCases, parts).compactMap { kind, part in
                Int(part).map { (kind, $0) }
            }
        )
        self.now = now
    }

    /// Counts a request, or refuses it.
    ///
    /// - Returns: header fields with the client's remaining number of requests.
    func admit(client: String, _ kind: Kind) throws -> HTTPFields {
        guard let limit = limits[kind] else { return [:] }
        let time = now().timeIntervalSince1970
        let start = Int(time) / Self.window * Self.window
        let count = counts.withLock { counts in
            if counts.start != start { counts = (start, [:]) }
            counts.of["\(kind) \(client)", default: 0] += 1
            return counts.of["\(kind) \(client)", default: 0]
        }
        var fields: HTTPFields = [:]
        fields[.rateLimit] = "\(limit)"
        fields[.rateLimitRemaining] = "\(max(0, limit - count))"
        fields[.rateLimitReset] = "\(start + Self.window)"
        guard count > limit else { return fields }
        throw Problem(
            .rateLimitExceeded,
            "This device has sent more than \(limit) such requests in \(Self.window) seconds.",
            retryAfter: .milliseconds(Int((Double(start + Self.window) - time) * 1_000) + 1),
            fields: fields
        )
    }
}
