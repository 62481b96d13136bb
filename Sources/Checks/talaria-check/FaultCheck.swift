import ArgumentParser
import Foundation
import Talaria

struct FaultCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Plays random sequences of scans, faults and restarts against servers in this process.",
        discussion: """
            Every spine must end as a book, as a clear error or in the queue; and, when the queue is drained without \
            faults, as one book in the library, with nothing left over on either side. Prints what happened, and ends \
            with 1 when anything was lost, doubled or left.
            """
    )

    @Option(help: "Sequences.")
    var sequences = 10_000

    @Option(help: "What happens in them.")
    var seed: UInt64 = 1

    @Option(help: "Servers, each with a sequence at a time.")
    var lanes = 12

    @Option(help: "Seconds of the client's clock in a second.")
    var speed = 100

    @Option(help: "Only this sequence of them, to see one again.")
    var only: Int?

    func validate() throws {
        guard sequences > 0, (1...256).contains(lanes), (1...10_000).contains(speed) else {
            throw ValidationError("--sequences is more than 0, --lanes 1 to 256, --speed 1 to 10000.")
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
        for failure in tally.failures.prefix(50) { print("FAILED: \(failure)") }
        if !tally.failures.isEmpty { throw ExitCode(1) }
    }
}
