import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports
@testable import Results

@Suite(.inTurns) struct ComparisonTests {
    private let comparison = GoldenComparison.report.comparisons[0]

    private func row(_ metric: Metric) throws -> ComparisonRow {
        try #require(comparison.rows.first { $0.metric == metric })
    }

    @Test func titlesAreComparedSampleBySample() throws {
        let row = try row(.titleRead)
        // 39 of 40, then 34 of 40.
        #expect(isNear(row.a.value, 0.975, within: 1e-12) && isNear(row.b.value, 0.85, within: 1e-12))
        #expect(isNear(row.change.value, -0.125, within: 1e-12))
        // McNemar: 2 (C(7,0) + C(7,1)) / 2⁷.
        #expect(isNear(row.p, 0.125, within: 1e-12))
        #expect(row.note.hasPrefix("40 samples, 6 lost, 1 gained"))
        #expect(comparison.flips.count == 7 && comparison.flips.count(where: \.isLost) == 6)
    }

    @Test func theLatencyShiftIsTheRatioOfEachSample() throws {
        let row = try row(.latency)
        #expect(isNear(row.change.value, 0.1, within: 1e-9))
        // All ratios are the same: the rest is the difference of processes, e^±0.01.
        #expect(isNear(row.interval.value?.lowerBound, 1.1 * exp(-0.01) - 1, within: 1e-9))
        #expect(isNear(row.interval.value?.upperBound, 1.1 * exp(0.01) - 1, within: 1e-9))
        #expect(row.status == .worse && row.gates)
    }

    @Test func percentilesNeedTheirReadings() throws {
        #expect(isNear(try row(.latencyP95).change.value, 0.1, within: 1e-9))
        // Its noise is more than it is to detect.
        #expect(try row(.latencyP95).status == .undecided)
        #expect(try row(.latencyP99).change.reason == "n too small (needs ≥ 459)")
    }

    @Test func memoryIsComparedProcessByProcess() throws {
        let row = try row(.peakMemory)
        // ln 1.01 + mean of (0, ln 0.999/1.001, ln 1.001/0.999), which is 0.
        #expect(isNear(row.change.value, 0.01, within: 1e-9))
        #expect(row.status == .noDifference && row.gates)
    }

    @Test func aRegressionInOneRowIsOne() {
        #expect(comparison.verdict == .fail)
        #expect(comparison.regressions.map(\.metric) == [.latency])
        #expect(GoldenComparison.report.exitCode == 1)
    }

    @Test func aFamilyThatCannotGateLeavesItOpen() {
        var noise = GoldenComparison.noise
        noise.floors["latency"] = .value(0.2)
        let same = Comparison(
            a: GoldenComparison.a,
            b: GoldenComparison.a,
            dataset: "made",
            noise: noise,
            tolerances: .standard
        )
        #expect(same.verdict == .inconclusive)
        var tolerances = ComparisonTolerances.standard
        (tolerances[.latency], tolerances[.latencyP95]) = (nil, nil)
        let accuracy = Comparison(
            a: GoldenComparison.a,
            b: GoldenComparison.a,
            dataset: "made",
            noise: noise,
            tolerances: tolerances
        )
        #expect(accuracy.verdict == .pass)
        let none = ComparisonTolerances(changes: [:], leastBytes: 0)
        let informing = Comparison(a: comparisonSide, b: comparisonSide, dataset: "", noise: noise, tolerances: none)
        #expect(informing.verdict == nil)
    }

    private let comparisonSide = GoldenComparison.a

    @Test func samplesOfOneSideAreNamedAndNotCompared() {
        var b = GoldenComparison.b
        b.entries.removeFirst(2)
        b.entries.append(Sides.entry("other"))
        let comparison = Comparison(
            a: GoldenComparison.a,
            b: b,
            dataset: "made",
            noise: GoldenComparison.noise,
            tolerances: .standard
        )
        #expect(comparison.samples == 38)
        #expect(comparison.onlyA == ["s0", "s1"] && comparison.onlyB == ["other"])
    }

    @Test func aSampleIsScoredByItsFirstReadingAndATimeoutIsLongerThanAll() throws {
        func record(_ round: Int, _ outcome: SampleRecord.Outcome, _ text: String?) -> SampleRecord {
            SampleRecord(
                measurement: "A",
                repetition: round,
                position: 0,
                id: "s",
                outcome: outcome,
                milliseconds: outcome == .read ? 12 : nil,
                prediction: text.map { Prediction(lines: [.init(text: $0)]) }
            )
        }
        let records = [record(3, .workerDied, nil), record(2, .timedOut, nil), record(1, .read, "Dune")]
        let samples = [Sample.made("s", title: "Dune"), .made("unread", title: "Emma")]
        let set = ReadingSet(name: "A", samples: samples, records: records, workers: [])
        let entry = try #require(set.entries.first)
        #expect(set.entries.count == 1)
        #expect(entry.title == true && entry.varies && entry.text == "Dune")
        #expect(entry.readings.map(\.milliseconds) == [12, .infinity])
        #expect(entry.milliseconds == .infinity)
        #expect(set.problems.count == 2)
    }

    @Test func theMarkdownIsAsItWasApproved() throws {
        try GoldenFile("comparison.md").expect(ComparisonMarkdown(report: GoldenComparison.report).markdown.main)
    }

    @Test func whatMarkdownHasNoRoomForIsInASecondFile() throws {
        var report = GoldenComparison.report
        report.notes = ["A note."]
        let long = (0..<2_000).map { Comparison.Flip(id: "sample-\($0)", category: "vertical", isLost: true) }
        #expect(ComparisonMarkdown(report: report).markdown.details == nil)
        report.comparisons = (0..<90).map { number in
            var comparison = report.comparisons[0]
            (comparison.label, comparison.flips) = ("comparison \(number)", long)
            return comparison
        }
        let files = try ComparisonReports(report, datasets: []).files()
        let main = String(decoding: try #require(files["comparison.md"]), as: UTF8.self)
        #expect(main.count <= 60_000 && main.contains("A note.") && main.contains("comparison-details.md"))
        #expect(try #require(files["comparison-details.md"]).count > 60_000)
    }

    @Test func theJSONHasTheKeysOfItsFormat() throws {
        let files = try ComparisonReports(GoldenComparison.report, datasets: []).files()
        let object = try JSONSerialization.jsonObject(with: Data(try #require(files["comparison.json"])))
        let report = try #require(object as? [String: Any])
        #expect(report["format"] as? Int == 1 && report["verdict"] as? String == "fail")
        let comparison = try #require((report["comparisons"] as? [[String: Any]])?.first)
        let row = try #require((comparison["rows"] as? [[String: Any]])?.first)
        #expect(
            row.keys.sorted() == [
                "a", "b", "category", "change", "difference", "gates", "interval", "metric", "noise", "note", "p",
                "status",
                "tolerance",
            ]
        )
        let flip = try #require((comparison["flips"] as? [[String: Any]])?.first)
        #expect(flip.keys.sorted() == ["category", "id", "isLost", "textA", "textB"])
    }

    @Test func theJSONIsTheReport() throws {
        let files = try ComparisonReports(GoldenComparison.report, datasets: []).files()
        let data = Data(try #require(files["comparison.json"]))
        var report = GoldenComparison.report
        report.comparisons[0].sides = []
        #expect(try JSONDecoder().decode(ComparisonReport.self, from: data) == report)
    }

    @Test func thePageLoadsNothingAndKeepsTextText() throws {
        let files = try ComparisonReports(GoldenComparison.report, datasets: [.made(GoldenComparison.samples)]).files()
        let page = String(decoding: try #require(files["comparison.html"]), as: UTF8.self)
        #expect(page.contains("<h1 class=\"bad\">REGRESSION</h1>"))
        #expect(page.contains("default-src 'none'") && !page.contains("<img") && !page.contains("src="))
        // Its 7 flips are given, as all other samples: s1 of A and B is 1 and 0.
        #expect(page.contains(#""id":"s1","states":"10","text":[0,1],"texts":["Volume 1","Vol | 1"]"#))
        #expect(page.contains(#""base":0"#) && page.contains("6 lost, 1 gained"))
        let flips = String(decoding: try #require(files["flips.csv"]), as: UTF8.self)
        #expect(flips.split(separator: "\n").count == 8)
        #expect(flips.contains("made,s1,vertical,A,Volume 1,Volume 1,Vol | 1,images/s1.png"))
    }
}
