import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports
@testable import Results

/// Shards that are put together again, and those that are not.
@Suite(.tags(.io)) struct ShardMergeTests {
    @Test(arguments: [1, 2, 7, 64])
    func shardsInAnyOrderAreTheBytesOfOnePiece(count: Int) throws {
        let run = try ShardedRun()
        var folders = try Shard.all(of: count).map { try run.read($0, factor: Double($0.number)) }
        let expected = try run.onePiece()
        var random = SplitMix64(state: 7)
        for _ in 0..<3 {
            folders = random.shuffled(folders)
            let merge = try run.merged(folders)
            #expect(try run.accuracy(merge) == expected)
            #expect(merge.shards.parts.map(\.shard) == Shard.all(of: count))
        }
        // Figures of captures are included.
        #expect(String(decoding: expected["accuracy.json"] ?? [], as: UTF8.self).contains("\"codesRead\""))
        // Given twice, and beside a part that somebody began elsewhere.
        let twice = try run.merged(folders + folders)
        #expect(try run.accuracy(twice) == expected)
        #expect(twice.shards.superseded.count == count)
    }

    @Test func ofTwoAttemptsTheNewestCounts() throws {
        let run = try ShardedRun()
        let shards = Shard.all(of: 3)
        let folders = try shards.map { try run.read($0) }
        let older = try run.read(shards[1], as: "older", factor: 9)
        try reseal(older) { $0.finishedAt = "2020-01-01T00:00:00Z" }
        let merge = try run.merged([folders[2], older, folders[0], folders[1]])
        #expect(merge.set.entries[1].folder == folders[1] && merge.set.superseded == [older])
        #expect(try run.accuracy(merge) == run.onePiece())
    }

    @Test func aShardThatWasCutOffGoesOnAndTellsOfBothAttempts() throws {
        let run = try ShardedRun()
        let folders = try Shard.all(of: 3).map { try run.read($0, cutAfter: $0.number == 2 ? 10 : nil) }
        let merge = try run.merged(folders)
        #expect(try run.accuracy(merge) == run.onePiece())
        #expect(merge.shards.parts.map(\.attempts.count) == [1, 2, 1])
        #expect(merge.shards.parts[1].attempts.map(\.recordsBefore) == [0, 10])
    }

    @Test func aFinishedShardIsLeftAndAnotherOnesFolderIsRefused() throws {
        let run = try ShardedRun()
        let shards = Shard.all(of: 2)
        let path = try run.read(shards[0])
        let own = try ShardRecord(shards[0], run.configuration, [run.dataset])
        guard case .finished(let record) = try ShardFolder.state(of: path, expecting: own) else {
            Issue.record("it is finished")
            return
        }
        #expect(record.attempts.count == 1)
        let other = try ShardRecord(shards[1], run.configuration, [run.dataset])
        #expect(throws: HarnessError.self) { try ShardFolder.state(of: path, expecting: other) }
        guard case .absent = try ShardFolder.state(of: path + "x", expecting: own) else {
            Issue.record("there is nothing")
            return
        }
    }

    @Test func twoProcessesDoNotReadOneShard() throws {
        let run = try ShardedRun()
        let shard = Shard.all(of: 1)[0]
        let record = try ShardRecord(shard, run.configuration, [run.dataset])
        let first = try ShardFolder.begin(record, at: run.folder("s"), run.configuration)
        #expect(throws: HarnessError.busy(path: run.folder("s") + ".part")) {
            try ShardFolder.begin(record, at: run.folder("s"), run.configuration)
        }
        // Without its readings it is not finished.
        #expect(throws: HarnessError.self) { try first.shard.finish(run.configuration) }
    }

    @Test(arguments: [1, 2, 7])
    func readingsAreInTheOrderOfOnePiece(count: Int) throws {
        let run = try ShardedRun()
        // The first shard was cut off and resumed.
        let folders = try Shard.all(of: count).map { try run.read($0, cutAfter: $0.number == 1 ? 3 : nil) }
        let merge = try run.merged(folders.reversed())
        let stored = try run.contents(merge)
        #expect(stored.records == run.records())
        #expect(merge.readings == stored.records.count)
        // Of one machine the lines are copies.
        #expect(stored.shards?.machines.count == 1 && stored.records.allSatisfy { $0.machine == nil })
        #expect(stored.events.first?.planned == ["a": 180, "b": 180])
        #expect(stored.events.last?.kind == .runFinished && stored.configuration == run.configuration)
        let result = try run.result(stored.records, stored.events, stored.shards)
        let whole = try run.result(run.records(), stored.events)
        #expect(!result.isPartial && result.resumes == 1 && result.compliance == whole.compliance)
        #expect(result.measurements.map(\.all.latency) == whole.measurements.map(\.all.latency))
    }

    /// A shard whose last attempt reads again what an earlier one had given up.
    @Test func readingsThatWereRepeatedLaterAreSorted() throws {
        let run = try ShardedRun()
        let folders = try Shard.all(of: 2).map { try run.read($0) }
        try reseal(folders[0], lines: { $0.append($0.remove(at: 2)) })
        let merge = try run.merged(folders)
        #expect(try run.contents(merge).records == run.records())
    }

    @Test func latenciesOfTwoMachinesAreNotPooled() throws {
        let run = try ShardedRun(samples: 400, repetitions: 1)
        let folders = try Shard.all(of: 2).map { try run.read($0, factor: $0.number == 1 ? 1 : 10) }
        try reseal(folders[1]) { $0.attempts[0].machine = "slow" }
        let stored = try run.contents(try run.merged(folders))
        #expect(stored.shards?.machines.count == 2)
        let result = try run.result(stored.records, stored.events, stored.shards)
        let measurement = try #require(result.measurements.first)
        let machines = try #require(measurement.machines)
        #expect(machines.map(\.machine) == stored.shards?.machines)
        let medians = machines.compactMap(\.latency.p50.value.value)
        #expect(medians.max().map { $0 > 400 } == true && medians.min().map { $0 < 70 } == true)
        #expect(machines.map(\.latency.count).reduce(0, +) == measurement.all.latency.count)
        #expect(measurement.categories.allSatisfy { $0.latency.p50.point == .absent("read on 2 machines") })
        #expect(result.compliance.filter { $0.metric == .latencyP95 }.allSatisfy { !$0.gates })
        let text = RunDocument(result).markdown
        #expect(text.contains("Latency by machine") && text.contains("| slow ("))
    }

    @Test func aMergeThatIsKilledLeavesNoFolderAndIsRepeated() throws {
        let run = try ShardedRun()
        let path = run.folder("whole")
        do {
            let killed = try PartFolder(at: path)
            try Data("half".utf8).write(to: URL(filePath: "\(killed.part)/samples.jsonl"))
            #expect(throws: HarnessError.busy(path: killed.part)) { try PartFolder(at: path) }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        let folder = try PartFolder(at: path)
        try folder.clear()
        try run.merged(Shard.all(of: 2).map { try run.read($0) }).write(to: folder.part)
        try folder.publish(["config.json", "samples.jsonl", "events.jsonl"])
        #expect(try RunFolder.contents(path).records == run.records())
        #expect(!FileManager.default.fileExists(atPath: path + ".part"))
    }

    // MARK: Sets that are no run

    /// Changes a shard's record or readings, and seals it as if it had been so.
    private func reseal(
        _ folder: String,
        _ change: (inout ShardRecord) -> Void = { _ in },
        lines: ((inout [String]) -> Void)? = nil
    ) throws {
        var record = try #require(try ShardRecord.read(in: folder))
        let path = "\(folder)/samples.jsonl"
        if let lines {
            var text = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
            lines(&text)
            try (text.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
            let data = try Data(contentsOf: URL(filePath: path))
            record.files["samples.jsonl"] = ShardRecord.SealedFile(
                bytes: data.count,
                digest: "sha256:" + SHA256.hex(of: Array(data))
            )
        }
        change(&record)
        try record.sealNow()
        try Data(JSONFile.bytes(record)).write(to: URL(filePath: "\(folder)/shard.json"))
    }

    private static let kinds = 16

    /// Two hundred sets with one thing wrong, each refused in one line that names the folder or the shard.
    @Test func mutatedSetsAreRefusedByName() throws {
        let run = try ShardedRun(samples: 60, repetitions: 1)
        let count = 5
        let original = try Shard.all(of: count).map { try run.read($0) }
        var other = run
        other.configuration.warmUpReadings = 9
        let foreign = try Shard.all(of: count).map { try other.read($0, as: "foreign \($0.number)") }
        var random = SplitMix64(state: 20)
        var refused = 0
        for round in 0..<224 {
            let work = run.folder("mutation \(round)")
            try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
            var folders: [String] = []
            for (number, folder) in original.enumerated() {
                folders.append("\(work)/part-\(number + 1)")
                try FileManager.default.copyItem(atPath: folder, toPath: folders[number])
            }
            let victim = random.below(count)
            let folder = folders[victim]
            let samples = "\(folder)/samples.jsonl"
            var name = folder
            switch round % Self.kinds {
            case 0:
                folders.remove(at: victim)
                name = "shard \(victim + 1)/\(count)"
            case 1:
                try FileManager.default.moveItem(atPath: folder, toPath: folder + ".part")
                folders[victim] += ".part"
                name = folders[victim]
            case 2:
                let data = try Data(contentsOf: URL(filePath: samples))
                try data.prefix(random.below(data.count)).write(to: URL(filePath: samples))
            case 3:
                var data = try Data(contentsOf: URL(filePath: samples))
                data[random.below(data.count)] ^= UInt8(1 + random.below(255))
                try data.write(to: URL(filePath: samples))
            case 4:
                let file = ["samples.jsonl", "config.json", "shard.json", "events.jsonl"][random.below(4)]
                try FileManager.default.moveItem(atPath: "\(folder)/\(file)", toPath: "\(folder)/renamed-\(file)")
            case 5:
                let path = "\(folder)/shard.json"
                let text = try String(contentsOfFile: path, encoding: .utf8)
                try text.replacing("\"\(victim + 1)/\(count)\"", with: "\"\((victim + 1) % count + 1)/\(count)\"")
                    .write(toFile: path, atomically: true, encoding: .utf8)
            case 6:
                try FileManager.default.removeItem(atPath: folder)
                try FileManager.default.copyItem(atPath: foreign[victim], toPath: folder)
            case 7: try reseal(folder, lines: { $0.append($0[random.below($0.count)]) })
            case 8: try reseal(folder, lines: { $0.remove(at: random.below($0.count)) })
            case 9:
                let stranger = try String(
                    contentsOfFile: "\(original[(victim + 1) % count])/samples.jsonl",
                    encoding: .utf8
                )
                try reseal(folder, lines: { $0[random.below($0.count)] = String(stranger.split(separator: "\n")[0]) })
            case 10: try reseal(folder) { $0.digests.program = "sha256:1" }
            case 11: try reseal(folder) { $0.digests.models = "sha256:1" }
            case 12: try reseal(folder) { $0.digests.data = "sha256:1" }
            case 13:
                let place = random.below(2)
                try reseal(folder) { record in
                    if place == 0 { record.members[0].ids.removeLast() } else { record.members[0].ids.append("s0") }
                    record.members[0] = ShardRecord.Members(
                        dataset: record.members[0].dataset,
                        subject: .spines,
                        ids: record.members[0].ids
                    )
                }
            case 14: try reseal(folder, lines: { $0[0] = $0[0].replacing("\"id\":\"s", with: "\"id\":\"x") })
            default:
                // The moment is equal, and the readings differ: the right one is unknown.
                let twin = "\(work)/twin"
                try FileManager.default.copyItem(atPath: folder, toPath: twin)
                try reseal(twin, lines: { $0.swapAt(0, 1) })
                folders.append(twin)
                name = "/\(work.split(separator: "/").last ?? "")/"
            }
            do {
                _ = try run.merged(random.shuffled(folders))
                Issue.record("round \(round) was merged")
            } catch {
                let text = "\(error)"
                #expect(text.contains(name), "round \(round): \(text)")
                #expect(!text.contains("\n"), "round \(round): \(text)")
                refused += 1
            }
            try FileManager.default.removeItem(atPath: work)
        }
        #expect(refused == 224)
    }
}
