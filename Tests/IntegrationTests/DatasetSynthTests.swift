import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench dataset synth`.
@Suite(.inTurns, .needsProgram)
struct DatasetSynthTests {
    /// Small pictures, two at a time.
    private static let small = ["--width", "30...34", "--seed", "3", "--name", "set", "--jobs", "2"]

    private func synth(_ folder: Folder, _ name: String, _ arguments: String...) throws -> Program.Outcome {
        try Program.run(["dataset", "synth", "--out", folder(name)] + arguments)
    }

    @Test("a drawn dataset is a good one, and a folder with something in it is left alone")
    func drawn() throws {
        try Folder.with { folder in
            let drawn = try Program.run(["dataset", "synth", "--out", folder("set"), "--count", "1"] + Self.small)
            #expect(drawn.code == 0)
            #expect(drawn.lines.first == "set 1.0.0: 1 spine (1 vertical), 1 legible")
            let checked = try Program.run("dataset", "validate", folder("set"))
            #expect(checked.code == 0)
            let digest = try #require(checked.lines.last)
            #expect(drawn.lines.last == digest)
            #expect(try folder.text(of: "set/dataset.json").contains(digest))
            #expect(try folder.text(of: "set/CARD.md").contains("--out set --seed 3 --count 1 --width 30...34"))
            let again = try synth(folder, "set", "--count", "1")
            #expect(again.code == 2)
            #expect(again.errors.contains("\(folder("set")) is not empty"))
            let resumed = try synth(folder, "set", "--resume")
            #expect(resumed.code == 0)
            #expect(resumed.errors.contains("is complete: nothing left to draw"))
        }
    }

    @Test("what was killed while it drew says so, and is completed to the same bytes")
    func killed() throws {
        try Folder.with { folder in
            let arguments = ["--count", "6"] + Self.small
            #expect(try Program.run(["dataset", "synth", "--out", folder("whole")] + arguments).code == 0)

            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.path))
            process.arguments = ["dataset", "synth", "--out", folder("cut")] + arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Until the first label is on disk.
            while process.isRunning, (try? folder.lines(of: "cut/samples.jsonl"))?.isEmpty ?? true { usleep(2_000) }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal)

            let checked = try Program.run("dataset", "validate", folder("cut"))
            #expect(checked.code == 2)
            #expect(checked.errors.contains("the dataset is unfinished"))
            let other = try synth(folder, "cut", "--resume", "--seed", "4", "--count", "7")
            #expect(other.code == 2)
            #expect(other.errors.contains("was begun with other options: seed 4, not 3; count 7, not 6."))
            let resumed = try synth(folder, "cut", "--resume", "--jobs", "1")
            #expect(resumed.code == 0, "\(resumed.errors)")
            #expect(resumed.errors.contains("of 6 already done"))
            let (cut, whole) = (try bytes(of: folder("cut")), try bytes(of: folder("whole")))
            #expect(cut.keys.sorted() == whole.keys.sorted())
            for (file, data) in whole { #expect(cut[file] == data, "\(file)") }
        }
    }

    @Test("a signal ends it with what was begun done, and says how to go on", arguments: [SIGINT, SIGTERM])
    func signalled(_ signal: Int32) throws {
        try Folder.with { folder in
            let process = Process()
            process.executableURL = URL(filePath: try #require(Program.path))
            process.arguments = ["dataset", "synth", "--out", folder("set"), "--count", "500"] + Self.small
            let errors = folder("errors.txt")
            _ = FileManager.default.createFile(atPath: errors, contents: nil)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
            try process.run()
            while process.isRunning, (try? folder.lines(of: "set/samples.jsonl"))?.isEmpty ?? true { usleep(2_000) }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 128 + signal)
            let said = try folder.text(of: "errors.txt")
            #expect(said.contains("Continue with: spinebench dataset synth --resume --out \(folder("set"))"))
            let labels = try folder.lines(of: "set/samples.jsonl")
            #expect(labels.count < 500)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder("set/images")).count == labels.count)
        }
    }

    @Test(
        "wrong arguments end with 2 and a reason, and nothing is made",
        arguments: [
            (["--count", "0"], "0 spines and 0 shelves"),
            (["--count=-3"], "-3 spines; expected 0 to 100000"),
            (["--categories", "vertical=many"], "“vertical=many” has no whole number for its share"),
            (["--categories", "diagonal=1"], "unknown category “diagonal”"),
            (["--categories", "mixed=1,mixed=2"], "duplicate mixed"),
            (["--width", "300...30"], "the range is reversed"),
            (["--width", "broad"], "expected two whole numbers separated by three dots"),
            (["--width", "5...30"], "widths are 5...30; expected a range within 20...600"),
            (["--shelves", "1", "--books-per-shelf", "0...190"], "books on a shelf are 0...190"),
            (["--jobs", "0"], "invalid --jobs 0: expected 1 to 256"),
            (["--titles", "/nowhere/at/all"], "/nowhere/at/all: cannot be read: it does not exist"),
            (["--resume"], "nothing to resume"),
        ]
    )
    func wrong(_ arguments: [String], _ reason: String) throws {
        try Folder.with { folder in
            let outcome = try Program.run(["dataset", "synth", "--out", folder("set")] + arguments)
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(!folder.contains("set"))
        }
    }

    @Test(
        "a list of titles that does not fit is told with file and line",
        arguments: [
            ("", ": no books"), ("Emma\n\tJane Austen\n", ":2: no title in the first column"),
            ("Emma\tJane Austen\tklingon\n", ":1: the language “klingon” is not one of"),
            // Cuneiform, which no font for spines has.
            ("\u{1202D}\n", ": no installed font can write “\u{1202D}”"),
        ]
    )
    func wrongTitles(_ list: String, _ reason: String) throws {
        try Folder.with { folder in
            try folder.write(list, to: "titles.txt")
            let outcome = try synth(folder, "set", "--titles", folder("titles.txt"))
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains(folder("titles.txt") + reason), "\(outcome.errors)")
            #expect(!folder.contains("set"))
        }
    }

    @Test("shelves stand alone when no count is given")
    func shelves() throws {
        try Folder.with { folder in
            let drawn = try synth(folder, "set", "--shelves", "1", "--books-per-shelf", "2")
            #expect(drawn.code == 0, "\(drawn.errors)")
            #expect(drawn.lines.first == "set 1.0.0: 1 shelf with 2 spines")
            #expect(!folder.contains("set/samples.jsonl"))
            #expect(try Program.run("dataset", "validate", folder("set")).code == 0)
        }
    }

    private func bytes(of path: String) throws -> [String: Data] {
        let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return Dictionary(
            uniqueKeysWithValues: files.compactMap { file in
                FileManager.default.contents(atPath: "\(path)/\(file)").map { (file, $0) }
            }
        )
    }
}
