import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench run` on a disk that cannot be written.
@Suite(.inTurns, .needsProgram, .serialized)
struct RunDiskTests {
    private func withDataset(_ count: Int, _ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let lines = (0..<count).map { TestLabel.line("s\($0)", title: TextFixture.text) }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try body(folder)
        }
    }

    /// Runs the program where no file may have more than `kilobytes`.
    ///
    /// It sees the same as on a full disk, but for the reason's words.
    private func limited(_ kilobytes: Int, _ arguments: [String]) throws -> (code: Int32, errors: String) {
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/bash")
        let command = "ulimit -f \(kilobytes); exec \"$0\" \"$@\""
        process.arguments = ["-c", command, try #require(Program.path)] + Program.patient(arguments)
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = errors
        try process.run()
        let data = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test("a full disk ends the run with 4 and a clear line, and loses no record")
    func fullDisk() throws {
        try withDataset(10) { folder in
            let arguments = ["run", "--dataset", folder("set"), "--out", folder("run"), "--variants", "tesseract"]
            let outcome = try limited(16, arguments + ["--warmup", "0", "--repetitions", "4"])
            #expect(outcome.code == 4, "\(outcome.errors)")
            #expect(outcome.errors.contains("cannot write \(folder("run"))/samples.jsonl: File too large"))
            #expect(outcome.errors.contains("spinebench run --resume \(folder("run"))"))
            let text = try folder.text(of: "run/samples.jsonl")
            #expect(text.hasSuffix("}\n"))
            let before = try folder.lines(of: "run/samples.jsonl")
            #expect(before.count > 5 && before.count < 40)

            let resumed = try Program.run("run", "--resume", folder("run"))
            #expect(resumed.code == 3 || resumed.code == 0)
            let lines = try folder.lines(of: "run/samples.jsonl")
            #expect(lines.count == 40 && Array(lines.prefix(before.count)) == before)
        }
    }

    @Test("reports that do not fit are named, and the others are written")
    func fullDiskForReports() throws {
        try withDataset(2) { folder in
            let run = try Program.run(
                "run",
                "--dataset",
                folder("set"),
                "--out",
                folder("run"),
                "--variants",
                "tesseract"
            )
            #expect(run.code == 3 || run.code == 0)
            let kept = ["report.csv", "report.md", "samples.csv"]
            for name in kept { try FileManager.default.removeItem(atPath: folder("run/\(name)")) }
            // report.html has more than 100,000 bytes, report.json more than 40,000.
            let outcome = try limited(30, ["report", folder("run")])
            #expect(outcome.code == 4, "\(outcome.errors)")
            let both = "cannot write \(folder("run"))/report.html, \(folder("run"))/report.json: file too large"
            #expect(outcome.errors.contains(both), "\(outcome.errors)")
            #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: folder("run/\($0)")) })
        }
    }

    @Test("a folder that cannot be made is named, before anything is read")
    func unwritableFolder() throws {
        try withDataset(1) { folder in
            let path = folder("set/a.png") + "/run"
            let outcome = try Program.run(
                "run",
                "--dataset",
                folder("set"),
                "--out",
                path,
                "--variants",
                "tesseract"
            )
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("\(path): cannot be made"))
        }
    }
}
