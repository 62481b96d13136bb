import Foundation
import HTTPServer

/// Work beside the requests, from the start until shutdown.
extension TalariaServer {
    /// Does jobs until shutdown, those of an earlier process first; open jobs then stay for the next process.
    func doJobs() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<configuration.workers { group.addTask { await work() } }
            group.addTask { await purge() }
            await shutdown.wait()
            arrivals.notify()
            signals.notify()
        }
    }

    private func work() async {
        for await _ in arrivals.changes() {
            while !shutdown.hasBegun, !Task.isCancelled {
                do {
                    guard let job = queue.take(try await store.openJobs(limit: configuration.workers)) else { break }
                    await work(on: job)
                } catch {
                    await waitForSpace(error)
                }
            }
            if shutdown.hasBegun { return }
        }
    }

    private func work(on job: Job) async {
        let start = clock.now
        do {
            try await process(job)
            queue.leave(job, after: start.duration(to: clock.now).seconds)
            signals.notify(job.id)
            // Without success it still has the pictures until the next time.
            try? await store.emptyLog()
        } catch {
            // Accepted is accepted: the job is done when there is room, by this process or by the next one.
            queue.leave(job)
            await waitForSpace(error)
        }
    }

    private func waitForSpace(_ error: any Error) async {
        log.warning("work put off", ["error": "\(type(of: error))"])
        _ = await shutdown.hasBegun(within: limits.storageInterval)
    }

    /// Removes results that are over.
    private func purge() async {
        while await !shutdown.hasBegun(within: .seconds(60)) {
            do {
                let removed = try await store.purge(at: now(), resultLife: limits.resultLife)
                if removed > 0 { log.info("results purged", ["jobs": "\(removed)"]) }
            } catch {
                log.error("purge failed", ["error": "\(type(of: error))"])
            }
        }
    }
}
