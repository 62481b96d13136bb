import Foundation
import ScanningPolicies
import Talaria

/// Results of many sequences.
struct FaultTally: Sendable {
    private(set) var sequences = 0
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
        let transport = try NetworkTransport()
        let clock = ScaledClock(speed: speed)
        return try await FaultServer.run(in: folder) { server in
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

    private mutating func add(_ sequence: FaultSequence) {
        sequences += 1
        events.merge(sequence.events, uniquingKeysWith: +)
    }

    private mutating func add(_ other: FaultTally) {
        sequences += other.sequences
        events.merge(other.events, uniquingKeysWith: +)
        failures += other.failures
    }
}
