import Basics
import Evaluation
import SpineDatasets
import TestSupport

@testable import Harness
@testable import Results

/// Measurements with planted figures, each of 100 spines of which a reading sends 100 bytes.
enum AssertedRun {
    static let spines = (0..<100).map { Sample.made("v\($0)", title: "Volume") }

    /// A measurement of a variant that reads so many titles of the 100, of which so many readings' bytes were not counted.
    ///
    /// It has what the scenario `cold` shows, too.
    static func measurement(
        _ name: String,
        titles: Int = 100,
        bytes: Int = 100,
        uncounted: Int = 0,
        evidence: EvidenceClass? = nil,
        change: (Int, inout SampleRecord) -> Void = { _, _ in }
    ) -> MeasurementResult {
        let records = spines.enumerated().map { place, spine in
            var record = SampleRecord(measurement: name, repetition: 1, position: 0, id: spine.id, outcome: .read)
            (record.milliseconds, record.worker) = (100, 1)
            var prediction = Prediction(lines: [.init(text: place < titles ? "Volume" : "xxxxxxxx")])
            if place >= uncounted { prediction.traffic = Traffic(up: ["text": bytes], wireUp: bytes) }
            record.prediction = prediction
            change(place, &record)
            return record
        }
        var result = MeasurementResult(
            Measurement(
                variant: Variant(name: name, tier: "fast", evidence: evidence),
                scenario: Scenario(kind: .single),
                dataset: DatasetReference(.made(spines)),
                id: name
            ),
            samples: spines,
            planned: records.count,
            records: records,
            events: []
        )
        result.findings = ScenarioFindings(Scenario(kind: .cold), records: records, events: [])
        return result
    }
}
