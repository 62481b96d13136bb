import Basics
import Harness
import ScanningPolicies
import Statistics

/// One measurement of a run as its events and records tell of it.
struct WatchedMeasurement: Sendable, Equatable {
    enum Stage: String, Sendable, Codable {
        case waiting
        /// Its worker loads and warms up.
        case loading
        case reading
        case done
        case abandoned
    }

    /// One reading that came to an end.
    struct Reading: Sendable, Equatable {
        /// When it ended, in seconds of this measurement's counted time, its workers' one after the other.
        var seconds: Double
        var milliseconds: Double
        /// nil when nobody looked.
        var residentBytes: Int?
    }

    let id: String
    /// As the pipeline calls it; nil when the variant has none.
    let tier: String?
    /// nil when time decides, or nobody said.
    var total: Int?
    var stage = Stage.waiting
    /// Attempted readings.
    var done = 0
    /// Of these, those that gave nothing.
    var failed = 0
    var lostWorkers = 0
    var loadMilliseconds: Double?
    var peakBytes: Int?
    /// Those that gave a prediction, in the order in which they came.
    var readings: [Reading] = []
    /// Of counted time, up to now.
    private(set) var seconds = 0.0
    private var worker = 0
    private var workersBefore = 0.0

    init(id: String, tier: String?) {
        self.id = id
        self.tier = tier
    }

    /// Takes a record in.
    ///
    /// - Returns: the reading; nil when there was none.
    mutating func add(_ record: SampleRecord) -> Reading? {
        guard record.outcome != .notAttempted else { return nil }
        done += 1
        if stage == .waiting || stage == .loading { stage = .reading }
        let number = record.worker ?? worker
        if number != worker {
            worker = number
            workersBefore = seconds
        }
        let milliseconds = record.milliseconds ?? 0
        let end =
            record.atSeconds.map { workersBefore + $0 + milliseconds / 1_000 } ?? seconds + milliseconds / 1_000
        // Readings side by side do not end in the order in which they began.
        seconds = max(seconds, end.isFinite ? end : seconds)
        if let memory = record.memory { peakBytes = max(peakBytes ?? 0, memory.peakBytes) }
        guard record.outcome == .read, let milliseconds = record.milliseconds, milliseconds.isFinite else {
            failed += 1
            return nil
        }
        let reading = Reading(
            seconds: seconds,
            milliseconds: milliseconds,
            residentBytes: record.memory?.residentBytes
        )
        readings.append(reading)
        return reading
    }

    /// Takes an event in.
    mutating func add(_ event: RunEvent) {
        switch event.kind {
        case .ready:
            loadMilliseconds = event.modelLoadMilliseconds ?? loadMilliseconds
            if stage != .done { stage = .loading }
        case .began:
            if stage != .done { stage = .reading }
        case .workerLost: lostWorkers += 1
        case .abandoned: stage = .abandoned
        case .measured: stage = .done
        case .runStarted, .runResumed, .cacheFilled, .firstReading, .noise, .streaming, .live, .conditions,
            .runFinished:
            break
        }
    }

    /// Seconds of a reading and all that belongs to it, by those so far.
    var pace: Double? { done > 0 && seconds > 0 ? seconds / Double(done) : nil }

    /// Percentiles of all readings so far; nil without any.
    func percentile(_ percent: Int, method: PercentileMethod) -> Double? {
        readings.isEmpty
            ? nil : Percentile.value(percent, of: readings.map(\.milliseconds).sorted(), method: method)
    }

    /// What it may cost: the target of its tier.
    var target: ModelTarget? {
        switch tier {
        case "enrich": ModelTarget.named("enrichment")
        case let tier?: ModelTarget.named(tier)
        case nil: nil
        }
    }
}
