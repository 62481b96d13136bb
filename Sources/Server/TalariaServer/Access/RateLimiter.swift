import Foundation
import HTTPTypes
import Synchronization
import Talaria

/// Limits of the requests of a kind that one device may send within a fixed window.
package struct RateLimits: Sendable, Equatable {
    /// Uploads; nil for any number.
    package var scans: Int? = 120
    /// Texts to be enriched; nil for any number.
    package var enrichments: Int? = 1_200
    /// Everything else that belongs to a device; nil for any number.
    package var others: Int? = 1_200
    /// Window in whole seconds.
    package var window = Duration.seconds(60)

    /// Generous ones: a device with a person behind it does not meet them.
    package init() {}

    package static var none: RateLimits {
        var limits = RateLimits()
        (limits.scans, limits.enrichments, limits.others) = (nil, nil, nil)
        return limits
    }

    enum Bucket: String, Sendable {
        case scans, enrichments, others
    }

    func limit(of bucket: Bucket) -> Int? {
        switch bucket {
        case .scans: scans
        case .enrichments: enrichments
        case .others: others
        }
    }
}

/// Limiter of requests by device in windows that survive a restart.
struct RateLimiter: Sendable {
    var limits: RateLimits
    var store: JobStore
    /// Counts while the database cannot be written.
    let spare = MemoryWindows()
    var now: @Sendable () -> Date

    /// Counts a request, or refuses it.
    ///
    /// - Returns: header fields with the client's remaining number of requests.
    func admit(client: String, _ bucket: RateLimits.Bucket) async throws -> HTTPFields {
        guard let limit = limits.limit(of: bucket) else { return [:] }
        let window = max(1, Int(limits.window.seconds))
        let date = now()
        let start = Int(date.timeIntervalSince1970) / window * window
        var count = 0
        do {
            count = try await store.countRequest(client: client, bucket: bucket.rawValue, windowStart: start)
        } catch let error where error.isNoSpace {
            count = spare.count(client: client, bucket: bucket, windowStart: start)
        }
        var fields: HTTPFields = [:]
        fields[.rateLimit] = "\(limit)"
        fields[.rateLimitRemaining] = "\(max(0, limit - count))"
        fields[.rateLimitReset] = "\(start + window)"
        guard count > limit else { return fields }
        let detail = "This device has sent more than \(limit) such requests in \(window) seconds."
        let wait = Duration.milliseconds(Int((Double(start + window) - date.timeIntervalSince1970) * 1_000) + 1)
        var problem = Problem.busy(.tooManyRequests, .rateLimitExceeded, detail, after: wait)
        problem.fields = fields
        throw problem
    }
}

/// Requests of the window under way, in memory.
final class MemoryWindows: Sendable {
    private struct Key: Hashable {
        var client: String
        var bucket: RateLimits.Bucket
    }

    private let state = Mutex((start: 0, counts: [Key: Int]()))

    /// Counts a request.
    ///
    /// - Returns: how many there are in this window, with this one.
    func count(client: String, bucket: RateLimits.Bucket, windowStart: Int) -> Int {
        state.withLock { state in
            if state.start != windowStart { state = (windowStart, [:]) }
            state.counts[Key(client: client, bucket: bucket), default: 0] += 1
            return state.counts[Key(client: client, bucket: bucket), default: 1]
        }
    }
}
