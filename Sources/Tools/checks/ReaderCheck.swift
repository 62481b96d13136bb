import ArgumentParser
import Basics
import Foundation
import Harness

struct ReaderCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reader",
        abstract: "Measure the stages of the on-device readers, their speed beside another tool, and their steadiness.",
        discussion: """
            One run reads the spines with 'fast', with 'accurate' and, after 'scripts/setup.sh peers', with RapidOCR as \
            well as it can be set; a second one with 'fast' alone beside busy processes. All times are measured on this \
            machine.

            Exit codes: 0 the same texts beside busy processes, at most --slowdown times the median, and P95 of 'fast' \
            at most --spread times its P50; 1 not.
            """
    )

    @Option(help: "Program that reads.")
    var program = ".build/release/spinebench"

    @Option(help: "A dataset's folder.")
    var dataset = "Datasets/spines-1"

    @Option(help: "Number of spines, the categories taking turns.")
    var spines = 120

    @Option(help: "Number of busy processes of the second run.")
    var busy = 2

    @Option(help: "Maximum ratio of the median beside busy processes to the other median.")
    var slowdown = 2.0

    @Option(help: "Maximum ratio of P95 of 'fast' to its P50.")
    var spread = 2.5

    private static let peer = "rapidocr-tuned"

    func validate() throws {
        try require(spines >= 20 && busy >= 1, "Invalid --spines or --busy: expected 20 or more, and 1 or more.")
        try require(slowdown > 0 && spread > 0, "Invalid --slowdown or --spread: expected more than 0.")
    }

    func run() async throws {
        try await withTemporaryFolder("reader") { folder in
            let quiet = try readings("fast,accurate,\(Self.peer)", in: folder.appending(path: "quiet"))
            // They end with this process; it ignores SIGTERM, and so do they.
            let loop = ["-c", "while kill -0 $PPID 2>/dev/null; do :; done"]
            let others = try (0..<busy).map { _ in try Process.start("/bin/sh", loop) }
            defer { for process in others { kill(process.processIdentifier, SIGKILL) } }
            let loaded = try readings("fast", in: folder.appending(path: "busy"))
            try report(quiet, loaded["fast"] ?? [])
        }
    }

    /// Reads the spines with some variants and returns the readings of each.
    private func readings(_ variants: String, in folder: URL) throws -> [String: [SampleRecord]] {
        let arguments = [
            "run", "--suite", "peers", "--variants", variants, "--dataset", dataset, "--limit", "\(spines)",
            "--warmup", "\(spines)", "--devices", "none", "--out", folder.path,
        ]
        let process = try Process.start(program, arguments, errors: FileHandle.nullDevice)
        process.waitUntilExit()
        // Whatever the verdict on the suite's targets is: met, missed or undecided.
        guard process.terminationReason == .exit, [0, 1, 3].contains(process.terminationStatus) else {
            let command = "\(program) \(arguments.joined(separator: " "))"
            throw CheckFailure("\(command) ended with \(process.terminationStatus)")
        }
        let records = try RunFolder.contents(folder.path).records.filter { $0.outcome == .read }
        return Dictionary(grouping: records) { String($0.measurement.prefix { $0 != "@" }) }
    }

    private func report(_ quiet: [String: [SampleRecord]], _ busy: [SampleRecord]) throws {
        guard let fast = quiet["fast"], let median = Self.percentile(50, fast),
            let tail = Self.percentile(95, fast), let loaded = Self.percentile(50, busy)
        else { throw CheckFailure("\(program) read no spine with fast") }
        print(
            "| ms a spine, P50 | n | decode | detect | recognise | rest | all | P95 | P95 / P50 | \(Self.peer) / this |"
        )
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        let peer = quiet[Self.peer].flatMap { Self.percentile(50, $0) }
        for name in ["fast", "accurate", Self.peer] {
            if let records = quiet[name] { print(Self.row(name, records, peer: peer)) }
        }
        if peer == nil { print("\(Self.peer) is missing: run 'scripts/setup.sh peers'.") }
        let texts = Dictionary(fast.map { ($0.id, $0.prediction?.text) }) { first, _ in first }
        let changed = Set(busy.filter { texts[$0.id] != $0.prediction?.text }.map(\.id)).sorted()
        func ratio(_ value: Double) -> String { NumberText.fixed(value, 2) }
        print(
            "fast beside \(self.busy) busy processes: P50 \(NumberText.fixed(loaded, 1)) ms, \(ratio(loaded / median)) "
                + "times (limit \(ratio(slowdown))); other texts \(changed.count) of \(busy.count)"
        )
        var failures = changed.map { "\($0): another text beside busy processes" }
        if busy.count != fast.count { failures.append("\(busy.count) of \(fast.count) spines read") }
        if loaded > slowdown * median { failures.append("the median beside busy processes") }
        if tail > spread * median { failures.append("P95 of fast: \(ratio(tail / median)) times P50") }
        try end(failures)
    }

    private static func row(_ name: String, _ records: [SampleRecord], peer: Double?) -> String {
        let known: [Stage] = [.decode, .detectionInference, .recognitionInference]
        func median(_ value: (StageTimes) -> Double?) -> String {
            let values = records.compactMap { $0.prediction.flatMap { value($0.stages) } }.sorted()
            return values.isEmpty ? "–" : NumberText.fixed(Percentile.nearestRank(50, of: values), 1)
        }
        let stages = known.map { stage in median { $0[stage] } }
        let rest = median { times in times[.total].map { known.reduce($0) { $0 - (times[$1] ?? 0) } } }
        let (middle, tail) = (percentile(50, records) ?? 0, percentile(95, records) ?? 0)
        let figures = [NumberText.fixed(middle, 1), NumberText.fixed(tail, 1), NumberText.fixed(tail / middle, 2)]
        let cells = stages + [rest] + figures + [peer.map { NumberText.fixed($0 / middle, 2) } ?? "–"]
        return "| \(name) | \(records.count) | \(cells.joined(separator: " | ")) |"
    }

    private static func percentile(_ percent: Int, _ records: [SampleRecord]) -> Double? {
        Latencies(records.compactMap(\.milliseconds)).percentile(percent)
    }
}
