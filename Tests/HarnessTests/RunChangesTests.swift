import Foundation
import TestSupport
import Testing

@testable import Harness
@testable import Reports
@testable import Results

@Suite(.tags(.io)) struct RunChangesTests {
    /// Writes the golden run, and returns its contents; `changes` edits its records.
    private func write(
        _ folder: TemporaryFolder,
        _ name: String,
        configuration: RunConfiguration = GoldenRun.configuration,
        isFinished: Bool = true,
        _ changes: (inout SampleRecord) -> Void = { _ in }
    ) throws -> RunContents {
        let path = "\(folder.path)/\(name)"
        let run = try RunFolder.create(path, configuration)
        for event in GoldenRun.events where isFinished || event.kind != .runFinished { try run.append(event) }
        for var record in GoldenRun.records {
            changes(&record)
            try run.append(record)
        }
        try folder.write("{}", "\(name)/report.json")
        var contents = GoldenRun.contents(try GoldenRun.result())
        (contents.records, contents.events) = (run.records(), run.recordedEvents())
        return contents
    }

    private func changes(
        _ contents: RunContents,
        _ folder: TemporaryFolder,
        _ name: String,
        _ baselines: [String] = []
    ) -> RunChanges {
        RunChanges(contents, in: "\(folder.path)/\(name)", baselines: baselines)
    }

    @Test func theFirstRunHasNone() throws {
        let folder = try TemporaryFolder()
        let lines = changes(try write(folder, "a"), folder, "a").lines
        #expect(
            lines == [
                "Last run: no earlier run of these settings on this machine in \(folder.path)",
                "Baseline: no baseline covers this run",
            ]
        )
    }

    @Test func aLostTitleIsNamed() throws {
        let folder = try TemporaryFolder()
        _ = try write(folder, "a")
        let now = try write(folder, "b") { record in
            if record.id == "v9", record.measurement == "fast" {
                record.prediction?.lines = []
                record.score = nil
            }
        }
        let found = changes(now, folder, "b")
        #expect(found.last == "\(folder.path)/a")
        // 27 + 1 of 31 legible titles; v6 failed at first.
        #expect(found.lines[0].contains("fast title read") && found.lines[0].contains("(1 lost: v9, 0 gained)"))
        #expect(found.lines[0].contains("tesseract title read") && found.lines[0].contains("(unchanged)"))
    }

    @Test func anotherBuildCountsAndOtherSettingsAndStoppedRunsDoNot() throws {
        let folder = try TemporaryFolder()
        var (build, settings) = (GoldenRun.configuration, GoldenRun.configuration)
        (build.tool, build.codeDigest) = ("spinebench 9", "sha256:9")
        settings.repetitions = 2
        _ = try write(folder, "settings", configuration: settings)
        _ = try write(folder, "stopped", isFinished: false)
        let now = try write(folder, "now")
        #expect(changes(now, folder, "now").last == nil)
        _ = try write(folder, "build", configuration: build)
        #expect(changes(now, folder, "now").last == "\(folder.path)/build")
    }

    @Test func theBaselineIsTheSecondLine() throws {
        let folder = try TemporaryFolder()
        var now = try write(folder, "a")
        now.path = "\(folder.path)/a"
        let baseline = try Baseline(name: "main", runs: [now])
        try Data(baseline.bytes).write(to: URL(filePath: "\(folder.path)/main.json"))
        let found = changes(now, folder, "a", ["\(folder.path)/main.json", "\(folder.path)/missing.json"])
        #expect(found.hasBaseline && found.lines[1].hasPrefix("Baseline: fast title read"))
        #expect(found.lines[1].contains("(unchanged)") && found.lines[1].contains("(main, 1 run of "))
    }
}
