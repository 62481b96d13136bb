package import SpineDatasets

/// Datasets, folder and callbacks of a run or of a live comparison.
package struct RunSetup: Sendable {
    /// Datasets of the configuration, in its order.
    package let datasets: [Dataset]
    /// Folder for records and events.
    package let folder: RunFolder
    /// Filled before anything is measured.
    let cache: CompileCache
    let judge: BookScorer
    /// Shard whose samples alone are read; nil for all.
    package let shard: Shard?
    let interruption: Interruption
    /// Clock of limits and durations of scenarios; measurements use the machine's time.
    let clock: DeadlineClock
    /// Called on the thread that runs.
    let progress: @Sendable (RunProgress) -> Void

    package init(
        datasets: [Dataset],
        folder: RunFolder,
        cache: CompileCache = .none,
        judge: BookScorer = .none,
        shard: Shard? = nil,
        interruption: Interruption = Interruption(),
        clock: DeadlineClock = .machine,
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) {
        self.datasets = datasets
        self.folder = folder
        self.cache = cache
        self.judge = judge
        self.shard = shard
        self.interruption = interruption
        self.clock = clock
        self.progress = progress
    }
}

/// Progress of a run, for observers.
package enum RunProgress: Sendable, Equatable {
    /// `done` of `total` readings are there already, from the run that is resumed; `total` is nil where time decides.
    case started(measurement: String, done: Int, total: Int?)
    case workerReady(measurement: String, milliseconds: Double)
    /// `record` is the reading that has just been done.
    case readingDone(record: SampleRecord, done: Int, total: Int?)
    case workerLost(measurement: String, problem: String)
    /// `unread` is nil where time decides how many there would have been.
    case abandoned(measurement: String, unread: Int?)
    case finished(measurement: String)
}
