import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Context of a request: what a handler knows of it besides the request itself.
struct TalariaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Names the request in logs and answers.
    let requestID: String
    /// Of the connection.
    let channel: any Channel
    /// Progress of the body; shared by the copies of a context.
    let body = BodyProgress()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        // Not the library's own `id`, which needs a log handler that keeps metadata.
        requestID = source.logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? UUID().uuidString.lowercased()
    }

    /// Who asks, when the request names no device.
    var remoteAddress: String { channel.remoteAddress?.ipAddress ?? "unknown" }
}

/// Whether a body was read to its end, and how much of it.
final class BodyProgress: Sendable {
    private let state = Mutex((bytes: 0, ended: false, last: ContinuousClock.now))

    func add(_ bytes: Int, at instant: ContinuousClock.Instant) {
        state.withLock { state in
            state.bytes += bytes
            state.last = instant
        }
    }
    /// The body is waited for from now on.
    func touch(_ instant: ContinuousClock.Instant) { state.withLock { $0.last = instant } }
    /// When the last piece came.
    var last: ContinuousClock.Instant { state.withLock(\.last) }
    func end() { state.withLock { $0.ended = true } }
    var bytes: Int { state.withLock(\.bytes) }
    var hasEnded: Bool { state.withLock(\.ended) }
}
