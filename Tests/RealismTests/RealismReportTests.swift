import Basics
import Evaluation
import Foundation
import Harness
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Judging
@testable import Realism

@Suite struct RealismReportTests {
    /// Spines whose short sides are given; the first `read` titles are read by "good", none by "bad".
    private func set(_ name: String, _ shortSides: [Double?], read: Int, group: String? = nil) -> RealismSet {
        let spines = shortSides.enumerated().map { index, side in
            let category = SampleCategory.allCases[index % 3]
            var spine = RealismSpine(
                sample: .made("\(name)-\(index)", category, title: "Emma", transcription: "EMMA Austen", group: group)
            )
            spine.statistics[.shortSide] = side
            spine.statistics[.lines] = 2
            spine.texts = index < read ? ["good": "EMMA Austen", "bad": "x"] : ["good": "EMMA"]
            if index >= read { spine.texts["good"] = "" }
            return spine
        }
        return RealismSet(name: name, digest: "sha256:\(name)", spines: spines)
    }

    private var sets: [RealismSet] {
        [
            set("drawn", [100, 110, 120, 130, 140, nil], read: 6),
            set("one", [10, 20, 30, 40, 50, 60, 70, 80], read: 4, group: "photo"),
            set("two", [50, 60, 70, 80], read: 2),
        ]
    }

    private var report: RealismReport {
        RealismReport(
            candidate: sets[0],
            references: [sets[1], sets[2]],
            variants: ["good", "bad"],
            lineFinder: "good",
            problems: ["one, bad, sample \"one-7\": broken"]
        )
    }

    @Test func aStatisticIsComparedWithAllReferencesTogether() throws {
        let row = try #require(report.statistics.first { $0.name == "shortSide" })
        // By hand: 10 20 30 40 50 50 60 60 70 70 80 80, quartiles by rank 3 and 9: 30 and 70.
        #expect(row.pooled.count == 12)
        #expect(row.pooled.p50 == .value(50))
        #expect(isNear(row.spread.value, 40 / 1.349, within: 1e-12))
        #expect(row.candidate.count == 5)
        #expect(row.candidate.missing == 1)
        #expect(isNear(row.shift.median.value, 70 * 1.349 / 40, within: 1e-12))
        #expect(row.shift.isWithin == false)
        // Medians 40 and 60.
        #expect(isNear(row.betweenReferences.value, 20 * 1.349 / 40, within: 1e-12))
    }

    @Test func aStatisticThatDoesNotSpreadCanStillBeTheSame() throws {
        let row = try #require(report.statistics.first { $0.name == "lines" })
        #expect(row.spread == .absent("the values do not spread"))
        #expect(row.shift.isWithin == true)
    }

    @Test func whatNoSpineHasIsAbsent() throws {
        let row = try #require(report.statistics.first { $0.name == "noise" })
        #expect(row.candidate.count == 0)
        #expect(row.candidate.missing == 6)
        #expect(row.shift.isWithin == nil)
    }

    @Test func aRateIsComparedWithTheSpanOfTheIntervals() throws {
        let good = try #require(report.rates.first { $0.variant == "good" && $0.category == "all" })
        #expect(good.candidate.titleRead.proportion == Proportion(successes: 6, trials: 6))
        #expect(good.pooled.titleRead.proportion == Proportion(successes: 6, trials: 12))
        // statsmodels' proportion_confint(…, method="wilson"): 4 of 8 is [0.2152, 0.7848], 2 of 4 is [0.1500, 0.8500].
        #expect(isNear(good.lowest.value, 0.1500, within: 5e-5))
        #expect(isNear(good.highest.value, 0.8500, within: 5e-5))
        #expect(good.isWithin == false)
        let bad = try #require(report.rates.first { $0.variant == "bad" && $0.category == "all" })
        #expect(bad.isWithin == true)
        let categories = report.rates.filter { $0.variant == "good" }.map(\.category)
        #expect(categories == ["all", "vertical", "inverted", "stylized"])
    }

    @Test func oneReferenceIsNotFarFromItself() throws {
        let alone = RealismReport(
            candidate: sets[1],
            references: [sets[1]],
            variants: ["good"],
            lineFinder: "good"
        )
        let row = try #require(alone.statistics.first { $0.name == "shortSide" })
        #expect(row.shift.median == .value(0))
        #expect(row.shift.kolmogorovSmirnov == .value(0))
        #expect(row.betweenReferences == .absent("no two references"))
        #expect(alone.order.rankings.map(\.set) == ["one", "one"])
        #expect(!RealismMarkdown(alone).text.contains("## Each set"))
    }

    @Test func whatAMedianHidesIsTold() {
        // The same median; on average a value lies 26 away, in spreads of 2/1.349.
        let wide = RealismReport(
            candidate: set("wide", [10, 50, 90], read: 3),
            references: [set("narrow", [49, 50, 51], read: 3)],
            variants: ["good"],
            lineFinder: "good"
        )
        #expect(RealismMarkdown(wide).text.contains("from value to value (W1): short side (px) 17.54.\n"))
        #expect(!RealismMarkdown(report).text.contains("(W1): "))
    }

    @Test func enginesInAnotherOrderAreTold() {
        func reversed(_ set: RealismSet) -> RealismSet {
            var set = set
            for index in set.spines.indices {
                let texts = set.spines[index].texts
                set.spines[index].texts = ["good": texts["bad"] ?? "", "bad": texts["good"] ?? ""]
            }
            return set
        }
        let sides = [Double?](repeating: 50, count: 20)
        let report = RealismReport(
            candidate: reversed(set("drawn", sides, read: 20)),
            references: [set("real", sides, read: 20)],
            variants: ["good", "bad"],
            lineFinder: "good"
        )
        let told = "Order of the engines: not the same. good reads better than bad on real and worse on drawn.\n"
        #expect(RealismMarkdown(report).text.contains(told))
    }

    @Test func theReportIsAsItWasApproved() throws {
        try GoldenFile("realism.md").expect(RealismMarkdown(report).text)
        let table = RealismCSV(sets, variants: ["good", "bad"]).bytes
        try GoldenFile("realism.csv").expect(String(decoding: table, as: UTF8.self))
    }

    @Test func theJSONReportIsTheReport() throws {
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(RealismReport.self, from: data) == report)
    }
}
