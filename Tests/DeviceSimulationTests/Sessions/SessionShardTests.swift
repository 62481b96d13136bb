import Foundation
import ScanningPolicies
import Testing

@testable import DeviceSimulation

@Suite struct SessionShardTests {
    private func shard(_ change: (inout SessionPlan) -> Void = { _ in }) throws -> SessionShard {
        let plan = SessionPlan.with { plan in
            (plan.seconds, plan.strategy, plan.link, plan.offlineShare) = (20, .hybrid, .wifi, 0.1)
            change(&plan)
        }
        let costs = (1...20).map {
            ReadingCost(imageSeconds: 0.002, inferenceSeconds: Double($0) * 0.003, waitSeconds: 0.2)
        }
        let simulator = try SessionSimulator(plan: plan, values: .plain(), costs: costs)
        return SessionShard(simulator, seed: 42, title: "a test")
    }

    private func bytes(_ shard: SessionShard) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(shard)
    }

    @Test func shardsInAnyOrderAreTheBytesOfOneRun() throws {
        let empty = try shard()
        var whole = empty
        try whole.run(0..<300)
        #expect(whole.tally.sessions == 300)
        #expect(whole.tally.unbalanced == 0)
        let parts = try (1...7).map { part in
            var shard = empty
            try shard.run(SessionShard.numbers(ofPart: part, of: 7, sessions: 300))
            return shard
        }
        for order in [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0], [3, 0, 6, 2, 5, 1, 4]] {
            #expect(try bytes(SessionShard.merged(order.map { parts[$0] })) == bytes(whole))
        }
        // Merged of merged, and by way of a file.
        let left = try SessionShard.merged([parts[5], parts[0], parts[2]])
        let right = try SessionShard.merged([parts[4], parts[1], parts[6], parts[3]])
        let again = try JSONDecoder().decode(SessionShard.self, from: bytes(left))
        #expect(try bytes(SessionShard.merged([right, again])) == bytes(whole))
    }

    @Test(arguments: [(0, 1), (1, 1), (5, 7), (7, 7), (100, 7), (1_000_000, 13)])
    func partsHaveEachSessionOnce(sessions: Int, parts: Int) {
        let ranges = (1...parts).map { SessionShard.numbers(ofPart: $0, of: parts, sessions: sessions) }
        #expect(ranges.first?.lowerBound == 0)
        #expect(ranges.last?.upperBound == sessions)
        for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound == next.lowerBound) }
        let sizes = ranges.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }

    @Test func seedsOfSessionsDiffer() {
        let seeds = (0..<1_000).flatMap { number in
            [UInt64(1), 2].map { SessionShard.seed(ofSession: number, seed: $0) }
        }
        #expect(Set(seeds).count == 2_000)
    }

    @Test func partsOfDifferentRunsAreRefused() throws {
        let other = try shard { $0.ambient = 30 }
        #expect(throws: SessionShard.Fault.differentRuns("plans")) { try SessionShard.merged([shard(), other]) }
        #expect(throws: SessionShard.Fault.nothing) { try SessionShard.merged([]) }
    }

    @Test func aSessionThatIsThereTwiceIsRefused() throws {
        var (first, second) = (try shard(), try shard())
        try first.run(0..<3)
        try second.run(2..<4)
        #expect(throws: SessionShard.Fault.doubled(2)) { try SessionShard.merged([second, first]) }
    }

    @Test func aCancelledRunAddsNothing() async throws {
        let empty = try shard()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var part = empty
            do {
                try part.run(0..<1_000)
                return false
            } catch is CancellationError {
                return part == empty
            }
        }
        #expect(try await task.value)
    }
}
