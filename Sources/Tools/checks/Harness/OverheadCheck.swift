import ArgumentParser
import Basics
import Foundation
import Harness
import SpineDatasets

struct OverheadCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overhead",
        abstract: "Measures what the harness itself costs a reading.",
        discussion: """
            A system that does nothing is read by the harness's own worker: in a stream with one lane, as 'offline' does, \
            and one by one over pipes, as 'single' does. What then takes time is the harness.

            Prints a Markdown table in microseconds. Ends with 1 when the median inside the timed interval, or the wall \
            time of a streamed reading, is above the limit.
            """
    )

    @Option(help: "Readings of the stream; a tenth of them one by one.")
    var readings = 20_000

    @Option(help: "The most that a reading may cost, in microseconds.")
    var limit = 20.0

    func validate() throws {
        try require(readings >= 1_000, "--readings is \(readings); expected 1000 or more.")
        try require(limit > 0, "--limit is \(limit); expected more than 0.")
    }

    func run() throws {
        let overhead = try HarnessOverhead.measure(readings: readings)
        func row(_ name: String, _ cost: HarnessOverhead.Cost) -> String {
            let figures = [cost.p50, cost.p99, cost.mean].map { NumberText.fixed($0, 2) }
            return "| \(name) | \(cost.count) | \(figures.joined(separator: " | ")) |"
        }
        print(
            """
            | µs a reading | n | P50 | P99 | mean |
            |---|--:|--:|--:|--:|
            \(row("inside the timed interval", overhead.insideInterval))
            \(row("between two readings of a stream", overhead.betweenStreamed))
            \(row("one by one over pipes, all in all", overhead.roundTrip))

            Wall time of a streamed reading: \(NumberText.fixed(overhead.streamedWall, 2)) µs; limit \
            \(NumberText.short(limit)) µs.
            """
        )
        try end([], isGood: max(overhead.insideInterval.p50, overhead.streamedWall) <= limit)
    }
}

/// Overhead of the harness per reading, measured with a system that does nothing.
private struct HarnessOverhead {
    /// A distribution, in microseconds.
    struct Cost {
        var count: Int
        var mean: Double
        var p50: Double
        var p99: Double

        init(_ microseconds: [Double]) {
            let sorted = microseconds.sorted()
            count = sorted.count
            mean = sorted.reduce(0, +) / Double(max(1, sorted.count))
            p50 = sorted.isEmpty ? 0 : Percentile.nearestRank(50, of: sorted)
            p99 = sorted.isEmpty ? 0 : Percentile.nearestRank(99, of: sorted)
        }
    }

    /// Overhead inside the interval that is reported as the latency.
    var insideInterval: Cost
    /// Time from the end of a reading to the beginning of the next one, in a stream with one lane.
    var betweenStreamed: Cost
    /// Wall time of the stream a reading.
    var streamedWall: Double
    /// Time from the request of a reading to its answer, over pipes, one by one.
    var roundTrip: Cost

    /// Measures the costs of a number of readings of a stream, and of a tenth of them one by one.
    static func measure(readings: Int) throws -> HarnessOverhead {
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
        guard answers.count == count else {
            throw CheckFailure("the worker ended after \(answers.count) of \(count) readings")
        }
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
