import Synchronization

/// Whether the server should be sent requests.
final class Readiness: Sendable {
    private let state = Mutex(false)

    var isReady: Bool { state.withLock { $0 } }

    func set(_ isReady: Bool) { state.withLock { $0 = isReady } }
}
