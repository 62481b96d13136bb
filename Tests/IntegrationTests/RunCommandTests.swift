import Basics
import Foundation
import TestSupport
import Testing

/// `spinebench run` from end to end, with the variant that starts fastest.
///
/// One at a time, so that no run takes another one's time.
@Suite(.inTurns, .needsProgram, .serialized)
struct RunCommandTests {
    /// Content of `report.json`, as far as the tests need it.
    private struct Report: Decodable {
        struct Measurement: Decodable {
            let id: String
            let outcomes: [String: Int]
            let categories: [Category]
        }

        struct Category: Decodable {
            let category: String
            let samples: Int
            let accuracy: Accuracy
        }

        struct Accuracy: Decodable {
            let titleRead: Share
        }

        struct Share: Decodable, Equatable {
            let successes: Int
            let trials: Int
        }

        let resumes: Int
        let measurements: [Measurement]
        let verdict: String?
    }

    /// Runs `body` with a dataset of as many samples as there are titles; every picture shows `TextFixture.text`.
    private func withDataset(_ titles: [String], _ body: (Folder) throws -> Void) throws {
        try Folder.with { folder in
            try folder.write(TestPicture.line(), to: "set/a.png")
            let lines = titles.enumerated().map { TestLabel.line("s\($0.offset)", title: $0.element) }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "set/samples.jsonl")
            try body(folder)
        }
    }

    private func run(_ folder: Folder, _ more: String...) throws -> Program.Outcome {
        try Program.run(
            ["run", "--dataset", folder("set"), "--out", folder("run"), "--variants", "tesseract", "--warmup", "1"]
                + more
        )
    }

    private func report(_ folder: Folder) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(folder.text(of: "run/report.json").utf8))
    }

    /// Returns the rows of a table without quoted fields, by the names of its columns.
    private func rows(_ folder: Folder, _ name: String) throws -> [[String: String]] {
        let rows = try folder.lines(of: name).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let names = try #require(rows.first)
        return rows.dropFirst().map { Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first }) }
    }

    @Test("too few samples decide nothing: 3, and all reports are there and agree")
    func inconclusive() throws {
        try withDataset([TextFixture.text, TextFixture.text, "Something Else"]) { folder in
            let outcome = try run(folder, "--repetitions", "2", "--gate", "tesseract")
            #expect(outcome.code == 3)
            #expect(outcome.output.contains("INCONCLUSIVE"))
            #expect(outcome.output.contains("\(folder("run"))/report.html"))
            #expect(outcome.errors.contains("3 spines (3 vertical), 3 legible"))

            let report = try report(folder)
            #expect(report.verdict == "inconclusive")
            #expect(report.resumes == 0)
            let measurement = try #require(report.measurements.first)
            #expect(report.measurements.count == 1 && measurement.id == "tesseract")
            #expect(measurement.outcomes == ["read": 6])
            #expect(measurement.categories.map(\.category) == ["all", "vertical"])
            #expect(measurement.categories.allSatisfy { $0.accuracy.titleRead == .init(successes: 2, trials: 3) })

            let summary = try rows(folder, "run/report.csv")
            #expect(summary.map { $0["category"] } == ["all", "vertical"])
            for row in summary {
                #expect(row["measurement"] == "tesseract")
                #expect(row["samples"] == "3" && row["readings"] == "6" && row["failed"] == "0")
                #expect(row["title_read"] == "2" && row["title_n"] == "3")
                // Six readings are one too few for a median that can be claimed.
                #expect(row["p50_ms"] == "" && row["p95_ms"] == "")
            }

            let readings = try rows(folder, "run/samples.csv")
            #expect(readings.count == 6)
            #expect(try folder.lines(of: "run/samples.jsonl").count == 6)
            #expect(Set(readings.compactMap { $0["id"] }) == ["s0", "s1", "s2"])
            let first = readings.filter { $0["repetition"] == "1" }
            #expect(first.count { $0["title_read"] == "true" } == 2)
            #expect(readings.allSatisfy { $0["outcome"] == "read" && $0["text"] == TextFixture.text })

            let text = try folder.text(of: "run/report.md")
            #expect(text.hasPrefix("# Spine reading: INCONCLUSIVE"))
            #expect(text.contains("| tesseract | all | 2 of 3 (66.7 %)"))
            #expect(text.contains("n too small (needs ≥ 7)"))
        }
    }

    @Test("titles that were not read miss the target: 1")
    func missed() throws {
        // None of three: the upper end of Wilson's interval at 95 % is 0.56, clear of the target of 0.85.
        try withDataset(["Another Title", "Nothing Alike", "Third Volume"]) { folder in
            let outcome = try run(folder, "--repetitions", "1", "--gate", "tesseract")
            #expect(outcome.code == 1)
            #expect(try folder.text(of: "run/report.md").hasPrefix("# Spine reading: FAIL"))
            #expect(try report(folder).verdict == "fail")
        }
    }

    @Test("enough samples that were all read meet every target: 0")
    func passed() throws {
        // 22 samples are the fewest that decide about a share, 90 readings the fewest that bound P95.
        try withDataset(Array(repeating: TextFixture.text, count: 22)) { folder in
            let outcome = try run(folder, "--repetitions", "5", "--gate", "tesseract")
            #expect(outcome.code == 0, "\(outcome.output)")
            #expect(try folder.text(of: "run/report.md").hasPrefix("# Spine reading: PASS"))
            #expect(try report(folder).verdict == "pass")
        }
    }

    @Test("a variant that does not gate gives no verdict: 3")
    func ungated() throws {
        try withDataset([TextFixture.text]) { folder in
            let outcome = try run(folder, "--repetitions", "1")
            #expect(outcome.code == 3)
            let report = try report(folder)
            #expect(report.verdict == nil)
        }
    }

    @Test("a run that was cut off goes on where it stopped, and a finished one has nothing left to read")
    func resume() throws {
        try withDataset([TextFixture.text, TextFixture.text, TextFixture.text]) { folder in
            #expect(try run(folder, "--repetitions", "2").code == 3)
            let whole = try folder.lines(of: "run/samples.jsonl")
            #expect(whole.count == 6)

            let finished = try Program.run("run", "--resume", folder("run"))
            #expect(finished.code == 3)
            #expect(try folder.lines(of: "run/samples.jsonl") == whole)

            // The state after a kill: four readings, half a line, no reports.
            let cut = whole.prefix(4).map { $0 + "\n" }.joined() + whole[4].prefix(20)
            try folder.write(cut, to: "run/samples.jsonl")
            try FileManager.default.removeItem(atPath: folder("run/report.md"))
            let resumed = try Program.run("run", "--resume", folder("run"))
            #expect(resumed.code == 3)
            let lines = try folder.lines(of: "run/samples.jsonl")
            #expect(lines.count == 6)
            #expect(lines.prefix(4) == whole.prefix(4))
            #expect(folder.contains("run/report.md"))
            let report = try report(folder)
            // The one that found nothing left to read is none.
            #expect(report.resumes == 1)
            #expect(report.measurements.first?.outcomes == ["read": 6])
        }
    }

    @Test("a folder with a run is not written over, nor gone on with by other settings")
    func otherSettings() throws {
        try withDataset([TextFixture.text]) { folder in
            #expect(try run(folder, "--repetitions", "1").code == 3)
            let again = try run(folder, "--repetitions", "1")
            #expect(again.code == 2)
            #expect(again.errors.contains("already contains a run"))
            let other = try Program.run("run", "--resume", folder("run"), "--repetitions", "9")
            #expect(other.code == 2)
            #expect(other.errors.contains("other settings"))
        }
    }

    @Test("settings that make no sense end with 2")
    func senseless() throws {
        try withDataset([TextFixture.text]) { folder in
            let outcome = try run(folder, "--repetitions", "0")
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("invalid repetitions 0: expected 1 or more"))
            let nowhere = try Program.run("run", "--resume", folder("nowhere"))
            #expect(nowhere.code == 2)
            #expect(nowhere.errors.contains("\(folder("nowhere")): contains no run"))
        }
    }
}
