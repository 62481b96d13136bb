import Basics
import Evaluation
import SpineDatasets
import TestSupport

@testable import Harness

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
            var record = SampleRecord.made(name, spine.id, place < titles ? "Volume" : "xxxxxxxx", milliseconds: 100)
            record.worker = 1
            if place >= uncounted { record.prediction?.traffic = Traffic(up: ["text": bytes], wireUp: bytes) }
            change(place, &record)
            return record
        }
        let variant = Variant(name: name, tier: "fast", evidence: evidence)
        var result = MeasurementResult.made(variant, samples: spines, records)
        result.findings = ScenarioFindings(Scenario(kind: .cold), records: records, events: [])
        return result
    }
}
