import Synchronization

/// Queue of jobs for the workers, limited by their number of photos.
///
/// A place is reserved before a body is taken in, so that an upload that would find the queue full is refused at once.
final class JobQueue: Sendable {
    private struct State {
        var photos = 0
        /// Mean time of a photo in seconds, of the last ones; nil before the first.
        var secondsPerPhoto: Double?
        var isFinished = false
        var waiting: Set<String> = []
        /// Jobs that this process has accepted before it took up those of an earlier one; nil afterwards.
        var accepted: Set<String>? = []
    }

    /// Jobs in the order in which they came; one reader.
    let jobs: AsyncStream<Job>
    private let incoming: AsyncStream<Job>.Continuation
    private let state = Mutex(State())
    private let workers: Int
    private let limit: Int

    init(workers: Int, limit: Int) {
        self.workers = workers
        self.limit = limit
        (jobs, incoming) = AsyncStream.makeStream(of: Job.self)
    }

    /// Takes a place, if there is one.
    ///
    /// A batch that has no room although nothing waits is let in: it would never have any.
    /// `job` is the job that the place is for, when it has an identity.
    ///
    /// - Returns: nil when it has its place; otherwise after what time there may be one.
    func reserve(photos: Int, job: String? = nil) -> Duration? {
        state.withLock { state in
            guard state.photos == 0 || state.photos + photos <= workers + limit else {
                let excess = state.photos + photos - workers - limit
                let wait = Double(excess) * (state.secondsPerPhoto ?? 1) / Double(workers)
                return .milliseconds(Int(max(0.05, wait) * 1_000))
            }
            state.photos += photos
            if let job { state.accepted?.insert(job) }
            return nil
        }
    }

    /// Returns whether one more photo would find a place now; nil when it would; otherwise the time after which it may.
    func probe() -> Duration? {
        let refusal = reserve(photos: 1)
        if refusal == nil { release(photos: 1) }
        return refusal
    }

    /// Gives places back, with the seconds that reading them took; nil when they were not read.
    func release(photos: Int, seconds: Double? = nil) {
        state.withLock { state in
            state.photos -= photos
            guard let seconds, photos > 0 else { return }
            let mean = seconds / Double(photos)
            // An exponential mean over about eight photos.
            state.secondsPerPhoto = state.secondsPerPhoto.map { $0 + (mean - $0) / 8 } ?? mean
        }
    }

    /// Takes up the open jobs of an earlier process, whether there is room or not.
    ///
    /// Requests may arrive before: jobs that this process has accepted itself are not resumed.
    ///
    /// - Parameter open: every job in the database that has not ended.
    /// - Returns: those that were taken up.
    func resume(_ open: [Job]) -> [Job] {
        let jobs = state.withLock { state in
            let jobs = open.filter { state.accepted?.contains($0.id) == false }
            state.accepted = nil
            state.photos += jobs.reduce(0) { $0 + $1.photos }
            return jobs
        }
        for job in jobs { submit(job) }
        return jobs
    }

    /// - Parameter job: whose places are reserved.
    func submit(_ job: Job) {
        state.withLock { _ = $0.waiting.insert(job.id) }
        incoming.yield(job)
    }

    /// Takes a job out of the line for a worker; false when it was withdrawn, and its places were given back.
    func begin(_ job: Job) -> Bool { state.withLock { $0.waiting.remove(job.id) != nil } }

    /// Gives back the places of a job that is not to be done any more, when no worker has begun it.
    @discardableResult
    func withdraw(_ job: Job) -> Bool {
        state.withLock { state in
            guard state.waiting.remove(job.id) != nil else { return false }
            state.photos -= job.photos
            return true
        }
    }

    /// Stops the distribution of jobs; queued ones stay in the database.
    func finish() {
        state.withLock { $0.isFinished = true }
        incoming.finish()
    }

    /// Whether the jobs still in line are to be left there.
    var isFinished: Bool { state.withLock(\.isFinished) }

    var photos: Int { state.withLock(\.photos) }
}

/// Signal to the streams of a job that the database has news.
final class JobSignals: Sendable {
    private struct State {
        var next = 0
        var listeners: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// Returns a stream with one element for any number of changes since the last was taken.
    func changes(of job: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state in
            state.next += 1
            state.listeners[job, default: [:]][state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number, of: job) }
        return stream
    }

    func notify(_ job: String) {
        let listeners = state.withLock { Array($0.listeners[job, default: [:]].values) }
        for listener in listeners { listener.yield() }
    }

    var count: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

    private func forget(_ number: Int, of job: String) {
        state.withLock { state in
            state.listeners[job]?[number] = nil
            if state.listeners[job]?.isEmpty == true { state.listeners[job] = nil }
        }
    }
}
