import Basics
import Documents
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

@Suite(.tags(.unit), .inTurns) struct ComparisonTests {
    private let comparison = GoldenComparison.report.comparisons[0]

    private func row(_ metric: Metric) throws -> ComparisonRow {
        try #require(comparison.rows.first { $0.metric == metric })
    }

    @Test func titlesAreComparedSampleBySample() throws {
        let row = try row(.titleRead)
        // 39 of 40, then 34 of 40.
        #expect(isNear(row.a.value, 0.975, within: 1e-12) && isNear(row.b.value, 0.85, within: 1e-12))
        #expect(isNear(row.change.value, -0.125, within: 1e-12))
        // SciPy: chi2.sf((6 − 1)² / (6 + 1), 1), of photos of one spine each.
        #expect(isNear(row.p, 0.058781721355358764, within: 1e-9))
        #expect(row.interval.value?.contains(0) == true)
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
        let row = try row(.peakFootprint)
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
        let a = GoldenComparison.a
        var noise = GoldenComparison.noise
        noise.floors[.latency] = .value(0.2)
        #expect(Comparison.made(a, a, noise).verdict == .inconclusive)
        let accuracy = ComparisonTolerances.standard.keeping { !$0.isLatency }
        #expect(Comparison.made(a, a, noise, accuracy).verdict == .pass)
        let none = ComparisonTolerances(changes: [:], leastBytes: 0)
        #expect(Comparison.made(a, a, noise, none).verdict == nil)
    }

    /// Samples on so many photos, of which B does not read the titles of the first `lost`.
    private func losing(_ lost: Int, of samples: Int, photos: Int) -> Comparison {
        func side(_ name: String, unread: Int) -> ReadingSet {
            let entries = (0..<samples).map { index in
                MadeSides.entry(
                    "s\(index)",
                    group: "photo \(index % photos)",
                    title: index >= unread,
                    milliseconds: [30]
                )
            }
            return ReadingSet(name: name, entries: entries)
        }
        return .made(
            side("old", unread: 0),
            side("new", unread: lost),
            GoldenComparison.noise,
            ComparisonTolerances.standard.exactOnly
        )
    }

    @Test func nothingLostAndNothingGainedIsNoDifferenceHoweverFewThePhotos() throws {
        let same = losing(0, of: 30, photos: 3)
        #expect(same.verdict == .pass && same.open.isEmpty)
        #expect(same.rows.filter { $0.metric.family == .accuracy }.allSatisfy { $0.status == .noDifference })
        let other = losing(5, of: 30, photos: 3)
        let row = try #require(other.rows.first { $0.metric == .titleRead })
        #expect(other.verdict == .inconclusive && row.status == .undecided && row.p == nil)
        #expect(row.note.contains("needs ≥ 10 groups, there are 3"))
    }

    @Test func aGateSaysWhatItNeedsBeforeItCanFail() {
        let photos = (0..<30).map { Optional("photo \($0 % 3)") }
        let few = ComparisonTolerances.standard.needs(photos: photos)
        #expect(few.contains("cannot fail with 30 samples on 3 photos (needs ≥ 10 groups, there are 3)"), "\(few)")
        // More than 2 points of 240: 5; of 40: 1, but fewer than 4 may be chance.
        let many = ComparisonTolerances.standard.needs(photos: [String?](repeating: nil, count: 240))
        #expect(many.contains("fails from 5 lost titles on, of 240 samples on 240 photos"), "\(many)")
        let some = ComparisonTolerances.standard.needs(photos: [String?](repeating: nil, count: 40))
        #expect(some.contains("fails from 4 lost titles on, of 40 samples"), "\(some)")
    }

    @Test(arguments: [(40, 3), (40, 4), (240, 4), (240, 5)])
    func theGateFailsFromAsManyAsItSays(samples: Int, lost: Int) {
        let comparison = losing(lost, of: samples, photos: samples)
        let says = ComparisonTolerances.standard.needs(photos: [String?](repeating: nil, count: samples))
        #expect((comparison.verdict == .fail) == says.contains("fails from \(lost) lost"))
    }

    @Test func samplesOfOneSideAreNamedAndNotCompared() {
        var b = GoldenComparison.b
        b.entries.removeFirst(2)
        b.entries.append(MadeSides.entry("other"))
        let comparison = Comparison.made(GoldenComparison.a, b)
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
        let set = ReadingSet(name: "A", samples: samples, records: records)
        let entry = try #require(set.entries.first)
        #expect(set.entries.count == 1)
        #expect(entry.title == true && entry.varies && entry.text == "Dune")
        #expect(entry.readings.map(\.milliseconds) == [12, .infinity])
        #expect(entry.milliseconds == .infinity)
        #expect(set.problems.count == 2)
    }

    @Test func theMarkdownIsAsItWasApproved() throws {
        try GoldenFile("comparison.md").expect(GoldenComparison.report.document.markdown())
    }

    @Test func whatACommentHasNoRoomForIsInTheFile() throws {
        var report = GoldenComparison.report
        report.notes = ["A note."]
        let long = (0..<2_000).map { Comparison.Flip(id: "sample-\($0)", category: "vertical", isLost: true) }
        report.parts = (0..<90).map { number in
            var part = report.parts[0]
            (part.pairs[0].label, part.pairs[0].flips) = ("comparison \(number)", long)
            return part
        }
        let short = CheckReport(report).markdown
        #expect(short.count <= 60_000 && short.contains("A note.") && short.contains("comparison.md"))
        let files = try ComparisonReports(report, datasets: []).files()
        #expect(try #require(files["comparison.md"]).count > 60_000)
    }

    @Test func theJSONHasTheKeysOfItsFormat() throws {
        let files = try ComparisonReports(GoldenComparison.report, datasets: []).files()
        let object = try JSONSerialization.jsonObject(with: Data(try #require(files["comparison.json"])))
        let report = try #require(object as? [String: Any])
        #expect(report["format"] as? Int == 3 && report["verdict"] as? String == "fail")
        let part = try #require((report["parts"] as? [[String: Any]])?.first)
        let comparison = try #require((part["pairs"] as? [[String: Any]])?.first)
        let row = try #require((comparison["rows"] as? [[String: Any]])?.first)
        #expect(
            row.keys.sorted() == [
                "a", "b", "category", "change", "gates", "interval", "metric", "noise", "note", "p",
                "status",
                "tolerance",
            ]
        )
        let flip = try #require((comparison["flips"] as? [[String: Any]])?.first)
        #expect(flip.keys.sorted() == ["category", "id", "isLost", "textA", "textB"])
    }

    /// Of two readers neither is the base: what is worse of one is better of the other.
    @Test func ofTwoReadersOneIsBetter() {
        var report = GoldenComparison.report
        #expect(report.word == "REGRESSION" && report.exitCode == 1)
        report.kind = .readers
        #expect(report.word == "B WORSE" && report.exitCode == 1)
        // +10.0 % [+8.9 %, +11.1 %]
        #expect(report.sentence.contains("A is 1.10 times as fast as B [1.09, 1.11]."))
        report.kind = .gate
        #expect(report.sentence.hasPrefix("The run is worse than its baseline: latency shift +10.0 %"))
        #expect(report.document.markdown().contains("Next: compare the stages' time"))
    }

    @Test func theJSONIsTheReport() throws {
        let files = try ComparisonReports(GoldenComparison.report, datasets: []).files()
        let data = Data(try #require(files["comparison.json"]))
        var report = GoldenComparison.report
        report.parts[0].readings = []
        #expect(try JSONDecoder().decode(ComparisonReport.self, from: data) == report)
    }

    @Test func thePageLoadsNothingAndKeepsTextText() throws {
        let files = try ComparisonReports(GoldenComparison.report, datasets: [.made(GoldenComparison.samples)]).files()
        let page = String(decoding: try #require(files["comparison.html"]), as: UTF8.self)
        #expect(page.contains(#""verdict":"fail","warnings":[],"word":"REGRESSION""#))
        #expect(page.contains("default-src 'none'") && !page.contains("<img") && !page.contains("src="))
        // Its 7 flips are given, as all other samples: s1 of A and B is 1 and 0.
        #expect(page.contains(#""i":"s1","o":"cw","r":[{"l":[["Volume 1"]],"t":1},{"l":[["Vol | 1"]],"t":0}]"#))
        #expect(page.contains(#""base":0"#) && page.contains("6 lost, 1 gained"))
        let flips = String(decoding: try #require(files["flips.csv"]), as: UTF8.self)
        #expect(flips.split(separator: "\n").count == 8)
        #expect(flips.contains("made,s1,vertical,A,Volume 1,Volume 1,Vol | 1,images/s1.png"))
    }
}
