import ScanningPolicies
import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

/// Results of the scenario `live` for a camera's frames.
@Suite(.tags(.io)) struct LiveScenarioTests {
    /// 300 frames in ten seconds: 200 dropped, 60 of a moving camera, 40 read, of which 4 were new.
    private static var figures: LiveFigures {
        var triage = FrameTriage(thermalPolicy: .none)
        for number in 0..<100 {
            _ = triage.decide(at: .milliseconds(100 * number), state: .nominal, isSteady: { number < 40 })
        }
        for number in 0..<36 { triage.note(number < 30 ? .sameSpine : .noText) }
        var figures = LiveFigures(seconds: 10, counts: triage.counts, dropped: 200)
        (figures.books, figures.drafts, figures.secondsToFirstBook) = (3, 1, 1.25)
        return figures
    }

    private static var result: MeasurementResult {
        let measurement = Measurement(
            variant: Variant(name: "t"),
            scenario: Scenario(kind: .live, readings: 2),
            dataset: DatasetReference(path: "", name: "d", digest: ""),
            id: "t"
        )
        var read = SampleRecord(measurement: "t", repetition: 1, position: 0, id: "s0", outcome: .read)
        read.milliseconds = 480
        var missed = SampleRecord(measurement: "t", repetition: 1, position: 1, id: "s1", outcome: .failed)
        missed.problem = "no frame produced a scan"
        let events = [RunEvent(kind: .live, time: "", measurement: "t", live: figures)]
        var result = MeasurementResult(
            measurement,
            samples: [],
            planned: 2,
            records: [read, missed],
            events: events
        )
        result.findings = ScenarioFindings(measurement.scenario, records: [read, missed], events: events)
        return result
    }

    @Test func theReportSaysWhatBecameOfTheFrames() {
        let sentences = FindingsText(measurement: Self.result).sentences
        #expect(
            sentences == [
                "Live: 300 frames in 10 s, 40 read; not read: dropped 200, camera moving 60; read, no text 6, "
                    + "read, same spine 30, read, new spine 4.",
                "3 books (18.0 a minute), the first after 1.2 s, 1 draft, 0 queued, 0 pauses. Latency counts from the first "
                    + "frame with the whole spine in view.",
            ]
        )
    }

    /// A run until 28 November 2026 counts frames in which the presence gate saw no spine.
    @Test func theFiguresSurviveTheirFile() throws {
        var event = RunEvent(kind: .live, time: "", live: Self.figures)
        event.live?.frames[.noSpine] = 7
        #expect(JSONLine.decode(RunEvent.self, from: try JSONLine.encode(event)) == event)
        #expect(LiveFigures(seconds: 0, counts: [:], dropped: 0).booksPerMinute == nil)
    }
}
