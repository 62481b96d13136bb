import Synchronization

/// Jobs that the workers of this process are at, and the pace of their reading.
final class JobQueue: Sendable {
    private struct State {
        var taken: Set<String> = []
        /// Mean time of a photo in seconds, of the last ones; nil before the first.
        var secondsPerPhoto: Double?
    }

    private let state = Mutex(State())

    /// Takes the first job that no worker has.
    func take(_ jobs: [Job]) -> Job? {
        state.withLock { state in
            let job = jobs.first { !state.taken.contains($0.id) }
            if let job { state.taken.insert(job.id) }
            return job
        }
    }

    /// Gives a job up, with the seconds that it took; nil when it was not done.
    func leave(_ job: Job, after seconds: Double? = nil) {
        state.withLock { state in
            state.taken.remove(job.id)
            guard let seconds, job.photos > 0 else { return }
            let mean = seconds / Double(job.photos)
            // An exponential mean over about eight photos.
            state.secondsPerPhoto = state.secondsPerPhoto.map { $0 + (mean - $0) / 8 } ?? mean
        }
    }

    /// Returns the time in which so many photos may be read.
    func time(ofPhotos count: Int, workers: Int) -> Duration {
        let seconds = Double(count) * (state.withLock(\.secondsPerPhoto) ?? 1) / Double(workers)
        return .milliseconds(Int(max(0.05, seconds) * 1_000))
    }
}
