import Foundation
import Synchronization

final class Readiness: Sendable {
    private let state = Mutex(false)

    var isReady: Bool { state.withLock { $0 } }

    func set(_ isReady: Bool) { state.withLock { $0 = isReady } }
}

/// Limit of the process's file descriptors, as connections.
enum DescriptorLimit {
    /// Half of the rest of the process's limit, since a connection may have a photo's file open.
    ///
    /// The others wait in the system's line until one is closed; without a limit, the server would ask for them again
    /// and again in vain.
    static var connections: Int {
        var limit = rlimit()
        #if canImport(Darwin)
        let result = getrlimit(RLIMIT_NOFILE, &limit)
        #else
        let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        guard result == 0 else { return standard }
        let most = Int(clamping: min(limit.rlim_cur, rlim_t(1 << 20)))
        let open = (0..<min(most, 4_096)).count { fcntl(CInt($0), F_GETFD) >= 0 }
        // Some more are opened later: by SQLite for readers, and by the engine.
        return min(standard, max(4, (most - open - 24) / 2))
    }

    /// Maximum number of descriptors that is useful to a server of this kind.
    private static let standard = 10_000
}
