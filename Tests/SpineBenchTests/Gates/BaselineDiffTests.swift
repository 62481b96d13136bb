import Evaluation
import Testing

@testable import Harness
@testable import spinebench_tools

@Suite struct BaselineDiffTests {
    private let baseline: Baseline = {
        func sample(_ id: String, _ title: Bool) -> ReadingSet.Entry {
            .init(id: id, group: id, category: "vertical", outcomes: [.titleRead: title])
        }
        let part = Baseline.Part(
            id: "fast",
            dataset: "made",
            datasetDigest: "sha256:00",
            settings: ["engine": "x"],
            models: [:],
            figures: [.latencyP50: .init(31.5, 30, 33)],
            noise: NoiseFloor(processSpread: 0, origin: "made"),
            readings: ReadingSet(entries: [sample("s1", true), sample("s2", false)])
        )
        return Baseline(
            name: "fast",
            tool: "test",
            date: "2026-03-01T12:00:00Z",
            host: "host",
            runs: 3,
            measurements: [part]
        )
    }()

    @Test func aDiffNamesWhatChanged() {
        var new = baseline
        new.measurements[0].figures[.latencyP50]?.value = 33
        new.measurements[0].readings.entries[1].outcomes[.titleRead] = true
        new.host = "other"
        let text = new.diff(from: baseline)
        #expect(text.hasPrefix("# Baseline fast: changed"))
        #expect(text.contains("- host: host → **other**"))
        #expect(text.contains("| latency-p50 (ms) | 31.50 | 33.00 | +1.50 |"))
        #expect(text.contains("Titles lost: none. Titles gained: 1 (s2)."))
        let first = baseline.diff(from: nil)
        #expect(first.contains(": new") && first.contains("| latency-p50 (ms) | – | 31.50 | new |"))
    }
}
