/// What a run tells whoever watches it.
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
