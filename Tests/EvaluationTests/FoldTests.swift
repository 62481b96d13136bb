import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Evaluation

/// Observations become figures; expected values are from hand calculation.
@Suite(.tags(.unit)) struct FoldTests {
    private func figures(first: [Reading] = [], every: [Reading] = [], topics: [Metric.Topic] = []) -> Figures {
        var fold = FigureFold()
        for reading in first { fold.addFirst(reading) }
        for reading in every { fold.add(reading) }
        return fold.figures(topics: topics)
    }

    private func reading(_ id: String, group: String? = nil, _ change: (inout Reading) -> Void) -> Reading {
        var reading = Reading(id: id, category: "vertical", group: group)
        reading.isRead = true
        reading.hasPrediction = true
        change(&reading)
        return reading
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
        let readings = (0..<4).map { number in
            reading("s\(number)") { $0.book = BookOutcome(number < 3 ? .right : .wrong, rank: number + 1) }
        }
        let figures = figures(first: readings, every: readings + readings)
        #expect(figures.samples == 4)
        #expect(figures.rate(.identified).proportion == Proportion(successes: 3, trials: 4))
        #expect(figures.values[.identified]?.value == .value(0.75))
        #expect(isNear(figures.values[.reciprocalRank]?.value.value, 25.0 / 48, within: 1e-12))
    }

    @Test func theOrderOfSamplesDoesNotMatter() {
        let readings = (0..<100).map { number in
            reading("s\(number)", group: "photo\(number / 7)") {
                $0.score = SampleScore(
                    number % 3 == 0 ? "Dune" : "Dun",
                    title: "Dune",
                    author: nil,
                    publisher: nil,
                    transcription: "Dune"
                )
            }
        }
        #expect(figures(first: readings) == figures(first: readings.reversed()))
        #expect(figures(first: readings).rate(.titleRead).basis == .groups)
    }

    @Test func aMilestoneThatNeverCameIsLaterThanAll() throws {
        let reached = (1...99).map { time in reading("s\(time)") { $0.milestones = ["text": Double(time)] } }
        let never = reading("s100") { $0.milestones = ["draft": 1] }
        var late = Reading(id: "s101", category: "vertical")
        late.isTimedOut = true
        let text = try #require(figures(every: reached + [never, late]).times["timeToText"])
        #expect(text.count == 99 && text.timeouts == 2 && text.p95.value == .value(96))
        // Nothing came so far: no times.
        let none = figures(every: [never])
        #expect(none.times["timeToText"] == nil && none.times["latency"]?.count == 0)
        #expect(figures(every: [reading("a") { _ in }]).values[.completed] == nil)
    }

    /// Queues are each worker's own, and what waits at the end counts.
    @Test func scansWaitingAreThoseOfTheLastReadingOfEachWorker() {
        let readings = [(1, 3), (2, 1), (1, 2), (2, 0)].enumerated().map { number, one in
            reading("s\(number)") {
                ($0.worker, $0.waiting, $0.isQueued) = (one.0, one.1, number < 3)
                $0.milestones = number == 3 ? ["enriched": 1] : [:]
            }
        }
        let figures = figures(every: readings)
        #expect(figures.values[.waiting]?.value == .value(2) && figures.values[.queued]?.value == .value(3))
        #expect(figures.values[.completed] == Value(.value(0.25), count: 1, total: 4))
        // Of three queued, none was answered and two wait.
        #expect(figures.values[.lostScans]?.value == .value(1))
    }

    @Test func aCameraHasFiguresWhereItsScenarioSaysSo() {
        let readings = [1, 2, 0].map { (scans: Int) in reading("s\(scans)") { $0.scans = scans } }
        #expect(figures(every: readings).values[.oneScan] == nil)
        let live = figures(every: readings, topics: [.frames])
        for metric in [Metric.oneScan, .repeatedScan, .missedSpine] {
            #expect(live.rate(metric).proportion == Proportion(successes: 1, trials: 3))
        }
        #expect(live.rate(.wrongScan).trials == 0)
    }

    @Test func ofSeveralThingsInAPictureAllHaveToBeGood() {
        var capture = CaptureScore()
        (capture.codes, capture.facts, capture.lost) = ([true, false], 3, 1)
        let reading = reading("a") { $0.capture = capture }
        #expect(Metric.codesRead.outcome(of: reading) == false && Metric.factsLost.outcome(of: reading) == true)
        #expect(Metric.sceneRight.outcome(of: reading) == nil && Metric.latencyP95.outcome(of: reading) == nil)
    }
}
