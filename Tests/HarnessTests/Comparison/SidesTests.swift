import Basics
import Documents
import Evaluation
import Foundation
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct SidesTests {
    /// A side of forty samples; `unread` are not read.
    private func side(
        _ name: String,
        unread: Set<Int> = [],
        factor: Double = 1,
        peaks: [Double] = [300e6, 301e6, 299e6, 300.5e6]
    ) -> ReadingSet {
        ReadingSet(
            name: name,
            entries: (0..<40).map { index in
                let milliseconds = (30 + Double(index)) * factor
                let times = [milliseconds, milliseconds * 1.01]
                return MadeSides.entry("s\(index)", title: !unread.contains(index), text: "t", milliseconds: times)
            },
            workers: peaks.enumerated().map { .init(stint: $0, figures: [.peakFootprint: $1]) }
        )
    }

    private func compare(_ sides: ReadingSet..., noise: NoiseFloor = GoldenComparison.noise) -> Sides {
        Sides(sides, dataset: "made", noise: noise, tolerances: .standard)
    }

    @Test func pairsAreCorrectedForAllPairsOfAMetric() throws {
        let sides = compare(side("one"), side("two", unread: Set(0..<10)), side("three"))
        let titles = sides.pairs.map { $0[.titleRead] }
        // McNemar of 10 lost and none gained: SciPy's chi2.sf(10, 1). Holm: times 3, then the largest so far, then 1.
        #expect(sides.pairs.map { [$0.a, $0.b] } == [[0, 1], [0, 2], [1, 2]])
        #expect(isNear(titles[0]?.p, 0.0015654022580025, within: 1e-12))
        #expect(isNear(titles[0]?.correctedP, 0.0046962067740075, within: 1e-12))
        #expect(isNear(titles[2]?.correctedP, 0.0046962067740075, within: 1e-12))
        #expect(titles[1]?.correctedP == 1 && sides.pairs.map { $0.better(.titleRead) } == [0, nil, 2])
        #expect(sides.ranks(.titleRead) == [1, 3, 1])
        #expect(sides.pairs.map(\.letter) == ["B", "C", "C"] && sides.pairs[2].label == "C against B")
        #expect(sides.comparisons.map(\.label) == ["B against A", "C against A"])
        #expect(sides.comparisons.map(\.verdict) == [.fail, .pass])
        #expect(titles[0]?.status == .worse && titles[2]?.status == .better)
    }

    @Test func aChangeThatIsNotSignificantByTheCorrectionIsNotDecided() throws {
        // 5 lost of 40: SciPy's chi2.sf(5, 1) is 0.0253, and three times that is above 0.05.
        let lossy = side("two", unread: Set(0..<5))
        let two = compare(side("one"), lossy)
        #expect(two.comparisons[0].verdict == .fail && two.comparisons[0].rows.allSatisfy { $0.correctedP == nil })
        // One pair needs no correction, and has no table beside its rows.
        #expect(isNear(two.pairs[0][.titleRead]?.p, 0.0253473186774682, within: 1e-9))
        #expect(two.ranks(.titleRead).isEmpty && two.tables.isEmpty && two.comparisons[0].label == "made")
        let three = compare(side("one"), lossy, side("three"))
        let row = try #require(three.comparisons[0][.titleRead])
        #expect(isNear(row.correctedP, 0.0760419560, within: 1e-9) && row.status == .undecided)
        #expect(row.note.contains("not significant by Holm's correction for 3 pairs"))
        #expect(three.comparisons[0].verdict != .fail)
        #expect(three.ranks(.titleRead) == [1, 1, 1])
    }

    @Test func memoryIsTestedByProcesses() {
        let sides = compare(side("one"), side("two", peaks: [310e6, 309e6, 312e6, 311e6]), side("three"))
        // SciPy's ttest_rel of the logarithms.
        #expect(isNear(sides.pairs[0][.peakFootprint]?.chance(processes: 4), 0.0020531583411335518, within: 1e-9))
        #expect(sides.ranks(.peakFootprint) == [1, 3, 1])
    }

    @Test func timesWithoutNoiseAreNotRanked() {
        let readings = [side("one"), side("two", factor: 1.5), side("three")]
        let sides = Sides(
            readings,
            dataset: "made",
            noise: NoiseFloor(unmeasured: readings[0]),
            tolerances: ComparisonTolerances.standard.exactOnly
        )
        #expect(sides.ranks(.latency) == [] && sides.ranks(.titleRead) == [1, 1, 1])
        #expect(sides.comparisons[0].rows.allSatisfy { ![.worse, .better].contains($0.status) })
        #expect(sides.ranks.note.contains("Without a rank") && sides.ranks.rows[1][2] == "+50.0 %")
    }

    @Test func nobodyBeatsTheFront() throws {
        // Read, milliseconds, bytes: the second is worse than the first in all, the third is best in memory.
        let figures = [[0.9, 20, 300e6], [0.8, 30, 310e6], [0.7, 40, 100e6], [0.9, 20, 301e6]]
        let metrics: [Metric] = [.titleRead, .latencyP95, .peakFootprint]
        func estimate(_ index: Int, _ metric: Metric) -> BoundedValue? {
            metrics.firstIndex(of: metric).map { BoundedValue(figures[index][$0]) }
        }
        let pareto = try #require(
            Pareto(["a", "b", "c", "d"], values: estimate) { metric, better, other in
                // A difference of 1 MB is not shown.
                abs(figures[better][2] - figures[other][2]) > 5e6
            }
        )
        #expect(pareto.points.map(\.beatenBy) == [[], [0, 3], [], []])
        #expect(pareto.points.map(\.openAgainst) == [[], [], [], [0]])
        #expect(pareto.sentence.hasSuffix(": a, c, d."))
        #expect(pareto.table("").rows.map(\.last) == ["not beaten", "**a, d**", "not beaten", "not decided: a"])
    }

    /// The metrics of a front of two variants, whose figures are those of the metrics that each has.
    @Test(arguments: [
        ([[Metric.titleRead, .latencyP50, .latencyP95]], nil), ([[.titleRead], [.titleRead]], nil),
        // Without a time, titles and memory decide nothing; of few readings, it is the median.
        ([[.titleRead, .peakFootprint], [.titleRead, .peakFootprint]], nil),
        ([[.titleRead, .latencyP50, .latencyP95], [.titleRead, .latencyP50]], [Metric.titleRead, .latencyP50]),
        (
            [[.titleRead, .latencyP50, .latencyP95], [.titleRead, .latencyP50, .latencyP95]], [.titleRead, .latencyP95]
        ),
    ])
    func aFrontHasATime(_ known: [[Metric]], _ metrics: [Metric]?) {
        let pareto = Pareto(
            known.indices.map { "\($0)" },
            values: { known[$0].contains($1) ? BoundedValue(Double($0)) : nil },
            isShown: { _, _, _ in true }
        )
        #expect(pareto?.metrics == metrics)
        let isOfMedians = pareto?.table("").note.contains("P50, as P95 needs 90 readings of each variant")
        #expect(isOfMedians == metrics.map { $0.contains(.latencyP50) })
    }

    @Test func theReportOfThreeSidesNamesThemAll() throws {
        let sides = compare(side("one"), side("two", unread: Set(0..<10), factor: 1.2), side("three"))
        let report = ComparisonReport(tool: "t", method: "m.", tolerances: .standard, parts: [sides])
        let files = try ComparisonReports(report, datasets: []).files()
        let text = String(decoding: try #require(files["comparison.md"]), as: UTF8.self)
        #expect(text.contains("## Ranks") && text.contains("## All pairs") && text.contains("## Pareto"))
        #expect(text.contains("| A one | 100.0 %, 1 |") && text.contains("Worse: B against A: title read"))
        #expect(text.contains("B is two;") && text.contains("C is three;"))
        // Only the ranks' changes are all from A.
        #expect(text.contains("| side | title read | latency against A |"))
        #expect(text.contains("| pair | title read | latency shift |"))
        let page = String(decoding: try #require(files["comparison.html"]), as: UTF8.self)
        #expect(
            page.contains(#"[{"l":[["t"]],"t":1},{"l":[["t"]],"t":0},{"l":[["t"]],"t":1}]"#)
                && page.contains(#""C: three""#)
        )
    }

    @Test func theStageWhoseTimeGrewIsNamed() throws {
        func entry(_ id: Int, _ stages: [String: Double]) -> ReadingSet.Entry {
            var entry = MadeSides.entry("s\(id)")
            entry.stages = stages
            return entry
        }
        func pairs(_ stages: (Int) -> [String: Double]) -> [SamplePair] {
            (0..<20).map { index in
                let before = ["detection": 6 + Double(index % 2), "recognition": 3.5, "decode": 1]
                return SamplePair(a: entry(index, before), b: entry(index, stages(index)))
            }
        }
        // 11 ms become 16: recognition grows by 5 ms, from 3.5 of 11 to 8.5 of 16.
        let slower = Comparison.slowerStage(
            pairs { ["detection": 6 + Double($0 % 2), "recognition": 8.5, "decode": 1] }
        )
        #expect(
            slower
                == "Slower in recognition: +5.0 ms a reading of +5.0 ms in all stages; its share was 31.8 %, and is 53.1 %."
        )
        // Up and down by 1 ms, ten times each: the interval includes 0.
        #expect(
            Comparison.slowerStage(pairs { ["detection": 7 - Double($0 % 2), "recognition": 3.5, "decode": 1] }) == nil
        )
        #expect(Comparison.slowerStage(pairs { _ in [:] }) == nil && Comparison.slowerStage([]) == nil)
    }

    @Test func stagesAreCountedOnce() {
        var times = StageTimes()
        times[.decode] = 2
        times[.reading] = 30
        (times[.detectionInference], times[.recognitionInference]) = (10, 15)
        #expect(
            ReadingSet.Entry.stages([times, times])
                == ["decode": 2, "detection": 10, "recognition": 15, "rest of reading": 5]
        )
        #expect(ReadingSet.Entry.stages([]).isEmpty)
    }

    @Test func theSliceThatLosesMostIsNamed() throws {
        // 9 of 20 and 3 of 180 are lost: SciPy's fisher_exact is 2.7e-8, of which there are two.
        let samples = (0..<200).map { Sample.made("s\($0)", $0 < 20 ? .stylized : .vertical, title: "Emma") }
        func pairs(lost: Set<Int>) -> [SamplePair] {
            samples.indices.map { index in
                let id = samples[index].id
                return SamplePair(a: MadeSides.entry(id), b: MadeSides.entry(id, title: !lost.contains(index)))
            }
        }
        #expect(
            Comparison.losingSlice(pairs(lost: Set(0..<9).union(100..<103)), .made(samples))
                == "Lost most in category stylized: 9 of 20 titles that A read; elsewhere 3 of 180 (p < 0.0001, corrected for "
                + "all slices)."
        )
        #expect(
            Comparison.losingSlice(pairs(lost: [0, 30, 60, 90, 120, 150, 180, 190, 195]), .made(samples))
                == "No slice of the titles that A read loses more than the others beyond chance."
        )
        #expect(Comparison.losingSlice([], .made(samples)) == nil)
    }
}

/// Eight variants that are the same, drawn from the committed baseline: each sample's real time and titles.
@Suite(.tags(.unit), .inTurns) struct EqualVariantsTests {
    private static let spread = (readings: 0.04, processes: 0.02, memory: 0.003)

    private func sides(_ part: ReadingSet, seed: UInt64) -> Sides {
        var random = SplitMix64(state: seed)
        func normal() -> Double { Normal.quantile(random.nextDouble() + 0x1p-54) }
        let samples = part.entries.map { Sample.made($0.id, group: $0.group) }
        let names = (0..<8).map(ComparisonPlan.Side.init) + [.control]
        let plan = ComparisonPlan(samples: samples, rounds: 2, seed: seed, sides: names)
        let stints = plan.stintOf()
        let real = Dictionary(uniqueKeysWithValues: part.entries.map { ($0.id, $0) })
        // One title of a hundred is read or not by chance.
        let flickers = Set(part.entries.map(\.id).filter { _ in random.nextDouble() < 0.01 })
        func side(_ name: String) -> ReadingSet {
            let luck = plan.stints.map { _ in normal() * Self.spread.processes }
            return ReadingSet(
                name: name,
                entries: samples.compactMap { sample in
                    guard var entry = real[sample.id], let milliseconds = entry.milliseconds else { return nil }
                    entry.readings = (1...2).map { round in
                        let logarithm =
                            (stints(sample.id, round).map { luck[$0] } ?? 0) + normal() * Self.spread.readings
                        return .init(round: round, milliseconds: milliseconds * exp(logarithm))
                    }
                    if flickers.contains(sample.id) { entry.outcomes[.titleRead] = random.nextDouble() < 0.5 }
                    return entry
                },
                workers: plan.stints.indices.map {
                    .init(stint: $0, figures: [.peakFootprint: 300e6 * exp(normal() * Self.spread.memory)])
                }
            )
        }
        let sides = names.map { side($0.rawValue) }
        return Sides(
            Array(sides.dropLast()),
            dataset: "real",
            noise: NoiseFloor(a: sides[0], control: sides[8], stint: stints),
            tolerances: .standard
        )
    }

    @Test func atMostOneOfTwentyRunsCallsAnyPairDifferent() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path
        let part = try #require(try Baseline.load("\(root)/Reports/baseline/spines-1.json").measurements.first)
        let count = Int(ProcessInfo.processInfo.environment["SPINEBENCH_EQUAL_RUNS"] ?? "") ?? 40
        let alarms = (0..<count).compactMap { run -> String? in
            let sides = sides(part.readings, seed: UInt64(run))
            let parted = Metric.compared.filter { metric in sides.pairs.contains { $0.better(metric) != nil } }
                .map(\.rawValue)
            let beaten = sides.pareto?.points.contains { !$0.beatenBy.isEmpty } ?? false
            return parted.isEmpty && !beaten ? nil : "\(run): \(parted.joined(separator: ", "))"
        }
        #expect(alarms.count * 20 <= count, "\(alarms)")
    }
}
