import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench report`, suites, scenarios and the results of a stopped run, with the built program.
@Suite(.inTurns, .needsProgram, .serialized)
struct ReportCommandTests {
    private func withRun(_ more: [String] = [], _ body: (Folder, Program.Outcome) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let lines = (0..<3).map { TestLabel.line("s\($0)", title: TextFixture.text) }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let arguments = [
                "run", "--dataset", folder("set"), "--out", folder("run"), "--variants", "tesseract", "--warmup", "1",
                "--repetitions", "1",
            ]
            try body(folder, Program.run(arguments + more))
        }
    }

    @Test("reports are written again, and several runs as one page")
    func again() throws {
        try withRun { folder, outcome in
            #expect(outcome.code == 3)
            let before = try folder.text(of: "run/report.md")
            try FileManager.default.removeItem(atPath: folder("run/report.md"))
            #expect(try Program.run("report", folder("run")).code == 0)
            #expect(try folder.text(of: "run/report.md") == before)

            try FileManager.default.copyItem(atPath: folder("run"), toPath: folder("second"))
            let both = try Program.run("report", folder("run"), folder("second/report.json"), "--out", folder("both"))
            #expect(both.code == 0)
            let text = try folder.text(of: "both/report.md")
            #expect(text.contains("| run:tesseract | all |") && text.contains("| second:tesseract | all |"))
            #expect(try folder.text(of: "both/report.html").contains("second:tesseract"))
        }
    }

    @Test("readings on a phone take the place of the device model, which stands beside them", .endsWhatHangs)
    func recordings() throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let labels = (0..<8).map { TestLabel.line("s\($0)", title: TextFixture.text) }
            try folder.write(labels.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            let header = [
                #"{"readings": 1, "system": {"name": "my-app", "version": "2.1"}, "recorder": {"name": "SpineBenchKit"}, "#
                    + #""device": {"model": "iPhone17,1", "os": "iOS 26.1"}}"#
            ]
            let readings = (0..<8).map {
                #"{"sample": "s\#($0)", "text": "\#(TextFixture.text)", "latency": \#(100 + $0), "thermal": "nominal"}"#
            }
            try folder.write((header + readings).joined(separator: "\n") + "\n", to: "phone.jsonl")
            func run(_ arguments: String...) throws -> Program.Outcome { try Program.run(arguments) }
            for name in ["fast", "other"] {
                let scored = try run(
                    "score",
                    "--dataset",
                    folder("set"),
                    "\(name)=\(folder("phone.jsonl"))",
                    "--out",
                    folder("phone-\(name)")
                )
                #expect(scored.code != 2, "\(scored.errors)")
            }
            let read = try run(
                "run",
                "--dataset",
                folder("set"),
                "--out",
                folder("run"),
                "--variants",
                "fast",
                "--warmup",
                "1",
                "--repetitions",
                "1",
                "--devices",
                "iPhone 16 Pro,iPhone 13"
            )
            #expect(read.code == 3, "\(read.errors)")
            #expect(try folder.text(of: "run/report.md").contains("## Devices (modelled)"))

            let outcome = try run("report", folder("run"), "--recording", folder("phone-fast"))
            #expect(outcome.code == 0, "\(outcome.errors)")
            let report = try folder.text(of: "run/report.md")
            #expect(report.contains("## Devices (modelled and recorded)"))
            // The fourth of 100 to 107 ms. The header is written by hand, as anybody can: it measures nothing.
            let row = report.split(separator: "\n").first { $0.hasPrefix("| fast | iPhone 16 Pro | 103.0 |") } ?? ""
            #expect(
                row.contains("| reported by a recording: my-app 2.1 on iPhone17,1, iOS 26.1; n = 8 |")
                    && row.contains("| × ")
            )
            #expect(report.contains("| modelled | – | – | – |"))
            let csv = try folder.text(of: "run/devices.csv")
            #expect(
                csv.contains(",reported by a recording\n") && csv.contains("\"my-app 2.1 on iPhone17,1, iOS 26.1\",8,")
            )
            #expect(try run("report", folder("run")).code == 0)
            #expect(try folder.text(of: "run/report.md") == report)

            let wrong = [
                ("phone-other", "other takes the place of no measurement"), ("run", "fast was read on this machine"),
                ("nowhere", "nowhere"),
            ]
            for (name, message) in wrong {
                let refused = try run("report", folder("run"), "--recording", folder(name))
                #expect(refused.code == 2 && refused.errors.contains(message), "\(refused.errors)")
            }
            let twice = try run(
                "report",
                folder("run"),
                "--recording",
                folder("phone-fast"),
                "--recording",
                folder("phone-fast")
            )
            #expect(twice.code == 2 && twice.errors.contains("a second recording of fast on iPhone 16 Pro"))
            #expect(try folder.text(of: "run/report.md") == report)
        }
    }

    @Test("what is written never takes the place of what a run holds")
    func inputsStay() throws {
        try withRun { folder, _ in
            try FileManager.default.copyItem(atPath: folder("run"), toPath: folder("second"))
            let files = ["run/report.json", "second/report.json", "run/samples.jsonl", "run/config.json"]
            let before = try files.map { try folder.text(of: $0) }
            let calls = [
                ["report", folder("run"), folder("second"), "--out", folder("run")],
                ["report", folder("run"), "--out", folder("second")],
                ["gate", folder("run"), "--baseline", "none", "--junit", folder("run/samples.jsonl")],
                ["baseline", "update", folder("run"), "--name", "report", "--folder", folder("run")],
                [
                    "compare", folder("run"), folder("second"), "--out", folder("c"), "--bencher",
                    folder("run/config.json"),
                ],
            ]
            for call in calls {
                let outcome = try Program.run(call)
                #expect(outcome.code == 2, "\(call): \(outcome.output)\(outcome.errors)")
            }
            #expect(try files.map { try folder.text(of: $0) } == before)
            // Its own folder is where a run's report belongs.
            #expect(try Program.run("report", folder("run"), "--out", folder("run")).code == 0)
        }
    }

    @Test("without its dataset a run is reported as it was, and that is said")
    func withoutDataset() throws {
        try withRun { folder, _ in
            try FileManager.default.removeItem(atPath: folder("set"))
            let outcome = try Program.run("report", folder("run"), "--out", folder("again"))
            #expect(outcome.code == 0)
            #expect(outcome.errors.contains("cannot be read; its pictures and labels are omitted"))
            #expect(try folder.text(of: "again/report.md").contains("| tesseract | all | 3 of 3 (100.0 %)"))
        }
    }

    @Test("wrong uses are told")
    func wrong() throws {
        try Folder.with { folder in
            let nowhere = try Program.run("report", folder("nowhere"))
            #expect(nowhere.code == 2 && nowhere.errors.contains("contains no run"))
            #expect(try Program.run("report", "a", "b").code == 2)
        }
    }

    @Test("a scenario is run and its rules are printed")
    func scenario() throws {
        try withRun(["--scenario", "cold:readings=2", "--scenario", "offline:readings=6"]) { folder, _ in
            let text = try folder.text(of: "run/report.md")
            #expect(text.contains("- `tesseract/cold`: Cold: from process start"))
            #expect(text.contains("- `tesseract/offline`: Offline: "))
            #expect(text.contains("| tesseract/cold | processes started | 2 | 2 | ✅ |"))
            let wrong = try Program.run("run", "--dataset", folder("set"), "--scenario", "sever:rate=1")
            #expect(wrong.code == 2 && wrong.errors.contains("server"))
        }
    }
}
