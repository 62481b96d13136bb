/// What a run tells whoever watches it.
package enum RunProgress: Sendable, Equatable {
    /// `done` of `total` readings are there already, from the run that is resumed.
    case tierStarted(tier: String, done: Int, total: Int)
    case workerReady(tier: String, milliseconds: Double)
    case readingDone(tier: String, done: Int, total: Int)
    case workerLost(tier: String, problem: String)
    case tierAbandoned(tier: String, unread: Int)
    case tierFinished(tier: String)
}
