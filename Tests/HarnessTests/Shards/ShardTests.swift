import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Numbers of shards, and their contents.
@Suite(.tags(.io)) struct ShardTests {
    @Test(arguments: [
        ("1/1", 1, 1), ("2/7", 2, 7), ("64/64", 64, 64), ("007/8", 7, 8),
    ])
    func isParsed(text: String, number: Int, count: Int) {
        #expect(Shard(text) == Shard(number: number, of: count))
        #expect(Shard(text) != nil)
    }

    @Test(arguments: [
        "", "1", "/", "1/", "/2", "0/2", "3/2", "-1/2", "+1/2", "1/2/3", " 1/2", "1 / 2", "1/2 ", "a/b", "1/0", "1.0/2",
        "1/9999999999999999999999",
    ])
    func isRefused(text: String) { #expect(Shard(text) == nil) }

    /// Expected values by `printf %s NAME | sha256sum`: the first 16 digits modulo the number of shards, plus 1,
    /// computed in Python.
    @Test(
        arguments: [
            ("photo-12", 1, 1),
            ("photo-12", 2, 2),
            ("photo-12", 7, 1),
            ("photo-12", 64, 4),
            ("photo-12", 4, 4),
            ("s0", 1, 1),
            ("s0", 2, 2),
            ("s0", 7, 1),
            ("s0", 64, 44),
            ("s0", 4, 4),
            ("", 1, 1),
            ("", 2, 1),
            ("", 7, 2),
            ("", 64, 21),
            ("", 4, 1),
            ("Ünïcode 書", 1, 1),
            ("Ünïcode 書", 2, 2),
            ("Ünïcode 書", 7, 1),
            ("Ünïcode 書", 64, 10),
            ("Ünïcode 書", 4, 2),
            ("a/b c", 1, 1),
            ("a/b c", 2, 2),
            ("a/b c", 7, 3),
            ("a/b c", 64, 6),
            ("a/b c", 4, 2),
        ] as [(String, Int, Int)]
    )
    func membershipIsForAllTime(name: String, count: Int, number: Int) {
        #expect(Shard.number(ofGroup: name, count: count) == number)
    }

    @Test func groupsStayTogetherAndEverySampleIsInOneShard() {
        let samples = (0..<500).map { Sample.made("s\($0)", group: $0 % 3 == 0 ? nil : "photo \($0 / 10)") }
        for count in [1, 2, 7, 64, 1_000] {
            let places = samples.map { sample in Shard.all(of: count).filter { $0.holds(sample) } }
            #expect(places.allSatisfy { $0.count == 1 })
            let byGroup = Dictionary(grouping: zip(samples, places), by: { $0.0.shardGroup })
            #expect(byGroup.values.allSatisfy { Set($0.map(\.1)).count == 1 })
        }
    }

    @Test func thePlanOfAShardIsThatOfTheRunWithoutTheOthers() throws {
        let samples = (0..<40).map { Sample.made("s\($0)") }
        let plan = ScenarioPlan(
            Scenario(kind: .single),
            samples: samples,
            repetitions: 2,
            seeds: [1, 2],
            fileSize: { _ in 1 }
        )
        guard case .listed(let whole) = plan.phases[0].steps else { return }
        var sum = 0
        for shard in Shard.all(of: 3) {
            guard case .listed(let own) = plan.restricted(to: shard).phases[0].steps else { return }
            #expect(own == whole.filter { shard.holds($0.sample) })
            sum += own.count
        }
        #expect(sum == whole.count && whole.count == 160)
    }

    private static func array(
        _ id: String,
        _ count: Int,
        _ first: Int,
        _ last: Int,
        _ step: Int = 1
    ) -> [String: String] {
        [
            "SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_TASK_MIN": "\(first)",
            "SLURM_ARRAY_TASK_MAX": "\(last)", "SLURM_ARRAY_TASK_STEP": "\(step)",
        ]
    }

    @Test func anArraysIndexIsNoPlace() throws {
        #expect(try ShardEngine.shard(Self.array("0", 8, 0, 7)).description == "1/8")
        #expect(try ShardEngine.shard(Self.array("7", 8, 0, 7)).description == "8/8")
        #expect(try ShardEngine.shard(Self.array("7", 4, 1, 10, 3), engine: .slurm).description == "3/4")
        let gaps = Self.array("5", 4, 1, 9)
        #expect(throws: HarnessError.self) { try ShardEngine.shard(gaps) }
        let list = ["SPINEBENCH_SHARD_LIST": "1,3,5,9"]
        #expect(try ShardEngine.shard(gaps.merging(list) { $1 }).description == "3/4")
        // One task of it is submitted again: an array of one.
        #expect(try ShardEngine.shard(Self.array("9", 1, 9, 9).merging(list) { $1 }).description == "4/4")
        let all = ["SPINEBENCH_SHARD_COUNT": "4"]
        #expect(try ShardEngine.shard(Self.array("7", 4, 5, 8).merging(all) { $1 }).description == "3/4")
        let range = ["SPINEBENCH_SHARD_LIST": "0-8:4,20-21"]
        #expect(try ShardEngine.shard(Self.array("20", 5, 0, 21).merging(range) { $1 }).description == "4/5")
    }

    /// Slurm reports only the array in which a task was submitted: 'sbatch --array=3' of 1-4, and its like.
    @Test(arguments: [
        array("3", 1, 3, 3), array("4", 2, 3, 4), array("2", 1, 2, 2), array("4", 3, 2, 4), array("6", 3, 4, 8, 2),
        array("64", 1, 64, 64),
    ])
    func aPartOfAnArrayIsRefusedWithTheWayOut(variables: [String: String]) throws {
        let error = #expect(throws: HarnessError.self) { try ShardEngine.shard(variables, engine: .slurm) }
        #expect("\(try #require(error))".contains("SPINEBENCH_SHARD_LIST=1-"))
        let list = ["SPINEBENCH_SHARD_LIST": "1-64"]
        let shard = try ShardEngine.shard(variables.merging(list) { $1 })
        #expect(shard.description == "\(variables["SLURM_ARRAY_TASK_ID"] ?? "")/64")
    }

    @Test func aPodsIndexCountsFromNothing() throws {
        let pod = ["JOB_COMPLETION_INDEX": "3", "SPINEBENCH_SHARD_COUNT": "4"]
        #expect(try ShardEngine.shard(pod).description == "4/4")
        #expect(try ShardEngine.shard(pod, engine: .kubernetes).description == "4/4")
    }

    @Test(
        arguments: [
            [:], ["SLURM_ARRAY_TASK_ID": ""], ["SLURM_ARRAY_TASK_ID": "1"], ["JOB_COMPLETION_INDEX": "0"],
            ["JOB_COMPLETION_INDEX": "4", "SPINEBENCH_SHARD_COUNT": "4"],
            ["JOB_COMPLETION_INDEX": "x", "SPINEBENCH_SHARD_COUNT": "4"],
            ["JOB_COMPLETION_INDEX": "0", "SPINEBENCH_SHARD_COUNT": "-4"],
            array("1", 4, 1, 9), array("11", 8, 0, 7), array("2", 4, 1, 10, 3), array("x", 8, 0, 7),
            array("1", 2, 1, 2).merging(["SPINEBENCH_SHARD_COUNT": "3"]) { $1 },
            array("2", 4, 1, 9).merging(["SPINEBENCH_SHARD_LIST": "1,3,5,9"]) { $1 },
            array("1", 4, 1, 9).merging(["SPINEBENCH_SHARD_LIST": "1,3,3,9"]) { $1 },
            array("1", 4, 1, 9).merging(["SPINEBENCH_SHARD_LIST": "1,,9"]) { $1 },
            array("1", 2, 1, 2).merging(["JOB_COMPLETION_INDEX": "0"]) { $1 },
        ] as [[String: String]]
    )
    func withoutAFittingCountThereIsNoShard(variables: [String: String]) {
        #expect(throws: HarnessError.self) { try ShardEngine.shard(variables) }
    }
}
