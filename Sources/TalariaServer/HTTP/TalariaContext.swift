import Hummingbird
import Logging
import NIOCore
import Synchronization

/// What a handler knows of its request besides the request itself.
struct TalariaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Of the connection.
    let channel: any Channel
    /// How far the body has come; shared by the copies of a context.
    let body = BodyProgress()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Who asks, when the request names no device.
    var remoteAddress: String { channel.remoteAddress?.ipAddress ?? "unknown" }
}

/// Whether a body was read to its end, and how much of it.
final class BodyProgress: Sendable {
    private let state = Mutex((bytes: 0, ended: false))

    func add(_ bytes: Int) { state.withLock { $0.bytes += bytes } }
    func end() { state.withLock { $0.ended = true } }
    var bytes: Int { state.withLock(\.bytes) }
    var hasEnded: Bool { state.withLock(\.ended) }
}
