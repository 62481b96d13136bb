import Foundation
import HTTPServer

/// Work beside the requests, from the start until shutdown.
extension TalariaServer {
    /// Resumes an earlier process's jobs, then does jobs until shutdown; queued jobs then stay for the next process.
    func doJobs() async throws {
        defer { shutdown.begin() }
        for job in queue.resume(try await store.openJobs()) { log.info("job resumed", ["job": job.id]) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await shutdown.wait()
                readiness.set(false)
                queue.finish()
            }
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
                log.warning("job put off", ["job": job.id, "error": "\(type(of: error))"])
                storage.set(isFull: true)
                while storage.isFull {
                    if await shutdown.hasBegun(within: .milliseconds(100)) { return }
                }
            }
        }
    }

    func purge() async {
        while await !shutdown.hasBegun(within: configuration.purgeInterval) {
            do {
                let removed = try await store.purge(at: now(), resultLife: configuration.resultLife)
                if removed > 0 { log.info("results purged", ["jobs": "\(removed)"]) }
            } catch {
                log.error("purge failed", ["error": "\(error)"])
            }
        }
    }

    /// Looks, while something could not be written, whether it can be again.
    func watchStorage() async {
        while await !shutdown.hasBegun(within: configuration.storageInterval) {
            guard storage.isFull else { continue }
            do {
                try await store.probe()
                storage.set(isFull: false)
                log.notice("space is available again")
            } catch {
                log.debug("still no space", ["error": "\(type(of: error))"])
            }
        }
    }
}
