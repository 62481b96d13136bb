import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Basics
@testable import Evaluation
@testable import Statistics

/// Observations become figures; expected values are from hand calculation.
@Suite(.tags(.unit)) struct FoldTests {
    private func figures(_ readings: [Reading], topics: [Metric.Topic] = []) -> Figures {
        var fold = FigureFold()
        for reading in readings { fold.add(reading) }
        return fold.figures(topics: topics)
    }

    /// A reading of "Dune", a repetition of an earlier one where it is not the first.
    private func reading(
        _ id: String,
        group: String? = nil,
        isFirst: Bool = true,
        _ change: (inout SampleRecord) -> Void = { _ in }
    ) -> Reading {
        var record = SampleRecord(measurement: "fast", repetition: isFirst ? 1 : 2, position: 0, id: id)
        record.prediction = Prediction(lines: [])
        change(&record)
        return Reading(.made(id, title: "Dune", group: group), record)
    }

    @Test func everyMetricIsReadAsItIsWritten() throws {
        #expect(Set(Metric.allCases.map(\.rawValue)).count == Metric.allCases.count)
        #expect(Set(Metric.allCases.map(\.id)).count == Metric.allCases.count)
        for metric in Metric.allCases {
            let written = try JSONEncoder().encode([metric: metric])
            #expect(try JSONDecoder().decode([Metric: Metric].self, from: written) == [metric: metric])
            #expect(Metric.named(metric.id) == (metric == .peakMemory ? nil : metric))
        }
        #expect {
            try JSONDecoder().decode([Metric].self, from: Data(#"["titleRed"]"#.utf8))
        } throws: {
            "\($0)".contains("\"titleRed\" is not a metric")
        }
    }

    @Test func outcomesAreCountedOnceASample() {
        let readings = [true, false].flatMap { isFirst in
            (0..<4).map { number in
                reading("s\(number)", isFirst: isFirst) {
                    $0.book = BookOutcome(number < 3 ? .right : .wrong, rank: number + 1)
                }
            }
        }
        let figures = figures(readings)
        #expect(figures.samples == 4)
        #expect(figures.rate(.identified).proportion == Proportion(successes: 3, trials: 4))
        #expect(figures.values[.identified]?.value == .value(0.75))
        #expect(isNear(figures.values[.reciprocalRank]?.value.value, 25.0 / 48, within: 1e-12))
    }

    @Test func theOrderOfSamplesDoesNotMatter() {
        let readings = (0..<100).map { number in
            reading("s\(number)", group: "photo\(number / 7)") {
                $0.prediction?.lines = [.init(text: number % 3 == 0 ? "Dune" : "Dun")]
            }
        }
        #expect(figures(readings) == figures(readings.reversed()))
        #expect(figures(readings).rate(.titleRead).basis == .groups)
    }

    @Test func aMilestoneThatNeverCameIsLaterThanAll() throws {
        let reached = (1...99).map { time in reading("s\(time)") { $0.prediction?.milestones = ["text": Double(time)] }
        }
        let never = reading("s100") { $0.prediction?.milestones = ["draft": 1] }
        let late = reading("s101") { ($0.outcome, $0.prediction) = (.timedOut, nil) }
        let text = try #require(figures(reached + [never, late]).times["timeToText"])
        #expect(text.count == 99 && text.timeouts == 2 && text.p95.value == .value(96))
        // Nothing came so far: no times.
        let none = figures([never])
        #expect(none.times["timeToText"] == nil && none.times["latency"]?.count == 0)
        #expect(figures([reading("a")]).values[.completed] == nil)
    }

    /// Queues are each worker's own, and what waits at the end counts.
    @Test func scansWaitingAreThoseOfTheLastReadingOfEachWorker() {
        let readings = [(1, 3), (2, 1), (1, 2), (2, 0)].enumerated().map { number, one in
            reading("s\(number)") {
                $0.worker = one.0
                $0.prediction?.waiting = one.1
                $0.prediction?.isQueued = number < 3
                $0.prediction?.milestones = number == 3 ? ["enriched": 1] : [:]
            }
        }
        let figures = figures(readings)
        #expect(figures.values[.waiting]?.value == .value(2) && figures.values[.queued]?.value == .value(3))
        #expect(figures.values[.completed] == Value(.value(0.25), count: 1, total: 4))
        // Of three queued, none was answered and two wait.
        #expect(figures.values[.lostScans]?.value == .value(1))
    }

    @Test func aCameraHasFiguresWhereItsScenarioSaysSo() {
        let readings = [1, 2, 0].map { (scans: Int) in reading("s\(scans)") { $0.prediction?.scans = scans } }
        #expect(figures(readings).values[.oneScan] == nil)
        let live = figures(readings, topics: [.frames])
        for metric in [Metric.oneScan, .repeatedScan, .missedSpine] {
            #expect(live.rate(metric).proportion == Proportion(successes: 1, trials: 3))
        }
        #expect(live.rate(.wrongScan).trials == 0)
    }

    @Test func ofSeveralThingsInAPictureAllHaveToBeGood() {
        var shelf = ShelfScore(books: [], spines: [], isNamed: { _ in false }, isRight: { _, _ in false })
        shelf.books = [true, false].map { .init(number: 0, isNamed: nil, isRead: $0, isSplit: false, overlap: 1) }
        shelf.spines = [true, false].map { .init(outcome: .right, isMerged: false, isSliver: $0) }
        var record = SampleRecord(measurement: "fast", repetition: 1, position: 0, id: "a")
        (record.prediction, record.shelf) = (Prediction(lines: []), shelf)
        let reading = Reading(.made("a", title: "Dune"), record)
        #expect(Metric.bookTitleRead.outcome(of: reading) == false && Metric.sliverSpines.outcome(of: reading) == true)
        #expect(Metric.bookRecall.outcome(of: reading) == nil && Metric.latencyP95.outcome(of: reading) == nil)
    }

    /// Of four readings one is of a text, one of none, one failed, and one does not state its lines: 2 of 3.
    @Test func readingsWithoutAnyTextAreCounted() throws {
        let readings = [
            reading("text") { $0.prediction?.lines = [.init(text: "Dun")] }, reading("blank"),
            reading("failed") { ($0.outcome, $0.prediction) = (.failed, nil) },
            reading("unknown") { $0.prediction?.linesProblem = "no lines" },
        ]
        let metric = try #require(Metric.named("no-text"))
        #expect(figures(readings).rate(metric).proportion == Proportion(successes: 2, trials: 3))
    }
}
