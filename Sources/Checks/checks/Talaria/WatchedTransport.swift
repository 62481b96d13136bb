import Foundation
import Synchronization
import Talaria

/// Counts what comes back, independently of the ledger.
final class WatchedTransport: HTTPTransport {
    /// An address at which nobody listens.
    static let nowhere: URL = {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port) = ("http", "127.0.0.1", 1)
        return parts.url ?? URL(filePath: "/")
    }()

    private let base: any HTTPTransport
    private let counts = Mutex((answers: 0, there: 0))

    init(_ base: any HTTPTransport) { self.base = base }

    /// Requests that were answered.
    var answers: Int { counts.withLock { $0.answers } }
    /// Whether no request went to where a server is.
    var onlyAway: Bool { counts.withLock { $0.there == 0 } }

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        if request.url.port != Self.nowhere.port { counts.withLock { $0.there += 1 } }
        let response = try await base.send(request, meter: meter)
        counts.withLock { $0.answers += 1 }
        return response
    }
}

/// A clock that runs faster than time, so that waits of seconds take milliseconds.
struct ScaledClock: Clock {
    struct Instant: InstantProtocol {
        /// Since the clock was made.
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let speed: Int
    private let start = ContinuousClock.now

    /// - Parameter speed: seconds of this clock in a second.
    init(speed: Int) { self.speed = speed }

    var now: Instant { Instant(offset: start.duration(to: .now) * speed) }
    var minimumResolution: Duration { .nanoseconds(1) * speed }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(
            until: start + deadline.offset / speed,
            tolerance: tolerance.map { $0 / speed }
        )
    }
}
