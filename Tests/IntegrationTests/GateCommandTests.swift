import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench gate`, `baseline update` and `compare` of stored runs, from end to end.
@Suite(.inTurns, .needsProgram, .serialized)
struct GateCommandTests {
    private func run(_ folder: Folder, _ name: String) throws {
        let outcome = try Program.run(
            "run",
            "--dataset",
            folder("set"),
            "--out",
            folder(name),
            "--variants",
            "tesseract",
            "--warmup",
            "1",
            "--repetitions",
            "1",
            "--gate",
            "tesseract"
        )
        #expect([0, 1, 3].contains(outcome.code), "\(outcome.errors)")
    }

    @Test("a run is judged by a baseline of the same dataset alone")
    func baseline() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let labels = (0..<12).map { TestLabel.line("s\($0)") }.joined(separator: "\n") + "\n"
            try folder.write(labels, to: "set/samples.jsonl")
            try run(folder, "one")
            try run(folder, "two")

            let missing = try Program.run("gate", folder("two"), "--baseline", folder("base/t.json"))
            #expect(missing.code == 2 && missing.errors.contains("spinebench baseline update"))

            let update = ["baseline", "update", folder("one"), "--name", "t", "--folder", folder("base")]
            #expect(try Program.run(update + ["--dry-run"]).output.contains("Nothing was written"))
            #expect(!folder.contains("base/t.json"))
            #expect(try Program.run(update).output.contains("# Baseline t: new"))

            let gate = ["gate", folder("two"), "--baseline", folder("base/t.json"), "--targets", "none"]
            let passed = try Program.run(gate + ["--junit", folder("junit.xml")])
            #expect(passed.code == 0, "\(passed.output)\(passed.errors)")
            #expect(passed.output.contains("from one run, without a noise estimate"))
            #expect(try folder.text(of: "junit.xml").contains("failures=\"0\""))

            // The second run is changed as if it had read nothing.
            // Without the scores of its records, its texts are scored when it is opened.
            let records = try folder.text(of: "two/samples.jsonl").replacing(TextFixture.text, with: "?")
                .replacing(/"score":/, with: "\"earlier\":")
            try folder.write(records, to: "two/samples.jsonl")
            let failed = try Program.run(gate)
            #expect(failed.code == 1, "\(failed.output)\(failed.errors)")
            #expect(failed.output.contains("12 lost, 0 gained"))
            let stored = try Program.run("compare", folder("one"), folder("two"), "--out", folder("compared"))
            #expect(stored.code == 1 && stored.output.contains("title read"))

            try folder.write(labels + TestLabel.line("more") + "\n", to: "set/samples.jsonl")
            let other = try Program.run(gate)
            #expect(other.code == 2 && other.errors.contains("has the digest"))
        }
    }
}
