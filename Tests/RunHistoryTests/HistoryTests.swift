import Basics
import Documents
import Evaluation
import Foundation
import Testing

@testable import Harness
@testable import RunHistory

struct HistoryTests {
    /// A run on a day of March 2026, of ten samples that take `ms` each, whose first `lost` titles are not read.
    static func entry(
        _ day: Int,
        ms: Double = 40,
        lost: Int = 0,
        host: String = "host A",
        commit: String? = nil,
        memory: [Metric: Double] = [:]
    ) -> HistoryEntry {
        let samples = (0..<10).map { index in
            ReadingSet.Entry(
                id: "s\(index)",
                group: "s\(index)",
                category: "vertical",
                outcomes: [.titleRead: index >= lost],
                readings: [.init(round: 1, milliseconds: ms + Double(index))],
                processorMilliseconds: ms * 2
            )
        }
        var figures = memory.mapValues { BoundedValue($0 * 1e6) }
        figures[.latencyP50] = BoundedValue(ms + 4.5, ms, ms + 9)
        figures[.titleRead] = BoundedValue(1 - Double(lost) / 10)
        if let sent = Metric.named("bytes-sent") { figures[sent] = BoundedValue(0) }
        let part = Baseline.Part(
            id: "fast",
            dataset: "set",
            datasetDigest: "0123456789",
            settings: [:],
            models: [:],
            figures: figures,
            noise: NoiseFloor(origin: "one run"),
            readings: ReadingSet(entries: samples)
        )
        return HistoryEntry(
            run: History.Run(
                name: "run-\(day)",
                time: "2026-03-\(day < 10 ? "0" : "")\(day)T12:00:00Z",
                host: host,
                revision: .init(commit: commit ?? "c\(day)", branch: "main", subject: "Change \(day)", link: nil),
                verdict: .pass,
                load: 0.5
            ),
            measurements: [part]
        )
    }

    /// A baseline of a run on a day.
    private static func baseline(_ day: Int, ms: Double = 40, lost: Int = 0) -> Baseline {
        let entry = entry(day, ms: ms, lost: lost)
        let (run, parts) = (entry.run, entry.measurements)
        return Baseline(name: "run", tool: "t", date: run.time, host: run.host, runs: 1, measurements: parts)
    }

    @Test("titles by an older scoring rule are left out, as the ruler changed and not the reader")
    func movedRuler() throws {
        var entries = (1...12).map { Self.entry($0, lost: $0 < 7 ? 5 : 0) }
        #expect(try series(History(entries), "title-read").steps.count == 1)
        for index in 0..<6 { entries[index].measurements[0].readings.scoringRule = 1 }
        var baseline = Self.baseline(1, lost: 5)
        baseline.measurements = entries[0].measurements
        let history = History(entries, baselines: [baseline])
        let titles = try series(history, "title-read")
        #expect(titles.points.map(\.run) == Array(6..<12) && titles.steps.isEmpty && titles.baseline == nil)
        let latency = try series(history, "latency-p50")
        #expect(latency.points.count == 12 && latency.baseline != nil)
    }

    private func series(_ history: History, _ metric: String, host: String = "host A") throws -> History.Series {
        try #require(history.series.first { $0.metric == metric && $0.host == host })
    }

    @Test("a step belongs to the first run after it and the last before it, whatever the order of the entries")
    func commits() throws {
        let entries = (1...12).map { Self.entry($0, ms: ($0 < 8 ? 40 : 60) + Double($0 % 3) / 10) }
        let history = History(entries.reversed())
        let latency = try series(history, "latency-p50")
        let step = try #require(latency.steps.first)
        #expect(latency.steps.count == 1 && latency.points.map(\.run) == Array(0..<12))
        #expect(history.runs[step.run].revision.commit == "c8" && history.runs[step.before].revision.commit == "c7")
        // The middle sample takes 44.5 before and 64.5 after it: +45 %.
        #expect(!step.isBetter && step.isConfirmed && abs(step.change - 0.45) < 0.02, "\(step)")
        let processor = try series(history, History.processorTime)
        #expect(processor.steps.map(\.run) == [7])
        #expect(!history.series.contains { $0.metric == "sent" })
    }

    @Test("lost titles are named, with McNemar's chance")
    func flips() throws {
        let history = History((1...12).map { Self.entry($0, lost: $0 < 8 ? 1 : 6) })
        let step = try #require(try series(history, "title-read").steps.first)
        #expect(step.lost == ["s1", "s2", "s3", "s4", "s5"] && step.gained == [])
        #expect(abs(step.change + 50) < 1e-9 && !step.isBetter)
        // 2 · ½⁵
        #expect(try abs(#require(step.pairedChance) - 0.0625) < 1e-12)
    }

    @Test("memory of runs until 28 November 2026 is a series of its own, and no step")
    func memory() throws {
        let old = (1...10).map { Self.entry($0, memory: [.peakMemory: 74 + Double($0 % 2) / 10]) }
        let new = (11...20).map {
            Self.entry(
                $0,
                memory: [.peakFootprint: 80 + Double($0 % 2) / 10, .peakResident: 203 + Double($0 % 3) / 10]
            )
        }
        let history = History(old + new)
        #expect(try ["memory", "footprint", "resident"].map { try series(history, $0).points.count } == [10, 10, 10])
        #expect(try ["memory", "footprint", "resident"].allSatisfy { try series(history, $0).steps.isEmpty })
        #expect(history.method.contains("taken by another definition: its series \"memory\" ends there"))
        #expect(!History(new).method.contains("another definition"))
    }

    @Test("hosts are series of their own, so a slower host is not a step")
    func hosts() throws {
        let entries = (1...10).map { Self.entry($0, ms: 40 + Double($0 % 2) / 10) }
        let slow = (11...20).map { Self.entry($0, ms: 90 + Double($0 % 2) / 10, host: "host B") }
        let history = History(entries + slow)
        #expect(history.series.flatMap(\.steps).isEmpty)
        let slower = try series(history, "latency-p50", host: "host B")
        #expect(slower.points.count == 10)
    }

    @Test("the newest baseline's level has its age; of another host, only that of accuracy")
    func baselines() throws {
        let entries = (1...6).map { Self.entry($0) }
        var (old, new) = (Self.baseline(1, ms: 30), Self.baseline(4, ms: 35))
        let history = History(entries, baselines: [new, old])
        let level = try #require(try series(history, "latency-p50").baseline)
        #expect(level.value == 39.5 && level.runs == 2 && level.days == 2)
        (old.host, new.host) = ("other", "other")
        let others = History(entries, baselines: [new, old])
        let latency = try series(others, "latency-p50")
        #expect(latency.baseline == nil)
        let titles = try series(others, "title-read")
        #expect(titles.baseline != nil)
    }

    @Test("tables, CSV and the page have the step, its commits and its confidence; texts stay texts")
    func texts() throws {
        var entries = (1...12).map { Self.entry($0, ms: ($0 < 8 ? 40 : 60) + Double($0 % 3) / 10) }
        entries[7].run.revision.subject = "</script><b>x"
        let text = History(entries)
        let table = try #require(text.tables.first).terminal()
        #expect(table.contains("c7..c8") && table.contains("worse") && table.contains("> 99.99 %"), "\(table)")
        // A heading, and three figures of twelve runs.
        #expect(text.csv.split(separator: "\n").count == 1 + 3 * 12)
        let decoded = try JSONDecoder().decode(History.self, from: Data(text.json))
        #expect(decoded == History(entries))
        let page = String(decoding: try text.page(entries), as: UTF8.self)
        #expect(page.contains("c7..c8 (&lt;/script>&lt;b>x)") && !page.contains("</script><b>"))
        // Three figures, each with the step between the seventh run and the eighth, but for the titles.
        #expect(page.components(separatedBy: "\"xLabel\":\"run\"").count == 1 + 3)
        #expect(page.components(separatedBy: "\"x\":7.5}").count == 1 + 2)
        #expect(page.contains("\"word\":\"12 runs, 2 steps\""))
    }

    @Test("an entry is read as it was written, and has one name wherever its folder is")
    func entries() throws {
        var entry = Self.entry(3)
        let read = try HistoryEntry(Data(entry.bytes), from: "x")
        #expect(read == entry)
        let name = try entry.name
        #expect(name.hasPrefix("20260303T120000Z-") && HistoryEntry.isName(name))
        (entry.run.name, entry.run.revision) = ("elsewhere", .init())
        let moved = try entry.name
        #expect(moved == name)
        entry.measurements[0].readings.entries[0].readings[0].milliseconds = 1
        let other = try entry.name
        #expect(other != name)
        entry.format = 9
        #expect(throws: (any Error).self) { try HistoryEntry(Data(entry.bytes), from: "x") }
        #expect(throws: (any Error).self) { try HistoryEntry(Data(entry.bytes.dropLast(9)), from: "x") }
    }

    @Test(
        "other files in a store are not entries",
        arguments: [
            "README.md", ".20260303T120000Z-0123456789abcdef.json.17", "20260303T120000Z-0123456789ABCDEF.json",
            "20260303T120000Z-0123.json", "x-0123456789abcdef.json", "20260303T120000Z-0123456789abcdef.json.part",
        ]
    )
    func names(_ name: String) { #expect(!HistoryEntry.isName(name)) }
}
