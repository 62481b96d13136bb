import Basics
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness

/// Counts of work, which are compared exactly.
@Suite(.tags(.unit)) struct WorkComparisonTests {
    private typealias Counts = [WorkCounts.Key: Int]

    private static let tolerances = ComparisonTolerances(
        changes: Dictionary(uniqueKeysWithValues: Metric.works.map { ($0, 0.01) }),
        leastBytes: 0
    )

    /// A side of samples with these counts; those with `other` in their text are numbered.
    private func side(_ counts: [Counts?], other: Set<Int> = [], milliseconds: Double = 10) -> ReadingSet {
        var set = ReadingSet(name: "a", entries: [])
        set.entries = counts.enumerated().map { number, counts in
            var entry = MadeSides.entry("s\(number)", text: other.contains(number) ? "other" : "text")
            entry.work = counts.map(WorkCounts.init)
            entry.stages = ["detection": milliseconds, "recognition": milliseconds]
            return entry
        }
        return set
    }

    private static func counts(_ detections: Int, _ lines: Int) -> Counts {
        [.init(.detectionElements, "small"): detections, .init(.linesRecognised): lines, .init(.rowsRead): 0]
    }

    private func compared(_ a: ReadingSet, _ b: ReadingSet) -> Comparison {
        .made(a, b, NoiseFloor(unmeasured: a), Self.tolerances)
    }

    private func metric(_ work: Work) -> Metric { Metric.works[Work.allCases.firstIndex(of: work) ?? 0] }

    @Test func aShareMoreOfOneKindIsFoundInThatKindAlone() throws {
        let a = side((0..<12).map { _ in Self.counts(1_000, 50) })
        let b = side((0..<12).map { Self.counts($0 == 3 ? 1_240 : 1_000, 50) }, other: [3, 4])
        let comparison = compared(a, b)
        // (12 × 1,000 + 240) / 12,000.
        let row = try #require(comparison[metric(.detectionElements)])
        #expect(row.a == .value(1_000) && row.b == .value(1_020) && isNear(row.change.value, 0.02, within: 1e-12))
        #expect(row.status == .worse && row.isRegression && comparison.verdict == .fail)
        #expect(row.note == "1 sample of 12 differ, 1 of them in their text, too")
        let lines = try #require(comparison[metric(.linesRecognised)])
        #expect(lines.status == .noDifference && lines.gates && lines.change == .value(0))
        // Neither side does it.
        #expect(comparison[metric(.rowsRead)] == nil)
        #expect(comparison.causes?.contains("Work: detection elements +2.0 %.") == true)
        #expect(compared(b, a).verdict == .pass)
    }

    @Test func withinTheToleranceNothingIsWorse() throws {
        let row = compared(side([Self.counts(1_000, 50)]), side([Self.counts(1_010, 50)]))[metric(.detectionElements)]
        #expect(row?.status == .noDifference && row?.note.hasSuffix("worse, within the tolerance") == true)
    }

    @Test func whatOnlyTheOtherSideDoesIsAHundredPercentMore() throws {
        var b = Self.counts(1_000, 50)
        b[.init(.rowsRead)] = 7
        let row = compared(side([Self.counts(1_000, 50)]), side([b]))[metric(.rowsRead)]
        #expect(row?.a == .value(0) && row?.b == .value(7) && row?.change == .value(1) && row?.isRegression == true)
        let a = side([Self.counts(1_000, 50)])
        let noise = NoiseFloor(a: a, control: a) { _, _ in 0 }
        #expect(Comparison.made(a, side([b]), noise, Self.tolerances)[metric(.rowsRead)]?.isRegression == true)
    }

    @Test func sidesWithoutCountsLeaveTheGateOpen() {
        let comparison = compared(side([nil]), side([Self.counts(1, 1)]))
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.rows.filter { $0.metric.family == .work }.map(\.a) == [.absent("not counted on both sides")])
    }

    @Test func countsThatChangeBetweenReadingsDoNotGate() throws {
        var a = side([Self.counts(1_000, 50)])
        a.entries[0].workVaries = true
        let row = compared(a, side([Self.counts(1_100, 50)]))[metric(.detectionElements)]
        #expect(row?.status == .undecided && row?.gates == false)
        #expect(row?.note.contains("work of 1 sample differs between readings of A") == true)
    }

    @Test func anotherPrecisionIsNamed() throws {
        var (a, b) = (side([Self.counts(10, 1)]), side([Self.counts(11, 1)], other: [0]))
        (a.precision, b.precision) = ("bf16", "f32")
        let note = try #require(compared(a, b)[metric(.detectionElements)]).note
        #expect(note.contains("1 of them in their text, too, A was computed in bf16, B in f32"))
    }

    @Test func stagesWithEqualWorkAreAControl() throws {
        let (a, more) = (side((0..<12).map { _ in Self.counts(9, 5) }), (0..<12).map { _ in Self.counts(10, 5) })
        var noise = NoiseFloor(unmeasured: a)
        noise.floors[.latency] = .value(0.05)
        func control(_ b: ReadingSet) -> String? { Comparison.made(a, b, noise, Self.tolerances).causes?.last }
        let text = try #require(control(side(more)))
        #expect(text.hasPrefix("Equal work and texts, a control: recognition +0.0 % ["))
        #expect(text.hasSuffix("None of these times moved."))
        let slower = try #require(control(side(more, milliseconds: 12)))
        #expect(slower.contains("recognition +20.0 %") && slower.contains(", moved. Where such a time moved"))
        // Within the noise; and without one.
        #expect(control(side(more, milliseconds: 10.4))?.hasSuffix("None of these times moved.") == true)
        #expect(compared(a, side(more, milliseconds: 12)).causes?.last?.hasSuffix("Not measured in turns.") == true)
        // Other texts may need other work in any stage.
        #expect(Comparison.untouched(SidePair(a, side(more, other: [1])).samples, floor: 0) == nil)
    }

    /// Ten thousand draws of samples and times of one build: no count may change.
    @Test func aBuildAgainstItselfGivesNoAlarm() {
        var random = SplitMix64(state: 5)
        let all = side((0..<240).map { _ in Self.counts(Int.random(in: 1...9_000, using: &random), 7) })
        for _ in 0..<10_000 {
            var (a, b) = (all, all)
            a.entries = (0..<12).map { _ in all.entries[Int.random(in: 0..<240, using: &random)] }
            for index in a.entries.indices { a.entries[index].id = "s\(index)" }
            b.entries = random.shuffled(a.entries)
            for index in b.entries.indices {
                b.entries[index].readings[0].milliseconds *= Double.random(in: 0.5...2, using: &random)
            }
            let pair = SidePair(a, b, noise: NoiseFloor(unmeasured: a), tolerances: Self.tolerances)
            let rows = [Work.detectionElements, .linesRecognised].map { pair.row(metric($0)) }
            guard rows.allSatisfy({ $0.status == .noDifference && $0.gates }) else {
                Issue.record("\(rows)")
                return
            }
        }
    }

    @Test func countsIsOneNameForAll() throws {
        let tolerances = try ComparisonTolerances.parse("counts=1%,work-rows-read=off")
        #expect(tolerances[metric(.detectionCalls)] == 0.01 && tolerances[metric(.rowsRead)] == nil)
        #expect(tolerances.exactOnly[metric(.detectionCalls)] == 0.01 && tolerances.exactOnly[.latency] == nil)
    }
}
