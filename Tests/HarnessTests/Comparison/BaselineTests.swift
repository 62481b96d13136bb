import Basics
import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.io)) struct BaselineTests {
    private let baseline = Baseline(
        name: "fast",
        tool: "test",
        date: "2026-03-01T12:00:00Z",
        host: "host",
        runs: 3,
        measurements: [
            Baseline.Part(
                id: "fast",
                dataset: "made",
                datasetDigest: "sha256:00",
                settings: ["engine": "x"],
                models: [:],
                figures: [.latencyP50: .init(31.5, 30, 33)],
                noise: GoldenComparison.noise,
                readings: ReadingSet(
                    entries: [
                        .init(
                            id: "{\"category\":",
                            group: "p",
                            category: "vertical",
                            outcomes: [.titleRead: true, .readInTime: true],
                            characters: .init(substitutions: 1, referenceLength: 9),
                            readings: [.init(round: 1, milliseconds: 12.5)]
                        ),
                        .init(
                            id: "s2",
                            group: "s2",
                            category: "mixed",
                            outcomes: [.titleRead: false, .authorRead: false],
                            characters: .init(deletions: 9, referenceLength: 9)
                        ),
                    ],
                    workers: [.init(figures: [.peakFootprint: 300e6, .start: 180.5])],
                    scoringRule: 1
                )
            )
        ]
    )

    @Test func theFileHasOneSampleALineAndIsTheBaseline() throws {
        let bytes = try baseline.bytes
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3 && lines[2].hasPrefix("{\"category\":\"mixed\","))
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.path + "/fast.json"))
        #expect(try Baseline.load(folder.path + "/fast.json") == baseline)
    }

    @Test func whatIsNoBaselineIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"format\":2}", "x.json")
        try folder.write("{\"format\":1,\"name\":\"fast\",\"measurements\":[]}", "earlier.json")
        let other = String(decoding: try baseline.bytes, as: UTF8.self).replacing(
            "\"latencyP50\"",
            with: "\"peakSpeed\""
        )
        try folder.write(other, "other.json")
        var later = baseline
        later.format = 9
        try Data(later.bytes).write(to: URL(filePath: folder.path + "/later.json"))
        for (name, problem) in [
            ("none.json", "none.json; create one from a few accepted runs: spinebench baseline update RUN"),
            ("x.json", "x.json: \"name\" is missing; update it: spinebench baseline update"),
            ("other.json", "other.json: it has metrics of another version: peakSpeed; update it: spinebench baseline"),
            ("later.json", "its format is 9, expected 2"),
            ("earlier.json", "its format is 1, expected 2; update it: spinebench baseline update"),
        ] {
            #expect {
                try Baseline.load("\(folder.path)/\(name)")
            } throws: {
                "\($0)".contains(problem)
            }
        }
    }

    @Test func asASideItHasWhatItKept() {
        let set = baseline.measurements[0].readings
        #expect(set.entries.map(\.title) == [true, false])
        #expect(set.entries.map(\.group) == ["p", "s2"])
        #expect(set.entries.map(\.milliseconds) == [12.5, nil])
        #expect(set.entries[0].characters.rate == .value(1.0 / 9))
    }
}
