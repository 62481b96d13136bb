package import Basics
package import ScanningPolicies

/// Event of a run beside its readings: one line of a run's `events.jsonl`.
package struct RunEvent: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable {
        case runStarted
        case runResumed
        /// The compile cache for this machine is filled; no measurement has begun.
        case cacheFilled
        /// A worker has loaded its variant.
        case ready
        case firstReading
        /// Warm-up is over.
        case began
        /// A worker ended or was killed before its work was done.
        case workerLost
        /// A worker wrote something else than messages to its standard output.
        case noise
        /// The pictures of a stream are in memory.
        case streaming
        /// A camera's frames are at their end.
        case live
        /// A worker has ended; the event has the machine's conditions.
        case conditions
        case abandoned
        /// A measurement has all its readings.
        case measured
        case runFinished
    }

    package var kind: Kind
    package var time = RunClock.now()
    package var measurement: String?
    package var message: String?
    /// Description by a worker of its loaded components.
    package var description: [String: String]?
    /// `ready`: loading the variant, by the harness's clock inside the worker.
    package var modelLoadMilliseconds: Double?
    /// `ready` and `firstReading`: since just before the harness started the worker's process.
    package var sinceProcessStartMilliseconds: Double?
    /// `ready`: before loading; `began`: before the first counted reading, with the peak until then.
    package var memory: MemoryReading?
    /// `began`: whether later peaks are those of the readings alone.
    package var peakWasReset: Bool?
    package var host: HostDescription?
    /// `runStarted` and `runResumed`: how many readings each measurement will have; those that last by the clock are
    /// missing.
    package var planned: [String: Int]?
    /// `conditions`: from before the worker was started until after its end.
    package var conditions: Conditions?
    /// `cacheFilled`: the process, and its effort.
    package var cacheFill: CacheFill?
    package var live: LiveFigures?
}
