import Basics
import SpineDatasets
import TestSupport

@testable import Harness
@testable import Results

/// Small hand-made run with everything that a report can contain.
///
/// `fast` reads 30 vertical spines (27 titles) and 2 stylized ones (1 title), of which one is not legible, three
/// times; one reading times out, one fails, and it needs a second worker. `tesseract` reads little and does not gate.
enum GoldenRun {
    static let samples =
        (0..<30).map {
            Sample.made("v\($0)", title: "Volume \($0) of Tales", author: "Jane Doe", group: "photo\($0 / 8)")
        }
        + [
            .made("s0", .stylized, title: "Dune", transcription: "DUNE Herbert", group: "photo4"),
            .made("s1", .stylized, title: "Faded", legible: false, group: "photo4"),
        ]

    static let dataset = Dataset.made(samples)

    static let configuration = RunConfiguration(
        tool: "spinebench 0.1.0",
        datasets: [DatasetReference(dataset)],
        variants: [Variant(name: "fast", tier: "fast", gates: true), Variant(name: "tesseract")],
        repetitions: 3
    )

    /// Returns the text of a spine that `variant` reads: all of it, or nothing for three volumes and the illegible
    /// one.
    private static func text(_ sample: Sample, _ variant: String) -> String {
        if ["v1", "v2", "v3", "s1"].contains(sample.id) { return "" }
        return variant == "tesseract"
            ? (sample.title ?? "").uppercased() : "\(sample.author ?? "") \(sample.transcription)"
    }

    static let records: [SampleRecord] = configuration.variants.map(\.name).flatMap { variant in
        (1...3).flatMap { repetition in
            samples.enumerated().map { position, sample in
                var record = SampleRecord(
                    measurement: variant,
                    repetition: repetition,
                    position: position,
                    id: sample.id,
                    outcome: .read,
                    memory: .made(footprint: 152_000_000, peak: 171_300_000)
                )
                if variant == "fast" && sample.id == "v5" && repetition == 2 {
                    record.outcome = .timedOut
                    record.problem = "no answer within 30 s, so the worker was killed"
                } else if variant == "fast" && sample.id == "v6" && repetition == 1 {
                    record.outcome = .failed
                    record.problem = "images/v6.png: found a corrupt PNG file (bad | CRC)"
                } else {
                    let milliseconds = (variant == "fast" ? 10 : 400) + Double(position) * 0.5 + Double(repetition)
                    record.milliseconds = milliseconds
                    record.prediction = Prediction(
                        lines: [.init(text: text(sample, variant))],
                        orientation: "cw",
                        stages: variant == "fast"
                            ? [
                                .total: milliseconds,
                                .detectionInference.part(of: .total): milliseconds * 0.25,
                                .recognitionInference.part(of: .total): milliseconds * 0.625,
                            ] : [:]
                    )
                }
                return record
            }
        }
    }

    static let host = HostDescription(
        cpu: "Example CPU",
        cores: 2,
        memoryBytes: 8_000_000_000,
        operatingSystem: "Example OS 1",
        kernel: "Linux 6.1",
        loadAverage: 0.25
    )

    static let events: [RunEvent] = {
        func variant(_ name: String, _ description: [String: String], load: Double) -> [RunEvent] {
            [
                RunEvent(
                    kind: .ready,
                    time: "2026-03-01T12:00:01Z",
                    measurement: name,
                    description: description,
                    modelLoadMilliseconds: load,
                    sinceProcessStartMilliseconds: load + 21.5,
                    memory: .made(footprint: 12_000_000, peak: 12_000_000)
                ),
                RunEvent(
                    kind: .firstReading,
                    time: "2026-03-01T12:00:01Z",
                    measurement: name,
                    sinceProcessStartMilliseconds: load + 60
                ),
                RunEvent(
                    kind: .began,
                    time: "2026-03-01T12:00:01Z",
                    measurement: name,
                    memory: .made(footprint: 150_000_000, peak: 160_000_000),
                    peakWasReset: true
                ),
            ]
        }
        let fast = ["engine": "Example 1.0", "model": "small", "precision": "f32", "threads": "2"]
        return [RunEvent(kind: .runStarted, time: "2026-03-01T12:00:00Z", host: host)]
            + variant("fast", fast, load: 180)
            + [
                RunEvent(
                    kind: .workerLost,
                    time: "2026-03-01T12:00:40Z",
                    measurement: "fast",
                    message: "no answer within 30 s, so the worker was killed"
                ),
                RunEvent(kind: .noise, time: "2026-03-01T12:00:41Z", measurement: "fast", message: "loading..."),
            ]
            + variant("fast", fast, load: 190) + variant("tesseract", ["engine": "Tesseract 5"], load: 35)
            + [RunEvent(kind: .runFinished, time: "2026-03-01T12:03:00Z")]
    }()

    static func result() throws -> RunResult {
        try RunResult(configuration: configuration, datasets: [dataset], records: records, events: events)
    }

    /// Returns the run with its readings and labels, without its pictures.
    static func contents(_ result: RunResult) -> RunContents {
        RunContents(name: "golden", result: result, records: records, datasets: [dataset])
    }
}
