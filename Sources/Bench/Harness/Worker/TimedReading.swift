import Basics
import Evaluation
import Synchronization

/// Reading by a system, timed by the harness's clock.
struct TimedReading {
    private let start: ContinuousClock.Instant
    private let end: ContinuousClock.Instant
    private let outcome: Result<Prediction, any Error>
    private let cpuMilliseconds: Double?
    private let picture: (bytes: [UInt8], name: String)

    /// Has `bytes`, which are in memory, read.
    init(_ bytes: [UInt8], name: String, with system: any SystemUnderTest) {
        let stamps = MilestoneStamps()
        let cpu = ProcessTime.cpuMilliseconds()
        let start = ContinuousClock.now
        // Only the call is between the two clock readings.
        let (outcome, work) = WorkMeter.counting {
            Result { try system.process(bytes, name: name) { stamps.add($0) } }
        }
        end = .now
        cpuMilliseconds = cpu.flatMap { cpu in ProcessTime.cpuMilliseconds().map { $0 - cpu } }
        (self.start, picture) = (start, (bytes, name))
        self.outcome = outcome.map { prediction in
            var prediction = prediction
            prediction.milestones = stamps.milliseconds(from: start)
            // A reader of the user's works in processes of its own, and counts itself.
            if prediction.work == nil, work.numbers.contains(where: { $0.value > 0 }) { prediction.work = work }
            return prediction
        }
    }

    /// Returns the answer of one reading at a time, after the system's concluding work, with the memory then.
    func message(
        sequence: Int,
        concludedBy system: any SystemUnderTest,
        _ memory: MemoryMeter
    ) -> WorkerMessage {
        let start = ContinuousClock.now
        let concluded = Result {
            var prediction = try outcome.get()
            prediction.cpuMilliseconds = memory.isOwn ? cpuMilliseconds : nil
            try system.conclude(&prediction)
            return prediction
        }
        let held = memory.read()
        let timed = concluded.map { prediction in
            var prediction = prediction
            prediction.concludedMilliseconds = start.duration(to: .now).milliseconds
            return prediction
        }
        return message(timed, sequence: sequence, memory: held, timing: nil)
    }

    /// Returns the answer of a stream, which adds the memory now and then.
    func message(sequence: Int, streamStart: ContinuousClock.Instant) -> WorkerMessage {
        let timing = StreamTiming(
            startSeconds: streamStart.duration(to: start).milliseconds / 1_000,
            endSeconds: streamStart.duration(to: end).milliseconds / 1_000
        )
        return message(outcome, sequence: sequence, memory: nil, timing: timing)
    }

    private func message(
        _ outcome: Result<Prediction, any Error>,
        sequence: Int,
        memory: MemoryReading?,
        timing: StreamTiming?
    ) -> WorkerMessage {
        let milliseconds = start.duration(to: end).milliseconds
        switch outcome {
        case .success(let prediction):
            return .result(
                sequence: sequence,
                milliseconds: milliseconds,
                prediction: prediction,
                memory: memory,
                timing: timing
            )
        case .failure(let error):
            let failure = ReaderFailure(error, reading: picture.bytes, name: picture.name)
            return .failure(
                sequence: sequence,
                milliseconds: milliseconds,
                reason: failure.description,
                memory: memory,
                timing: timing,
                owner: failure.owner
            )
        }
    }
}

private final class MilestoneStamps: Sendable {
    private let stamps = Mutex<[Milestone: ContinuousClock.Instant]>([:])

    /// Records the time; an earlier time of the same milestone is kept.
    func add(_ milestone: Milestone) {
        let now = ContinuousClock.now
        stamps.withLock { if $0[milestone] == nil { $0[milestone] = now } }
    }

    /// Returns the milliseconds of milestones; nil when there was none.
    func milliseconds(from start: ContinuousClock.Instant) -> [String: Double]? {
        let stamps = stamps.withLock { $0 }
        if stamps.isEmpty { return nil }
        return Dictionary(
            uniqueKeysWithValues: stamps.map { ($0.key.rawValue, start.duration(to: $0.value).milliseconds) }
        )
    }
}
