import Basics
import Evaluation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct FindingsTextTests {
    private func sentences(_ scenario: Scenario, _ records: [SampleRecord]) -> [String] {
        var result = MeasurementResult.made(Variant(name: "t"), scenario: scenario, records)
        result.findings = ScenarioFindings(scenario, records: records, events: [])
        return FindingsText(measurement: result).sentences
    }

    /// Readings of 100 ms each, one after the other.
    private func records(_ count: Int) -> [SampleRecord] {
        (0..<count).map { index in
            var record = SampleRecord.made("t", "s\(index)", milliseconds: 100, position: index)
            record.serviceMilliseconds = 100
            record.atSeconds = Double(index) / 10
            record.worker = 1
            record.memory = .made(footprint: 100_000_000, peak: 100_000_000)
            return record
        }
    }

    @Test func anOfflineRunSaysItsThroughput() {
        let text = sentences(Scenario(kind: .offline, lanes: 2), records(100))
        #expect(
            text.first?.hasPrefix("Offline: 10.0/s [10.0/s, 10.0/s], 100 spines in 10 s, 2 readings in parallel.")
                == true
        )
    }

    @Test func aSoakSaysWhetherMemoryGrows() {
        let text = sentences(Scenario(kind: .soak, seconds: 60), records(600))
        #expect(
            text.first
                == "Soak of 1 min 0 s: memory footprint +0.00 MB per 1,000 readings [+0.00 MB, +0.00 MB]; no leak beyond "
                + "+0.10 MB."
        )
        #expect(text.count == 2)
    }

    @Test func readingOneAfterTheOtherShowsNothingMore() {
        #expect(sentences(Scenario(kind: .single), records(3)) == [])
    }
}
