import Foundation
import TestSupport
import Testing

/// `spinebench` on a dataset in tar shards, against the same dataset in files.
@Suite(.inTurns, .needsProgram, .serialized)
struct TarShardCommandTests {
    /// Returns a dataset of four samples on as many pictures, two of one group, and the same in shards of two
    /// pictures.
    private func withDatasets(_ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            let lines = try (0..<4).map { index in
                try folder.write(index == 3 ? TestPicture.tiny() : TestPicture.line(), to: "set/images/\(index).png")
                let group = ["group": index.isMultiple(of: 3) ? "\"g\"" : "\"g\(index)\""]
                return TestLabel.line("s\(index)", image: "images/\(index).png", changes: group)
            }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try folder.write("{\"name\": \"set\"}\n", to: "set/dataset.json")
            let outcome = try Program.run("dataset", "split", folder("set"), "--out", folder("tar"), "--tar", "2")
            #expect(outcome.code == 0 && outcome.errors.contains("in 2 shards in"), "\(outcome.errors)")
            try body(folder)
        }
    }

    @Test("validate, stats and digest say the same of both")
    func same() throws {
        try withDatasets { folder in
            for command in ["validate", "stats", "digest"] {
                let (files, shards) = (
                    try Program.run("dataset", command, folder("set")),
                    try Program.run("dataset", command, folder("tar"))
                )
                #expect(
                    files.code == 0 && files.output == shards.output,
                    "\(command): \(shards.output)\(shards.errors)"
                )
            }
        }
    }

    @Test("a run reads the same on both, one by one and in a stream")
    func run() throws {
        try withDatasets { folder in
            for (set, run) in [("set", "run-set"), ("tar", "run-tar")] {
                let outcome = try Program.run(
                    "run",
                    "--dataset",
                    folder(set),
                    "--out",
                    folder(run),
                    "--variants",
                    "tesseract",
                    "--warmup",
                    "1",
                    "--scenario",
                    "single",
                    "--scenario",
                    "offline:lanes=1,seconds=1"
                )
                // This number of readings is too small for a decision.
                #expect(outcome.code == 3, "\(outcome.errors)")
            }
            #expect(
                try figures(folder.text(of: "run-set/report.json")) == figures(folder.text(of: "run-tar/report.json"))
            )
            let texts = try ["run-set", "run-tar"].map { run in
                try folder.lines(of: "\(run)/samples.csv").filter { $0.contains("single") || $0.contains("tesseract,") }
                    .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
                    // All but the milliseconds.
                    .map { $0.enumerated().filter { $0.offset != 8 }.map(\.element) }
            }
            #expect(texts[0].count >= 4 && texts[0] == texts[1])
            let page = try ["run-set", "run-tar"].map {
                try folder.text(of: "\($0)/report.html").contains("cannot be read")
            }
            #expect(page == [false, false])
        }
    }

    /// Returns the content of `report.json` about the data and the readings, without times, memory and places.
    private func figures(_ text: String) throws -> NSDictionary {
        let report = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let measurements = try #require(report["measurements"] as? [[String: Any]])
        let single = try #require(measurements.first { ($0["id"] as? String)?.contains("offline") == false })
        let configuration = try #require(report["configuration"] as? [String: Any])
        let datasets = try #require(configuration["datasets"] as? [[String: Any]])
        let categories = try #require(single["categories"] as? [[String: Any]])
        return [
            "outcomes": single["outcomes"] ?? "", "accuracy": single["accuracy"] ?? "",
            "categories": categories.map { $0.filter { $0.key != "latency" } },
            "datasets": datasets.map { $0.filter { $0.key != "path" } },
        ]
    }

    @Test("a damaged shard is refused with its byte, and exit code 2")
    func damaged() throws {
        try withDatasets { folder in
            let shard = folder("tar/set-000001.tar")
            let bytes = try Data(contentsOf: URL(filePath: shard))
            try bytes.prefix(1_000).write(to: URL(filePath: shard))
            for arguments in [["dataset", "validate", folder("tar")], ["run", "--dataset", folder("tar")]] {
                let outcome = try Program.run(arguments)
                #expect(outcome.code == 2 && outcome.errors.contains("set-000001.tar: byte "), "\(outcome.errors)")
            }
        }
    }

    @Test("--tar takes numbers and sizes, and no shares", arguments: ["0", "5XB", "MB", "-3", "99999999999GB"])
    func wrongSize(_ size: String) throws {
        let outcome = try Program.run("dataset", "split", "x", "--out", "y", "--tar=\(size)")
        #expect(outcome.code == 2 && outcome.errors.contains("--tar"))
        let both = try Program.run("dataset", "split", "x", "--out", "y", "--tar", "2", "--shares", "a=1")
        #expect(both.code == 2 && both.errors.contains("write the --shares first"))
    }
}
