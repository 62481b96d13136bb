import Logging
import ServiceLifecycle

/// Takes jobs off the queue, so many at a time.
struct ScanWorker: Service {
    var queue: JobQueue
    var runner: ScanJobRunner
    var store: JobStore
    var readiness: Readiness
    var workers: Int
    var clock: ContinuousClock
    var logger: Logger

    /// Takes up what an earlier process left, then works until shutdown; jobs in line then stay for the next process.
    ///
    /// - Throws: when the database of jobs cannot be read.
    func run() async throws {
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
        let start = clock.now
        await runner.run(job)
        queue.release(photos: job.photos, seconds: start.duration(to: clock.now).seconds)
    }
}
