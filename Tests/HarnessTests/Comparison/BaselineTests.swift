import Basics
import Foundation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.io)) struct BaselineTests {
    private let baseline = Baseline(
        format: 1,
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
                figures: [.init(name: "latency-p50 (ms)", value: 31.5, lower: 30, upper: 33)],
                noise: GoldenComparison.noise,
                peakFootprintBytes: 300e6,
                startMilliseconds: 180.5,
                samples: [
                    .init(
                        id: "\"samples\":[]",
                        category: "vertical",
                        group: "p",
                        title: true,
                        errors: 1,
                        length: 9,
                        ms: 12.5
                    ),
                    .init(id: "s2", category: "mixed", title: false, author: false, errors: 9, length: 9),
                ]
            )
        ]
    )

    @Test func theFileHasOneSampleALineAndIsTheBaseline() throws {
        let bytes = try baseline.bytes
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 6)
        #expect(
            lines[3] == "{\"category\":\"mixed\",\"errors\":9,\"author\":false" || lines[3].contains("\"id\":\"s2\"")
        )
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.path + "/fast.json"))
        #expect(try Baseline.load(folder.path + "/fast.json") == baseline)
    }

    @Test func whatIsNoBaselineIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"format\":1}", "x.json")
        var later = baseline
        later.format = 9
        try Data(later.bytes).write(to: URL(filePath: folder.path + "/later.json"))
        for (name, problem) in [
            ("none.json", "none.json; create one from a few accepted runs: spinebench baseline update RUN"),
            ("x.json", "x.json: \"name\" is missing"), ("later.json", "has format 9, but this program reads 1"),
        ] {
            #expect {
                try Baseline.load("\(folder.path)/\(name)")
            } throws: {
                "\($0)".contains(problem)
            }
        }
    }

    @Test func asASideItHasWhatItKept() {
        let set = baseline.measurements[0].readings(name: "baseline")
        #expect(set.entries.map(\.title) == [true, false])
        #expect(set.entries.map(\.group) == ["p", "s2"])
        #expect(set.entries.map(\.milliseconds) == [12.5, nil])
        #expect(set.entries[0].characters.rate == .value(1.0 / 9))
    }
}
