import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// Memory is two figures, each under its name, and neither is compared with what versions until 28 November 2026 took.
@Suite(.tags(.unit)) struct MemoryDefinitionTests {
    private func memory(_ json: String) throws -> MemoryReading {
        try JSONDecoder().decode(MemoryReading.self, from: Data(json.utf8))
    }

    private func result(_ memory: MemoryReading, targets: [Claim] = Claim.standard) throws -> RunResult {
        var run = MadeRun(
            (0..<100).map { Sample.made("s\($0)", title: "Title") },
            targets: targets.filter { $0.holds(for: "fast") && $0.metric?.family == .memory },
            host: .current()
        ) { record, _ in record.memory = memory }
        run.events.append(RunEvent(kind: .began, time: "", measurement: "fast", memory: memory, peakWasReset: true))
        return try run.result()
    }

    /// The limit is about the footprint; the resident peak of 203 MB stands beside it, as missed, and does not gate.
    @Test func theFootprintGatesAndTheResidentPeakStandsBesideIt() throws {
        let result = try result(
            MemoryReading(
                resident: .init(190_000_000, peak: 203_000_000),
                footprint: .init(70_000_000, peak: 74_000_000)
            )
        )
        #expect(result.compliance.map(\.metric) == [.peakFootprint, .peakResident])
        #expect(result.compliance.map(\.claim.source) == ["S0-M04", "S0-M04"])
        #expect(result.compliance.map(\.value) == [.value(74_000_000), .value(203_000_000)])
        #expect(result.compliance.map(\.judgement.verdict) == [.pass, .fail])
        #expect(result.compliance.map(\.gates) == [true, false])
        #expect(result.exitCode == 0)
        let report = RunDocument(result).markdown
        #expect(report.contains("peak memory footprint < 200 MB") && report.contains("peak resident memory < 200 MB"))
        #expect(report.contains("203.0 MB missed"))
        #expect(!report.contains("memory of the whole process"))
    }

    /// 126 MB more of the process's own memory, which the earlier limit would have let pass beside pages of files.
    @Test func aWrongMemoryIsNamedByTheReport() throws {
        let result = try result(
            MemoryReading(
                resident: .init(300_000_000, peak: 316_000_000),
                footprint: .init(190_000_000, peak: 200_300_000)
            )
        )
        #expect(result.exitCode == 1)
        let sentence = VerdictText(result).sentence
        #expect(
            sentence == "1 of 1 gating target missed: fast: peak memory footprint (200.3 MB, target < 200 MB).",
            "\(sentence)"
        )
        let failed = CheckReport(result).checks.filter { $0.outcome == .failed }
        #expect(failed.map(\.name) == ["peak memory footprint < 200 MB (S0-M04)"])
    }

    @Test func anEarlierRunKeepsItsFigureUnderItsOwnName() throws {
        let old = try memory(#"{"peakBytes":74300000,"residentBytes":70000000}"#)
        var then = Claim.standard.filter { $0.metric == .peakFootprint }
        for index in then.indices { then[index].metric = .peakMemory }
        let result = try result(old, targets: then + Claim.standard)
        let rows = Dictionary(grouping: result.compliance, by: \.metric).mapValues { $0[0] }
        #expect(rows[.peakMemory]?.value == .value(74_300_000) && rows[.peakMemory]?.judgement.verdict == .pass)
        for metric in [Metric.peakFootprint, .peakResident] {
            #expect(rows[metric]?.value == .absent(MemorySummary.redefined))
            #expect(rows[metric]?.judgement.verdict == .inconclusive)
        }
        #expect(result.exitCode == 3)
        let measures = ChartedFigure.of(result.measurements[0]).map(\.measure)
        #expect(measures.contains("memory") && !measures.contains("footprint") && !measures.contains("resident"))
        let new = try self.result(.made(footprint: 70_000_000, peak: 74_300_000))
        let charted = ChartedFigure.of(new.measurements[0]).map(\.measure)
        #expect(!charted.contains("memory") && charted.contains("footprint") && charted.contains("resident"))
    }

    private func rows(_ a: ReadingSet.Worker, _ b: ReadingSet.Worker) -> [Metric: ComparisonRow] {
        let sides = [a, b].map { ReadingSet(name: "", entries: [], workers: [$0]) }
        let floor = Figure.value(0.01)
        let noise = NoiseFloor(
            floors: [.peakFootprint: floor, .peakResident: floor, .peakMemory: floor, .memoryDelta: floor],
            processSpread: 0,
            origin: ""
        )
        let rows = SidePair(sides[0], sides[1], noise: noise, tolerances: .standard).overall
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.metric, $0) })
    }

    @Test func anEarlierSideIsNotComparedWithANewOne() throws {
        let old = ReadingSet.Worker(figures: [.peakMemory: 74e6, .memoryDelta: 1e6])
        let new = ReadingSet.Worker(figures: [.peakFootprint: 74e6, .peakResident: 190e6, .memoryDelta: 1e6])
        for (a, b, side) in [(old, new, "A"), (new, old, "the other side")] {
            let found = rows(a, b)
            for metric in [Metric.peakFootprint, .peakResident, .peakMemory, .memoryDelta] {
                let row = try #require(found[metric])
                #expect(row.change == .absent("of \(side), \(MemorySummary.redefined)") && row.status == .undecided)
                #expect(row.note.contains("another definition, of versions until 28 November 2026: measure it again"))
            }
        }
        // 203 against 190 MB resident, as 74 MB of both: neither hides the other.
        let grown = ReadingSet.Worker(figures: [.peakFootprint: 74e6, .peakResident: 203e6, .memoryDelta: 1e6])
        let both = rows(new, grown)
        #expect(both[.peakMemory] == nil && both[.peakFootprint]?.status == .noDifference)
        #expect(isNear(both[.peakResident]?.change.value, 203.0 / 190 - 1, within: 1e-12))
        #expect(both[.peakResident]?.gates == false)
        let early = rows(old, ReadingSet.Worker(figures: [.peakMemory: 148e6, .memoryDelta: 1e6]))
        #expect(isNear(early[.peakMemory]?.change.value, 1, within: 1e-12) && early[.peakMemory]?.gates == false)
    }

    @Test func theEarlierNameIsRefusedWithItsSuccessors() throws {
        #expect(Metric.named("peak-memory") == nil && Metric.named("memory") == nil)
        #expect(Metric.named("footprint") == .peakFootprint && Metric.named("resident") == .peakResident)
        let both = try ComparisonTolerances.parse("memory=3%,memory=5MB")
        #expect(both[.peakFootprint] == 0.03 && both[.peakResident] == 0.03 && both.leastBytes == 5e6)
        let one = try ComparisonTolerances.parse("resident=4%,footprint=off")
        #expect(one[.peakFootprint] == nil && one[.peakResident] == 0.04)
        #expect(try ComparisonTolerances.parse("memory=off") == .standard.keeping { !$0.isPeakOfMemory })
        #expect {
            try ComparisonTolerances.parse("peak-memory=5%")
        } throws: {
            "\($0)".contains(
                "use \"peak-footprint\", which counts against an app's limit on a phone, or \"peak-resident\""
            )
        }
    }
}
