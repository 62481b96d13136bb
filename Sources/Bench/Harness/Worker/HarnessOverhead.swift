import Basics
import Foundation
import SpineDatasets

/// Overhead of the harness per reading, measured with a system that does nothing.
package struct HarnessOverhead: Sendable {
    /// A distribution, in microseconds.
    package struct Cost: Sendable {
        package var count: Int
        package var mean: Double
        package var p50: Double
        package var p99: Double

        init(_ microseconds: [Double]) {
            let sorted = microseconds.sorted()
            count = sorted.count
            mean = sorted.reduce(0, +) / Double(max(1, sorted.count))
            p50 = sorted.isEmpty ? 0 : Percentile.nearestRank(50, of: sorted)
            p99 = sorted.isEmpty ? 0 : Percentile.nearestRank(99, of: sorted)
        }
    }

    /// Overhead inside the interval that is reported as the latency.
    package var insideInterval: Cost
    /// Time from the end of a reading to the beginning of the next one, in a stream with one lane.
    package var betweenStreamed: Cost
    /// Wall time of the stream a reading.
    package var streamedWall: Double
    /// Time from the request of a reading to its answer, over pipes, one by one.
    package var roundTrip: Cost

    /// Measures the costs of a number of readings of a stream, and of a tenth of them one by one.
    package static func measure(readings: Int) throws -> HarnessOverhead {
        let picture = FileManager.default.temporaryDirectory.appending(path: "overhead-\(UUID().uuidString)")
        try Data([0]).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        let worker = InProcessWorker(system: NullSystem())
        defer { worker.end() }
        let streamed = try stream(readings, picture.path, worker)
        let alone = try oneByOne(readings / 10, picture.path, worker)
        let gaps = zip(streamed, streamed.dropFirst()).map { ($1.timing.startSeconds - $0.timing.endSeconds) * 1e6 }
        let last = streamed.last?.timing.endSeconds ?? 0
        return HarnessOverhead(
            insideInterval: Cost(streamed.map { $0.milliseconds * 1_000 }),
            betweenStreamed: Cost(gaps),
            streamedWall: last * 1e6 / Double(max(1, streamed.count)),
            roundTrip: Cost(alone)
        )
    }

    private static func stream(
        _ count: Int,
        _ path: String,
        _ worker: InProcessWorker
    ) throws -> [(milliseconds: Double, timing: StreamTiming)] {
        try worker.send(.stream(lanes: 1, pictures: [StreamPicture(path: path, name: "null")]))
        let requests = (0..<count).map { StreamRequest(sequence: $0, picture: 0) }
        try worker.send(.enqueue(requests: requests))
        var answers: [(Double, StreamTiming)] = []
        while answers.count < count, let message = worker.next() {
            if case .result(_, let milliseconds, _, _, let timing?) = message { answers.append((milliseconds, timing)) }
        }
        guard answers.count == count else { throw WorkerFailure.unreadable(path: path) }
        return answers
    }

    private static func oneByOne(_ count: Int, _ path: String, _ worker: InProcessWorker) throws -> [Double] {
        try (0..<count).map { sequence in
            let start = ContinuousClock.now
            try worker.send(.read(sequence: sequence, path: path, name: "null"))
            while let message = worker.next() {
                if case .result(sequence, _, _, _, nil) = message { break }
            }
            return start.duration(to: .now).milliseconds * 1_000
        }
    }
}

private struct NullSystem: SystemUnderTest {
    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) -> Prediction {
        Prediction(lines: [])
    }
}

/// A worker on a thread of this process, spoken to through pipes as one of another process is.
private final class InProcessWorker: Sendable {
    private let input = Pipe()
    private let output = Pipe()
    private let messages = BlockingQueue<WorkerMessage>()

    init(system: any SystemUnderTest) {
        Thread.detachNewThread { [input, output] in
            try? WorkerLoop(input: input.fileHandleForReading, output: output.fileHandleForWriting)
                .run { _ in WorkerLoop.Loaded(system: system, description: [:]) }
            try? output.fileHandleForWriting.close()
        }
        Thread.detachNewThread { [output, messages] in
            LineSplitter.lines(of: output.fileHandleForReading) { line in
                if let message = JSONLine.decode(WorkerMessage.self, from: line) { messages.push(message) }
            }
            messages.close()
        }
    }

    func send(_ request: WorkerRequest) throws {
        try input.fileHandleForWriting.write(contentsOf: JSONLine.encode(request))
    }

    func next() -> WorkerMessage? { messages.next() }

    func end() { try? input.fileHandleForWriting.close() }
}
