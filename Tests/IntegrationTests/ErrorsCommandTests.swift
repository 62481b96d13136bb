import Foundation
import TestSupport
import Testing

/// `spinebench errors` of a stored run, and its scores after `dataset fix`.
@Suite(.inTurns, .needsProgram, .serialized)
struct ErrorsCommandTests {
    @Test("a wrong label is found, corrected, and the run is scored with it")
    func fixesALabel() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let labels = ["s0", "s1"].map { TestLabel.line($0, title: $0 == "s1" ? "Quite Another" : TextFixture.text) }
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let run = try Program.run(
                [
                    "run", "--dataset", folder("set"), "--out", folder("run"), "--repetitions", "1", "--system",
                    "mine=each:echo '\(TextFixture.text)'",
                ]
            )
            #expect([0, 1, 3].contains(run.code), "\(run.errors)")
            let errors = try Program.run("errors", folder("run"))
            #expect(errors.code == 0, "\(errors.errors)")
            #expect(errors.output.contains("| all lost words | 2 |"))

            let fixed = try Program.run("dataset", "fix", folder("set"), "s1", "--title", TextFixture.text)
            #expect(fixed.code == 0, "\(fixed.errors)")
            let report = try Program.run("report", folder("run"))
            #expect(report.code == 0, "\(report.errors)")
            let text = try folder.text(of: "run/report.md")
            #expect(text.contains("the labels of 1 sample were corrected after the run, which read `sha256:"))
            #expect(text.contains("2 of 2 (100.0 %)"))
            let mended = try Program.run("errors", folder("run"))
            #expect(mended.output.contains("| all lost words | 0 |"))
        }
    }

    @Test("wrong arguments are usage errors")
    func wrongArguments() throws {
        try Folder.with { folder in
            let calls: [([String], String)] = [
                (["errors", folder("none")], "contains no run"), (["errors", folder("none"), "--top", "0"], "--top 0"),
                (["dataset", "fix", folder.path, "a"], "Specify the new label"),
                (["dataset", "fix", folder.path, "a", "--title", "T"], "samples.jsonl"),
            ]
            for (arguments, problem) in calls {
                let call = try Program.run(arguments)
                #expect(call.code == 2 && call.errors.contains(problem), "\(call.errors)")
            }
        }
    }
}
