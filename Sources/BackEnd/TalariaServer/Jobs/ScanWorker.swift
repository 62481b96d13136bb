import Foundation
import Logging
import ServiceLifecycle

/// Takes jobs off the queue, so many at a time.
struct ScanWorker: Service {
    var queue: JobQueue
    var runner: ScanJobRunner
    var store: JobStore
    var readiness: Readiness
    var storage: Storage
    /// Ends, or has its first element, when the address is listened on: a server that cannot have it touches no job.
    var started: AsyncStream<Void>
    var workers: Int
    var clock: ContinuousClock
    var logger: Logger

    /// Takes up what an earlier process left, then works until shutdown; jobs in line then stay for the next process.
    ///
    /// - Throws: when the database of jobs cannot be read.
    func run() async throws {
        let isListening = await cancelWhenGracefulShutdown { await started.first { true } != nil }
        guard isListening else { return }
        for job in try await store.openJobs() {
            logger.info("job resumed", metadata: ["job": "\(job.id)"])
            queue.resume(job)
        }
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                var running = 0
                for await job in queue.jobs {
                    if running == workers {
                        await group.next()
                        running -= 1
                    }
                    guard !queue.isFinished else { break }
                    running += 1
                    group.addTask { await work(job) }
                }
            }
        } onGracefulShutdown: {
            readiness.set(false)
            queue.finish()
        }
    }

    private func work(_ job: Job) async {
        guard queue.begin(job) else { return }
        let start = clock.now
        while true {
            do {
                try await runner.run(job)
                return queue.release(photos: job.photos, seconds: start.duration(to: clock.now).seconds)
            } catch {
                // Accepted is accepted: the job is done when there is room, by this process or by the next one.
                logger.warning("job put off", metadata: ["job": "\(job.id)", "error": "\(type(of: error))"])
                storage.set(isFull: true)
                guard await isRoomBack() else { return }
            }
        }
    }

    /// Waits until something can be written; false when the server is to end instead.
    private func isRoomBack() async -> Bool {
        while storage.isFull, !queue.isFinished, !Task.isCancelled {
            try? await clock.sleep(for: .milliseconds(100))
        }
        return !queue.isFinished && !Task.isCancelled
    }
}

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
