import Basics
import SpineDatasets
import TestSupport

@testable import Evaluation
@testable import Harness

/// A run made by hand: by default `fast` reads every sample once, its transcription in 12 ms.
struct MadeRun {
    var dataset: Dataset
    var configuration: RunConfiguration
    var records: [SampleRecord]
    var events: [RunEvent] = []

    /// A run of `variants` over `samples`, whose readings `change` changes; it has the start of `host`, if there is one.
    init(
        _ samples: [Sample],
        _ variants: [Variant] = [Variant(name: "fast", tier: "fast", gates: true)],
        tool: String = "test",
        targets: [Claim]? = nil,
        scenario: Scenario = Scenario(kind: .single),
        repetitions: Int = 1,
        milliseconds: Double = 12,
        host: HostDescription? = nil,
        change: (inout SampleRecord, Sample) -> Void = { _, _ in }
    ) {
        dataset = .made(samples)
        configuration = RunConfiguration(
            tool: tool,
            datasets: [DatasetReference(dataset)],
            variants: variants,
            scenarios: [scenario],
            repetitions: repetitions
        )
        if let targets { configuration.targets = targets }
        if let host { events = [RunEvent(kind: .runStarted, time: "2026-03-01T12:00:00Z", host: host)] }
        records = configuration.measurements.flatMap { measurement in
            (1...repetitions).flatMap { repetition in
                samples.enumerated().map { position, sample in
                    var record = SampleRecord.made(
                        measurement.id,
                        sample.id,
                        sample.transcription,
                        milliseconds: milliseconds,
                        repetition: repetition,
                        position: position
                    )
                    change(&record, sample)
                    return record
                }
            }
        }
    }

    func result() throws -> RunResult {
        try RunResult(configuration: configuration, datasets: [dataset], records: records, events: events)
    }

    /// Returns the run with its readings and labels, without its pictures.
    func contents(_ name: String) throws -> RunContents { contents(name, try result()) }

    func contents(_ name: String, _ result: RunResult) -> RunContents {
        RunContents(name: name, result: result, records: records, datasets: [dataset])
    }
}

extension SampleRecord {
    /// A reading of a text.
    static func made(
        _ measurement: String,
        _ id: String,
        _ text: String = "",
        milliseconds: Double? = nil,
        repetition: Int = 1,
        position: Int = 0,
        memory: MemoryReading? = nil
    ) -> SampleRecord {
        SampleRecord(
            measurement: measurement,
            repetition: repetition,
            position: position,
            id: id,
            outcome: .read,
            milliseconds: milliseconds,
            prediction: Prediction(lines: [.init(text: text)]),
            memory: memory
        )
    }
}

extension MeasurementResult {
    static func made(
        _ variant: Variant,
        scenario: Scenario = Scenario(kind: .single),
        samples: [Sample] = [],
        _ records: [SampleRecord],
        events: [RunEvent] = []
    ) -> MeasurementResult {
        MeasurementResult(
            Measurement(
                variant: variant,
                scenario: scenario,
                dataset: DatasetReference(.made(samples)),
                id: variant.name
            ),
            samples: samples,
            planned: records.count,
            records: records,
            events: events
        )
    }
}

extension HostDescription {
    static func made(isPhone: Bool? = nil, loadAverage: Double? = nil) -> HostDescription {
        HostDescription(
            cpu: "Example CPU",
            cores: 2,
            memoryBytes: 8_000_000_000,
            operatingSystem: "Example OS 1",
            kernel: "Linux 6.1",
            loadAverage: loadAverage,
            isPhone: isPhone
        )
    }
}

extension MemoryReading {
    /// A process with a footprint and 60 MB of pages of files.
    static func made(footprint: Int, peak: Int) -> MemoryReading {
        let files = 60_000_000
        return MemoryReading(
            resident: .init(footprint + files, peak: peak + files),
            footprint: .init(footprint, peak: peak)
        )
    }
}
