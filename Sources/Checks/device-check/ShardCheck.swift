import DeviceSimulation
import Foundation
import ScanningPolicies

/// Whether the parts of many sessions merge to the bytes of one run.
enum ShardCheck {
    /// Prints what was compared.
    ///
    /// - Parameter sessions: in all.
    /// - Throws: `SessionError`, which would be an error of this program.
    /// - Returns: whether all orders gave the same bytes.
    static func run(sessions: Int) throws -> Bool {
        var plan = SessionPlan()
        plan.gate = CheckDevice.gate
        (plan.strategy, plan.link, plan.offlineShare) = (.hybrid, .wifi, 0.1)
        let simulator = try SessionSimulator(plan: plan, values: CheckDevice.values, costs: CheckDevice.costs)
        let empty = SessionShard(simulator, seed: 1, title: "check")
        var whole = empty
        try whole.run(0..<sessions)
        let expected = try bytes(whole)
        var isSame = true
        for parts in [2, 7, 13] {
            var shards: [SessionShard] = []
            for part in 1...parts {
                var shard = empty
                try shard.run(SessionShard.numbers(ofPart: part, of: parts, sessions: sessions))
                shards.insert(shard, at: part.isMultiple(of: 2) ? 0 : shards.count)
            }
            isSame = try isSame && bytes(SessionShard.merged(shards)) == expected
        }
        print(
            "\(sessions) sessions in 2, 7 and 13 shards: \(isSame ? "the same" : "NOT the same") \(expected.count) bytes"
        )
        print("energy and heat agree to a billionth in \(sessions - whole.tally.unbalanced) of \(sessions)")
        return isSame && whole.tally.unbalanced == 0
    }

    private static func bytes(_ shard: SessionShard) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(shard)
    }
}
