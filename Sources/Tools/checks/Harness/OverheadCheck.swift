import ArgumentParser
import Basics
import Harness

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
