import Foundation
import TestSupport
import Testing

/// `spinebench run --shard` and `spinebench merge`, as an engine starts them.
@Suite(.inTurns, .needsProgram, .serialized)
struct ShardCommandTests {
    private static let set = URL(filePath: #filePath).appending(path: "../../../Datasets/spines-1").standardizedFileURL
        .path

    private let arguments = [
        "run", "--dataset", set, "--variants", "tesseract", "--limit", "24", "--repetitions", "4", "--warmup", "1",
    ]

    private func bytes(_ folder: Folder, _ names: [String]) throws -> [Data] {
        try names.map { try Data(contentsOf: URL(filePath: folder($0))) }
    }

    @Test("three shards, of which one is killed and begun again, merge to the bytes of one piece")
    func killedAndResumed() throws {
        try Folder.with { folder in
            let whole = try Program.run(arguments + ["--devices", "none", "--out", folder("one")])
            #expect(whole.code == 0 || whole.code == 1 || whole.code == 3, "\(whole.errors)")
            for shard in [1, 3] {
                let outcome = try Program.run(arguments + ["--shard", "\(shard)/3", "--out", folder("\(shard)")])
                #expect(outcome.code == 0, "\(outcome.errors)")
            }
            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.path))
            process.arguments = Program.patient(arguments + ["--shard", "2/3", "--out", folder("2")])
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            let readings = folder("2.part/samples.jsonl")
            while process.isRunning, (try? folder.lines(of: "2.part/samples.jsonl").count) ?? 0 < 3 { usleep(5_000) }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal)
            let before = try String(contentsOfFile: readings, encoding: .utf8)
            #expect(!before.isEmpty && !folder.contains("2/shard.json"))
            let unfinished = try Program.run("merge", folder("1"), folder("2.part"), folder("3"), "--out", folder("no"))
            #expect(
                unfinished.code == 2 && unfinished.errors.contains("\(folder("2.part")): shard 2/3 was not finished")
            )
            let again = try Program.run("run", "--resume", folder("2.part"))
            #expect(again.code == 2 && again.errors.contains("is a shard"), "\(again.errors)")

            let resumed = try Program.run(arguments + ["--shard", "2/3", "--out", folder("2")])
            #expect(resumed.code == 0 && !folder.contains("2.part"), "\(resumed.errors)")
            #expect(try folder.text(of: "2/samples.jsonl").hasPrefix(String(before.prefix { $0 != "\n" })))
            let finished = try Program.run(arguments + ["--shard", "2/3", "--out", folder("2")])
            #expect(finished.code == 0 && finished.output.contains("nothing to do"), "\(finished.errors)")
            let other = try Program.run(arguments + ["--shard", "1/3", "--out", folder("2")])
            #expect(other.code == 2 && other.errors.contains("it is shard 2/3, and not 1/3"), "\(other.errors)")

            let missing = try Program.run("merge", folder("1"), folder("3"), "--out", folder("no"))
            #expect(
                missing.code == 2 && missing.errors.contains("shard 2/3 is missing") && !folder.contains("no/report.md")
            )
            let merged = try Program.run("merge", folder("3"), folder("1"), folder("2"), "--out", folder("merged"))
            #expect(merged.code == 0, "\(merged.errors)")
            let names = ["accuracy.json", "accuracy.csv"]
            #expect(try bytes(folder, names.map { "merged/\($0)" }) == bytes(folder, names.map { "one/\($0)" }))
            #expect(try folder.text(of: "merged/config.json").contains("\"number\" : 2"))
            #expect(!folder.contains("merged.part"))
            let occupied = try Program.run("merge", folder("1"), folder("2"), folder("3"), "--out", folder("merged"))
            #expect(occupied.code == 2 && occupied.errors.contains("is not empty"), "\(occupied.errors)")
            let resume = try Program.run("run", "--resume", folder("merged"))
            #expect(resume.code == 2 && resume.errors.contains("is a merged run"), "\(resume.errors)")

            try mergedIsARun(folder)
        }
    }

    /// Every command reads the merged run as it reads the run in one piece.
    private func mergedIsARun(_ folder: Folder) throws {
        func both(_ arguments: (String) -> [String]) throws -> [Program.Outcome] {
            try ["one", "merged"].map { try Program.run(arguments(folder($0))) }
        }
        let gates = try both { ["gate", $0, "--baseline", "none"] }
        #expect(gates[0].code == gates[1].code, "\(gates[1].errors)")
        let reports = try both { ["report", $0] }
        #expect(reports[0].code == 0 && reports[1].code == 0, "\(reports[1].errors)")
        let comparison = try Program.run("compare", folder("one"), folder("merged"))
        #expect(comparison.code == 0, "\(comparison.output)\(comparison.errors)")
        let watched = try both { ["watch", $0, "--plain"] }
        #expect(watched[0].code == watched[1].code, "\(watched[1].errors)")
        // Sections of the report that do not depend on machines and times.
        let sections = try ["one", "merged"].map { name in
            try folder.text(of: "\(name)/report.md").components(separatedBy: "\n## ").filter { section in
                ["Confidence", "Failures", "Metric self-tests"].contains { section.hasPrefix($0) }
            }
        }
        #expect(sections[0] == sections[1] && sections[0].count >= 2)
        #expect(try folder.text(of: "merged/report.md").contains("## Shards") && folder.contains("merged/report.html"))
        #expect(try samples(folder, "one") == samples(folder, "merged"))
    }

    /// Which readings there are, in their order, and the text of each.
    private func samples(_ folder: Folder, _ name: String) throws -> [[String]] {
        try folder.lines(of: "\(name)/samples.jsonl").map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let lines = (value?["prediction"] as? [String: Any])?["lines"] as? [[String: Any]] ?? []
            return [value?["id"] as? String ?? "", "\(value?["repetition"] ?? "")"]
                + lines.map { $0["text"] as? String ?? "" }
        }
    }

    @Test("a scenario that is of one machine is not divided, and an engine without a count is refused")
    func refusals() throws {
        try Folder.with { folder in
            let cold = try Program.run(
                arguments + ["--shard", "1/2", "--out", folder("s"), "--scenario", "cold:readings=10"]
            )
            #expect(cold.code == 2 && cold.errors.contains("cannot be divided into shards"), "\(cold.errors)")
            let auto = try Program.run(arguments + ["--shard", "auto", "--out", folder("s")])
            #expect(auto.code == 2 && auto.errors.contains("no engine names a task"), "\(auto.errors)")
            #expect(!folder.contains("s.part"))
        }
    }

    @Test(
        "a folder may be named with a slash; a file, no name and a disk without room are told before anything is read"
    )
    func folders() throws {
        try Folder.with { folder in
            let short = [
                "run", "--dataset", Self.set, "--variants", "tesseract", "--limit", "2", "--repetitions", "1",
                "--shard", "1/1",
            ]
            let slash = try Program.run(short + ["--out", folder("s") + "/"])
            #expect(slash.code == 0 && folder.contains("s/shard.json"), "\(slash.errors)")
            #expect(try Program.run(short + ["--out", folder("s") + "//"]).output.contains("nothing to do"))
            try folder.write("mine", to: "file")
            for name in [folder("file"), "", ".", folder("") + "/.."] {
                let refused = try Program.run(short + ["--out", name])
                #expect(refused.code == 2 && refused.errors.contains("--out"), "\(name): \(refused.errors)")
            }
            #expect(try folder.text(of: "file") == "mine" && !folder.contains("file.part"))
            // An empty record, possibly left by a crash of the machine, is made again.
            try FileManager.default.moveItem(atPath: folder("s"), toPath: folder("t.part"))
            try folder.write("", to: "t.part/shard.json")
            let again = try Program.run(short + ["--out", folder("t")])
            #expect(again.code == 0 && folder.contains("t/shard.json"), "\(again.errors)")
        }
    }
}
