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

            // A baseline of a version that took memory by another definition.
            let earlier = try folder.text(of: "base/t.json").replacing(
                "\"peakFootprintBytes\":",
                with: "\"peakBytes\":"
            )
            .replacing(/"peakResidentBytes":[0-9.]+,/, with: "")
            try folder.write(earlier, to: "earlier.json")
            let old = try Program.run(
                "gate",
                folder("two"),
                "--baseline",
                folder("earlier.json"),
                "--targets",
                "none"
            )
            #expect(old.code == 0, "\(old.output)\(old.errors)")
            let why = old.output.replacing(#/\s+/#, with: " ")
            #expect(
                why.contains(
                    "memory does not gate: of the baseline t, its memory was taken by another definition, of versions until "
                        + "28 November 2026: measure it again, spinebench baseline update RUN RUN RUN --name t."
                ),
                "\(old.output)"
            )

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

    /// A reader that reads every picture, or only those of less than 1,000 bytes.
    private func reader(_ folder: Folder, readsLarge: Bool) throws {
        let limit = readsLarge ? 1_000_000 : 1_000
        let script = "if [ $(wc -c < $1) -lt \(limit) ]; then echo '\(TextFixture.text)'; else echo '?'; fi\n"
        try folder.write(script, to: "read.sh")
    }

    /// Writes pictures, of which p10 to p19 are large, and returns their labels.
    private func pictures(_ folder: Folder, _ count: Int) throws -> String {
        for index in 0..<count {
            let picture = try (10..<20).contains(index) ? TestPicture.line() : TestPicture.tiny()
            try folder.write(picture, to: "set/p\(index).png")
        }
        let labels = (0..<count).map { TestLabel.line("s\($0)", image: "p\($0).png") }.joined(separator: "\n") + "\n"
        try folder.write(labels, to: "set/samples.jsonl")
        return labels
    }

    @Test(
        "a planted loss is accepted with a reason until a date, and the entry fails when it has expired or is not needed"
    )
    func accepted() throws {
        try Folder.with { folder in
            _ = try pictures(folder, 40)
            func run(_ name: String, _ more: String...) throws -> Program.Outcome {
                let system = "mine=sh \(folder("read.sh")) {image}"
                let options = [
                    "--system", system, "--repetitions", "1", "--warmup", "0", "--gate", "mine", "--devices", "none",
                ]
                return try Program.run(
                    ["run", "--dataset", folder("set"), "--out", folder("runs/\(name)")] + options + more
                )
            }
            func gate(_ name: String, _ more: String...) throws -> Program.Outcome {
                let baseline = ["--baseline", folder("base/t.json"), "--targets", "none"]
                return try Program.run(["gate", folder("runs/\(name)")] + baseline + more)
            }
            func bless(_ name: String, _ more: String...) throws -> Program.Outcome {
                let baseline = ["--baseline", folder("base/t.json"), "--targets", "none"]
                return try Program.run(["bless", folder("runs/\(name)")] + baseline + more)
            }
            try reader(folder, readsLarge: true)
            let first = try run("first")
            #expect(
                first.output.contains("Last run: no earlier run of these settings"),
                "\(first.output)\(first.errors)"
            )
            #expect(first.output.contains("Baseline: no baseline covers this run"))
            let update = ["baseline", "update", folder("runs/first"), "--name", "t", "--folder", folder("base")]
            #expect(try Program.run(update).code == 0)

            try reader(folder, readsLarge: false)
            let lost = try run("lost")
            #expect(lost.output.contains("Last run: mine title read 75.0 % (10 lost, 0 gained)"), "\(lost.output)")
            #expect(try gate("lost").code == 1)

            // Without a terminal, nothing is written unless --yes is given.
            let why = ["--accept", "--why", "a smaller model", "--until", "2099-12-31", "--by", "Jane Doe"]
            let asked = try Program.run(["bless", folder("runs/lost"), "--baseline", folder("base/t.json")] + why)
            #expect(asked.code == 2 && asked.errors.contains("specify --yes"), "\(asked.errors)")
            #expect(!folder.contains("base/accepted.yaml"))
            let blessed = try bless("lost", "--accept", "--why", "a smaller model", "--until", "2099-12-31", "--yes")
            #expect(blessed.code == 0, "\(blessed.output)\(blessed.errors)")
            let file = try folder.text(of: "base/accepted.yaml")
            #expect(file.contains("metric: title-read") && file.contains("loss: 25 points"), "\(file)")

            let accepted = try gate("lost", "--junit", folder("junit.xml"))
            #expect(accepted.code == 0, "\(accepted.output)\(accepted.errors)")
            #expect(accepted.output.contains("☑️ accepted until 2099-12-31: a smaller model"))
            #expect(try folder.text(of: "junit.xml").contains("accepted until 2099-12-31: a smaller model"))
            #expect(try folder.text(of: "runs/lost/gate.json").contains("\"state\" : \"accepted\""))
            #expect(try folder.text(of: "runs/lost/gate.md").hasPrefix("# Gate: PASS\n"))
            let expired = try gate("lost", "--today", "2100-01-01")
            #expect(expired.code == 1 && expired.output.contains("accepted until 2099-12-31 only"))
            #expect(try gate("lost", "--accepted", "none").code == 1)

            try reader(folder, readsLarge: true)
            let again = try run("again")
            #expect(again.output.contains("(0 lost, 10 gained)"), "\(again.output)")
            let better = try gate("again")
            #expect(better.code == 1 && better.output.contains("better again: remove it from"), "\(better.output)")

            try folder.write(file.replacing("metric: title-read", with: "metric: title-reed"), to: "base/accepted.yaml")
            let wrong = try gate("again")
            #expect(wrong.code == 2 && wrong.errors.contains("accepted.yaml:5:13: accepted[0].metric: unknown metric"))
            #expect(try gate("again", "--accepted", folder("missing.yaml")).code == 2)
            #expect(try gate("again", "--today", "tomorrow").code == 2)
            let nothing = try bless(
                "again",
                "--accept",
                "--why",
                "x",
                "--until",
                "2099-12-31",
                "--accepted",
                folder("a.yaml")
            )
            #expect(nothing.code == 0 && nothing.output.contains("nothing to accept"), "\(nothing.errors)")
        }
    }

    @Test("a run is repeated from its report, and planned from its figures")
    func rerun() throws {
        try Folder.with { folder in
            let labels = try pictures(folder, 24)
            try reader(folder, readsLarge: false)
            let options = [
                "--system", "mine=sh \(folder("read.sh")) {image}", "--repetitions", "1", "--warmup", "0", "--devices",
                "none",
            ]
            let base = ["run", "--dataset", folder("set")] + options
            let blank = try Program.run(base + ["--out", folder("runs/x"), "--plan"])
            #expect(blank.code == 0 && blank.output.contains("Time: unknown"), "\(blank.output)\(blank.errors)")
            #expect(!folder.contains("runs/x"))
            let first = try Program.run(base + ["--out", folder("runs/one")])
            #expect([0, 1, 3].contains(first.code), "\(first.errors)")

            let plan = try Program.run(base + ["--out", folder("runs/x"), "--plan"])
            #expect(plan.code == 0 && plan.output.contains("mine: 24 samples of set, 24 readings"), "\(plan.output)")
            #expect(plan.output.contains("Time: about"))

            let same = try Program.run("rerun", folder("runs/one/report.json"), "--out", folder("runs/two"))
            #expect(
                same.output.contains("Program, models, machine and datasets are those of the run."),
                "\(same.output)"
            )
            #expect(same.output.contains("mine title-read") && same.output.contains("agrees"))

            try reader(folder, readsLarge: true)
            let changed = try Program.run("rerun", folder("runs/one"), "--out", folder("runs/three"))
            #expect(changed.code == 2 && changed.errors.contains("model read.sh of mine differs"), "\(changed.errors)")
            let other = try Program.run("rerun", folder("runs/one"), "--out", folder("runs/three"), "--anyway")
            #expect(other.code == 1 && other.output.contains("DIFFERS"), "\(other.output)\(other.errors)")

            try folder.write(labels + TestLabel.line("more", image: "p0.png") + "\n", to: "set/samples.jsonl")
            let refused = try Program.run("rerun", folder("runs/one"), "--out", folder("runs/four"))
            #expect(refused.code == 2 && refused.errors.contains("dataset set differs"), "\(refused.errors)")
            #expect(!folder.contains("runs/four"))
            #expect(try Program.run("rerun", folder("missing.json")).code == 2)
        }
    }
}
