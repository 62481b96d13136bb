import Foundation
import Logging
import ServiceLifecycle

/// Work beside the requests, from the start until shutdown.
struct SideWork: Service {
    let work: @Sendable () async throws -> Void

    func run() async throws { try await work() }
}

extension TalariaServer {
    /// Resumes an earlier process's jobs, then does jobs until shutdown; queued jobs then stay for the next process.
    ///
    /// It begins with the first element of `started`, when the address is listened on: a server without it touches no
    /// job.
    func worker(started: AsyncStream<Void>) -> SideWork {
        SideWork {
            let isListening = await cancelWhenGracefulShutdown { await started.first { true } != nil }
            guard isListening else { return }
            for job in queue.resume(try await store.openJobs()) {
                logger.info("job resumed", metadata: ["job": "\(job.id)"])
            }
            await withGracefulShutdownHandler {
                await withTaskGroup(of: Void.self) { group in
                    var running = 0
                    for await job in queue.jobs {
                        if running == configuration.workers {
                            await group.next()
                            running -= 1
                        }
                        guard !queue.isFinished else { break }
                        running += 1
                        group.addTask { await work(on: job) }
                    }
                }
            } onGracefulShutdown: {
                readiness.set(false)
                queue.finish()
            }
        }
    }

    private func work(on job: Job) async {
        guard queue.begin(job) else { return }
        let start = clock.now
        while true {
            do {
                try await process(job)
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

    var purge: SideWork {
        repeating(every: configuration.purgeInterval) {
            do {
                let removed = try await store.purge(at: now(), resultLife: configuration.resultLife)
                if removed > 0 { logger.info("results purged", metadata: ["jobs": "\(removed)"]) }
            } catch {
                logger.error("purge failed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Looks, while something could not be written, whether it can be again.
    var storageMonitor: SideWork {
        repeating(every: configuration.storageInterval) {
            guard storage.isFull else { return }
            do {
                try await store.probe()
                storage.set(isFull: false)
                logger.notice("space is available again")
            } catch {
                logger.debug("still no space", metadata: ["error": "\(type(of: error))"])
            }
        }
    }

    private func repeating(every interval: Duration, _ work: @escaping @Sendable () async -> Void) -> SideWork {
        SideWork {
            try? await cancelWhenGracefulShutdown {
                while !Task.isCancelled {
                    try await clock.sleep(for: interval)
                    await work()
                }
            }
        }
    }
}
