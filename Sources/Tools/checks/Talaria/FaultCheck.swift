import ArgumentParser
import Foundation
import ScanningPolicies
import Talaria

struct FaultCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Play random sequences of scans, faults and restarts against servers in this process.",
        discussion: """
            Every spine must end as a book, as a clear error or in the queue; and, when the queue is drained without \
            faults, as one book in the library, with nothing left over on either side. Prints the events, and exits \
            with 1 when anything was lost, doubled or left.
            """
    )

    @Option(help: "Sequences.")
    var sequences = 10_000

    @Option(help: "Random seed of the sequences.")
    var seed: UInt64 = 1

    @Option(help: "Number of parallel servers, each with one sequence at a time.")
    var lanes = 12

    @Option(help: "Seconds of the client's clock per second.")
    var speed = 100

    @Option(help: "Number of a single sequence to repeat.")
    var only: Int?

    func validate() throws {
        guard sequences > 0, (1...256).contains(lanes), (1...10_000).contains(speed) else {
            throw ValidationError(
                "Invalid --sequences, --lanes or --speed: expected --sequences above 0, --lanes 1 to 256, and --speed 1 to 10000."
            )
        }
    }

    func run() async throws {
        let start = ContinuousClock.now
        let numbers = only.map { $0..<($0 + 1) } ?? 0..<sequences
        let tally = try await FaultTally.of(numbers, seed: seed, lanes: only == nil ? lanes : 1, speed: speed)
        print(tally.table)
        print(
            "\(tally.sequences) sequences, seed \(seed), \(start.duration(to: .now)): \(tally.failures.count) failed."
        )
        try end(tally.failures)
    }
}

/// Results of many sequences.
struct FaultTally: Sendable {
    private(set) var sequences = 0
    private(set) var scans: [String: [FaultSequence.Ending: Int]] = [:]
    private(set) var events: [String: Int] = [:]
    /// Failures with the number of the sequence.
    private(set) var failures: [String] = []

    /// Plays sequences, several at a time.
    ///
    /// `speed`: seconds of the client's clock in a second.
    ///
    /// - Throws: when a server cannot be started; findings of a sequence are among the failures.
    static func of(_ numbers: Range<Int>, seed: UInt64, lanes: Int, speed: Int) async throws -> FaultTally {
        try await withTemporaryFolder("faults") { folder in
            try await withThrowingTaskGroup(of: FaultTally.self) { group in
                for lane in 0..<lanes {
                    group.addTask {
                        let mine = numbers.filter { $0 % lanes == lane }
                        return try await play(mine, seed: seed, speed: speed, in: folder.appending(path: "\(lane)"))
                    }
                }
                return try await group.reduce(into: FaultTally()) { $0.add($1) }
            }
        }
    }

    private static func play(_ numbers: [Int], seed: UInt64, speed: Int, in folder: URL) async throws -> FaultTally {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let transport = try AsyncHTTPTransport()
        let clock = ScaledClock(speed: speed)
        return try await closing(transport.shutdown) {
            try await FaultServer.run(in: folder) { server in
                var tally = FaultTally()
                for number in numbers {
                    var sequence = try FaultSequence(
                        number: number,
                        seed: seed &* 1_000_003 &+ UInt64(number),
                        server: server,
                        transport: transport,
                        clock: clock,
                        folder: folder
                    )
                    do {
                        try await sequence.run()
                    } catch {
                        let origin = "sequence \(number) of seed \(seed), \(sequence.variant), \(sequence.local)"
                        tally.failures.append("\(origin): \(error)")
                    }
                    tally.add(sequence)
                }
                return tally
            }
        }
    }

    private mutating func add(_ sequence: FaultSequence) {
        sequences += 1
        for spine in sequence.spines { scans[sequence.variant.rawValue, default: [:]][spine.ending, default: 0] += 1 }
        events.merge(sequence.events, uniquingKeysWith: +)
    }

    private mutating func add(_ other: FaultTally) {
        sequences += other.sequences
        for (variant, endings) in other.scans { scans[variant, default: [:]].merge(endings, uniquingKeysWith: +) }
        events.merge(other.events, uniquingKeysWith: +)
        failures += other.failures
    }

    /// Markdown: endings by variant, then the actions.
    var table: String {
        let endings = FaultSequence.Ending.allCases
        var lines = [
            "| scans | \(endings.map(\.rawValue).joined(separator: " | ")) |",
            "|---|" + String(repeating: "--:|", count: endings.count),
        ]
        for (variant, counts) in scans.sorted(by: { $0.key < $1.key }) {
            lines.append("| \(variant) | \(endings.map { "\(counts[$0] ?? 0)" }.joined(separator: " | ")) |")
        }
        lines += ["", "| fault | scans and drains |", "|---|--:|"]
        for (name, count) in events.sorted(by: { $0.key < $1.key }) { lines.append("| \(name) | \(count) |") }
        return lines.joined(separator: "\n") + "\n"
    }
}
