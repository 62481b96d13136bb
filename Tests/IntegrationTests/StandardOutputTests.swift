import Basics
import Foundation
import TestSupport
import Testing

/// Behaviour of every command when its output has no reader.
@Suite(.inTurns, .needsProgram, .serialized)
struct StandardOutputTests {
    /// A command of `--experimental-dump-help`.
    private struct Command: Decodable {
        var commandName: String
        var shouldDisplay: Bool?
        var subcommands: [Command]?

        /// Returns every command without subcommands below this one, by its path of names.
        func leaves(_ path: [String] = []) -> [[String]] {
            guard let subcommands, !subcommands.isEmpty else { return [path] }
            return subcommands.filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
                .flatMap { $0.leaves(path + [$0.commandName]) }
        }
    }

    /// Returns one call of every command, in an order in which each finds its input.
    private static func calls(_ folder: Folder) -> [[String]] {
        let (set, picture, log) = (folder("set"), folder("set/a.png"), DeviceFixture.log)
        let session = ["simulate", "--device", "iPhone 12", "--latency", "25,60", "--minutes", "0.2"]
        let readings = ["--warmup", "0", "--repetitions", "1"]
        return [
            ["--version"], ["--help"], ["read", "--help"], ["engines"],
            ["suites"], ["suites", "smoke"], ["suites", "--settings"],
            ["devices", "show"], ["devices", "show", "iPhone 12"], ["devices", "show", "--json"],
            ["devices", "check", DeviceFixture.profile],
            ["devices", "import-trace", log, "--device", "iPhone 15 Pro", "--out", folder("mine/p.json")],
            session, session + ["--json"], session + ["--sessions", "2"],
            ["dataset", "validate", set], ["dataset", "stats", set], ["dataset", "stats", "--json", set],
            ["dataset", "digest", set], ["dataset", "view", set, "--out", folder("view.html")],
            ["dataset", "export", set, "--format", "coco", "--out", folder("coco")],
            ["dataset", "split", set, "--out", folder("split")],
            ["dataset", "split", set, "--tar", "2", "--out", folder("tars")], ["dataset", "index", folder("foreign")],
            ["dataset", "merge", set, set, "--out", folder("merged")],
            ["dataset", "import", folder("coco"), "--out", folder("imported")],
            ["dataset", "synth", "--out", folder("synth"), "--count", "1"],
            ["catalogue", "build", folder("books.csv"), "--out", folder("books.sqlite")],
            ["catalogue", "info", folder("books.sqlite")], ["catalogue", "info", "--json", folder("books.sqlite")],
            ["catalogue", "search", folder("books.sqlite"), "winter"], ["match", "winter harbour"],
            ["match", "--json", "winter harbour"],
            ["read", picture, "--variant", "tesseract"], ["read", "--json", picture, "--variant", "tesseract"],
            ["shelf", picture], ["shelf", "--json", picture],
            ["find", picture, "--library", folder("l.sqlite")], ["find", "--json", "--label", "winter", "--forget"],
            ["open", "spinebench://shelf/author/jane%20austen"],
            ["scan", picture, "--library", folder("l.sqlite")],
            ["scan", "--json", picture, "--library", folder("l.sqlite")],
            ["library", "list", "--library", folder("l.sqlite")],
            ["library", "export", "--library", folder("l.sqlite")],
            ["library", "export", "--format", "json", "--library", folder("l.sqlite")],
            ["model", "--budget", "list"],
            ["run", "--dataset", set, "--out", folder("run"), "--variants", "tesseract", "--devices", "none"]
                + readings,
            ["run", "--dataset", set, "--shard", "1/1", "--out", folder("shard"), "--variants", "tesseract"] + readings,
            ["merge", folder("shard"), "--out", folder("whole")],
            ["report", folder("run")], ["slice", folder("run")], ["watch", "--plain", folder("run")],
            ["init", folder("repository"), "--ci", "none"],
            ["baseline", "update", folder("run"), "--name", "t", "--folder", folder("base")],
            ["gate", folder("run"), "--baseline", "none"],
            ["compare", folder("run"), folder("run"), "--out", folder("compared")],
        ] + sessions(folder("sessions.sqlite"), picture)
    }

    /// Calls about captures, the last of which leaves nothing.
    private static func sessions(_ store: String, _ picture: String) -> [[String]] {
        let calls = [
            ["capture", picture, "--codes-only"], ["capture", picture, "--codes-only", "--json"],
            ["sessions", "list"], ["sessions", "list", "--json"], ["sessions", "show", "latest"],
            ["sessions", "show", "latest", "--json"], ["sessions", "day"],
            ["sessions", "search", "winter"], ["sessions", "retry", "latest"],
            ["sessions", "export", "latest", "--output", store + ".export"],
            ["sessions", "rename", "latest", "A title"], ["sessions", "duplicate", "latest"],
            ["sessions", "reprocess", "latest", "--codes-only"], ["sessions", "concept", "winter", "--weight", "2"],
            ["sessions", "concept"], ["sessions", "concept", "winter", "--forget"],
            ["sessions", "consolidate", "--dry-run"], ["sessions", "archive", "latest"],
            ["sessions", "unarchive", "latest"],
            ["sessions", "delete", "latest"],
        ]
        return calls.map { $0 + ["--store", store] }
    }

    private func withInputs(_ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let labels = ["a", "b", "c"].map { TestLabel.line($0, changes: ["group": "\"\($0)\""]) }
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let archive = URL(filePath: #filePath).appending(
                path: "../../SpineDatasetsTests/Fixtures/shards/webdataset.tar"
            )
            try folder.write([UInt8](Data(contentsOf: archive.standardized)), to: "foreign/webdataset.tar")
            try folder.write("title,author\nWinter Harbour,Ida Bloom\n", to: "books.csv")
            try folder.write("ref: refs/heads/main\n", to: "repository/.git/HEAD")
            try body(folder)
        }
    }

    @Test(
        "every command ends with an error and a sentence when standard output cannot be written",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full")
    )
    func full() throws {
        try withInputs { folder in
            for call in Self.calls(folder) {
                let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
                let outcome = try Program.run(call, to: output)
                #expect(outcome.code != 0, "\(call): \(outcome.errors)")
                #expect(
                    outcome.errors.contains("standard output cannot be written: No space left on device"),
                    "\(call): \(outcome.errors)"
                )
            }
        }
    }

    @Test("the table of commands has every command")
    func allCommands() throws {
        struct Description: Decodable { var command: Command }
        let dump = try Program.run("--experimental-dump-help")
        let leaves = try JSONDecoder().decode(Description.self, from: Data(dump.output.utf8)).command.leaves()
        #expect(leaves.count > 10)
        try withInputs { folder in
            let calls = Self.calls(folder)
            for leaf in leaves {
                // Commands of the queue need one that a back end has refused.
                if leaf == ["library", "retry"] || leaf == ["library", "forget"] { continue }
                // Needs two sessions; print nothing when nothing left the device; serves until it is ended.
                if [["sessions", "merge"], ["sessions", "egress"], ["studio"]].contains(leaf) {
                    continue
                }
                #expect(calls.contains { $0.starts(with: leaf) }, "\(leaf) is not in the table")
            }
        }
    }

    @Test("a reader that goes away ends a command quietly, with the code of SIGPIPE")
    func closedPipe() throws {
        for call in [["suites", "--settings"], ["devices"], ["--help"], ["engines"]] {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let outcome = try Program.run(call, to: pipe.fileHandleForWriting)
            #expect(outcome.code == 128 + SIGPIPE, "\(call)")
            #expect(!outcome.errors.contains("standard output"), "\(outcome.errors)")
        }
    }

    @Test("the back end says its version and its help, or that it cannot")
    func backEnd() throws {
        let version = try Program.run(program: "talaria", ["--version"])
        #expect(version.code == 0 && version.output == "talaria 0.1.0\n")
        let portFile = DeviceFixture.log
        let same = try Program.run(program: "talaria", ["--faults", portFile, "--port-file", portFile])
        #expect(same.code == 2 && same.errors.contains("is also an input file"), "\(same.errors)")
        let twice = try Program.run(program: "talaria", ["--port", "x", "--port", "y"])
        #expect(twice.code == 2 && twice.errors.contains("--port is given twice"), "\(twice.errors)")
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        for call in ["--version", "--help"] {
            let output = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let outcome = try Program.run(program: "talaria", [call], to: output)
            #expect(outcome.code == 4 && outcome.errors.contains("standard output cannot be written"), "\(call)")
        }
    }
}
