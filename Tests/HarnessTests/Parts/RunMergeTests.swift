import Basics
import Evaluation
import Foundation
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// Parts that are put together again, and those that are not.
@Suite(.tags(.io)) struct RunMergeTests {
    @Test(arguments: [1, 2, 7, 64])
    func partsInAnyOrderMakeTheReportOfOnePiece(count: Int) throws {
        let run = try PartedRun()
        // One was cut off and continued.
        let folders = try Part.all(of: count).map { try run.read($0, cutAfter: $0.number == 1 ? 1 : nil) }
        var random = SplitMix64(state: 7)
        let merged = try run.merged(random.shuffled(folders))
        #expect(merged.records == run.records() && merged.configuration == run.configuration && merged.part == nil)
        #expect(merged.events.first?.planned == ["a": 180, "b": 180])
        #expect(merged.events.first?.kind == .runStarted && merged.events.last?.kind == .runFinished)
        let (reports, expected) = (try run.reports(merged), try run.reports(run.onePiece(merged.events)))
        #expect(reports.keys.sorted() == expected.keys.sorted())
        for (name, bytes) in expected { #expect(reports[name] == bytes, "\(name)") }
    }

    /// What a merge writes is a run like any other.
    @Test func aMergedRunIsARunFolder() throws {
        let run = try PartedRun()
        let folders = try Part.all(of: 3).map { try run.read($0) }
        let stored = try run.merged(folders)
        let names = try FileManager.default.contentsOfDirectory(atPath: run.folder("merged")).sorted()
        #expect(names == ["config.json", "events.jsonl", "samples.jsonl"])
        #expect(stored.records == run.records() && stored.part == nil)
        let contents = try RunContents(run.folder("merged"), stored, [run.dataset])
        #expect(!contents.result.isPartial && contents.comparable.map(\.id) == ["a", "b"])
        // What is in the folder is not overwritten.
        #expect(throws: HarnessError.self) {
            try RunMerge(folders).write(over: [run.dataset], to: run.folder("merged"))
        }
    }

    /// A part whose last attempt reads again what an earlier one had given up.
    @Test func readingsThatWereRepeatedLaterAreSorted() throws {
        let run = try PartedRun()
        let folders = try Part.all(of: 2).map { try run.read($0) }
        try change(folders[0]) { $0.append($0.remove(at: 2)) }
        #expect(try run.merged(folders).records == run.records())
    }

    @Test func aFolderIsOfItsPartAlone() throws {
        let run = try PartedRun()
        let parts = Part.all(of: 2)
        let path = try run.read(parts[0])
        #expect(try RunFolder.part(in: path) == parts[0])
        #expect(throws: HarnessError.self) { try RunFolder.begin(parts[1], of: run.configuration, at: path) }
        var other = run.configuration
        other.warmUpReadings = 9
        #expect(throws: HarnessError.self) { try RunFolder.begin(parts[0], of: other, at: path) }
        #expect(try RunFolder.begin(parts[0], of: run.configuration, at: path).records().count > 10)
    }

    @Test func twoProcessesDoNotReadOnePart() throws {
        let run = try PartedRun()
        let part = Part.all(of: 1)[0]
        let first = try RunFolder.begin(part, of: run.configuration, at: run.folder("s"))
        #expect(throws: HarnessError.busy(path: run.folder("s"))) {
            try RunFolder.begin(part, of: run.configuration, at: run.folder("s"))
        }
        #expect(first.records().isEmpty)
    }

    @Test func latenciesOfTwoMachinesAreNotPooled() throws {
        let run = try PartedRun(samples: 400, repetitions: 1)
        let folders = try Part.all(of: 2).map { part in
            try run.read(part, on: part.number == 1 ? "fast" : "slow", factor: part.number == 1 ? 1 : 10)
        }
        let result = try RunContents(run.folder("m"), run.merged(folders), [run.dataset]).result
        let measurement = try #require(result.measurements.first)
        let machines = try #require(measurement.machines)
        #expect(machines.map(\.machine) == ["fast", "slow"])
        let medians = machines.compactMap(\.latency.p50.value.value)
        #expect(medians.count == 2 && medians[0] < 70 && medians[1] > 400)
        #expect(machines.map(\.latency.count).reduce(0, +) == measurement.all.latency.count)
        #expect(measurement.categories.allSatisfy { $0.latency.p50.point == .absent("read on 2 machines") })
        #expect(result.compliance.filter { $0.metric == .latencyP95 }.allSatisfy { !$0.gates })
        let text = RunDocument(result).markdown
        #expect(text.contains("Latency by machine") && text.contains("| slow |"))
        #expect(!RunDocument(result).markdown.contains("mix machines"))
    }

    // MARK: Sets that are no run

    /// Changes the lines of a part's readings.
    private func change(_ folder: String, _ name: String = "samples.jsonl", _ lines: (inout [String]) -> Void) throws {
        let path = "\(folder)/\(name)"
        var text = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        lines(&text)
        try (text.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static let kinds = 14

    /// Sets with one thing wrong, each refused in one line that names the folder or the part.
    @Test func mutatedSetsAreRefusedByName() throws {
        let run = try PartedRun(samples: 60, repetitions: 1)
        let count = 5
        let original = try Part.all(of: count).map { try run.read($0) }
        var other = run
        other.configuration.warmUpReadings = 9
        let foreign = try Part.all(of: count).map { try other.read($0, as: "foreign \($0.number)") }
        var random = SplitMix64(state: 20)
        var refused = 0
        for round in 0..<8 * Self.kinds {
            let work = run.folder("mutation \(round)")
            try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
            var folders: [String] = []
            for (number, folder) in original.enumerated() {
                folders.append("\(work)/part-\(number + 1)")
                try FileManager.default.copyItem(atPath: folder, toPath: folders[number])
            }
            let victim = random.below(count)
            let folder = folders[victim]
            let (samples, configuration) = ("\(folder)/samples.jsonl", "\(folder)/config.json")
            var name = folder
            switch round % Self.kinds {
            case 0:
                folders.remove(at: victim)
                name = "part \(victim + 1)/\(count)"
            case 1: try change(folder, "events.jsonl") { $0.removeLast() }
            case 2:
                let data = try Data(contentsOf: URL(filePath: samples))
                try data.prefix(random.below(data.count - 1)).write(to: URL(filePath: samples))
            case 3: try change(folder) { $0[random.below($0.count)].removeFirst() }
            case 4:
                let file = ["samples.jsonl", "config.json", "events.jsonl"][random.below(3)]
                try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
            case 5, 6:
                let text = try String(contentsOfFile: configuration, encoding: .utf8)
                let number = text.firstMatch(of: /"part" : \[\s*\d+/)
                let found = try #require(number)
                let next = round % Self.kinds == 5 ? "\((victim + 1) % count + 1)" : "0"
                try text.replacing(found.output, with: "\"part\" : [ \(next)")
                    .write(toFile: configuration, atomically: true, encoding: .utf8)
                // Two are of one part then: which of them is wrong is unknown.
                name = "/\(work.split(separator: "/").last ?? "")/"
            case 7:
                try FileManager.default.removeItem(atPath: folder)
                try FileManager.default.copyItem(atPath: foreign[victim], toPath: folder)
            case 8: try change(folder) { $0.remove(at: random.below($0.count)) }
            case 9:
                let stranger = try String(
                    contentsOfFile: "\(original[(victim + 1) % count])/samples.jsonl",
                    encoding: .utf8
                )
                try change(folder) { $0.append(String(stranger.split(separator: "\n")[0])) }
            case 10: try change(folder) { $0[0] = $0[0].replacing("\"id\":\"s", with: "\"id\":\"x") }
            case 11:
                try change(folder, "events.jsonl") { lines in
                    lines = lines.map { $0.replacing("\"engine\":\"1\"", with: "\"engine\":\"2\"") }
                }
                // The first one names the engine that the others had not.
                name = "had loaded another engine"
            case 12:
                let text = try String(contentsOfFile: configuration, encoding: .utf8)
                try text.replacing("sha256:", with: "sha256:1").write(
                    toFile: configuration,
                    atomically: true,
                    encoding: .utf8
                )
            default:
                let twin = "\(work)/twin"
                try FileManager.default.copyItem(atPath: folder, toPath: twin)
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
        #expect(refused == 8 * Self.kinds)
    }
}
