import Foundation
import Logging
import ServiceLifecycle

/// Throws away, from time to time, what nobody may ask for any more.
struct PurgeService: Service {
    var store: JobStore
    var interval: Duration
    var resultLife: Duration
    var clock: any Clock<Duration>
    var now: @Sendable () -> Date
    var logger: Logger

    /// Works until shutdown.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await clock.sleep(for: interval)
                await purge()
            }
        }
    }

    private func purge() async {
        do {
            let removed = try await store.purge(at: now(), resultLife: resultLife)
            if removed > 0 { logger.info("results purged", metadata: ["jobs": "\(removed)"]) }
        } catch {
            logger.error("purge failed", metadata: ["error": "\(error)"])
        }
    }
}
