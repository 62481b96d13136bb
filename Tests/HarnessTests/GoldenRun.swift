import Basics
import Evaluation
import SpineDatasets
import TestSupport

@testable import Harness

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

    /// Returns the text of a spine that `variant` reads: all of it, or nothing for three volumes and the illegible
    /// one.
    private static func text(_ sample: Sample, _ variant: String) -> String {
        if ["v1", "v2", "v3", "s1"].contains(sample.id) { return "" }
        return variant == "tesseract"
            ? (sample.title ?? "").uppercased() : "\(sample.author ?? "") \(sample.transcription)"
    }

    private static let run = {
        var run = MadeRun(
            samples,
            [Variant(name: "fast", tier: "fast", gates: true), Variant(name: "tesseract")],
            tool: "spinebench 0.1.0",
            repetitions: 3
        ) { record, sample in
            record.memory = .made(footprint: 152_000_000, peak: 171_300_000)
            let (variant, isFast) = (record.measurement, record.measurement == "fast")
            if isFast && sample.id == "v5" && record.repetition == 2 {
                (record.outcome, record.milliseconds, record.prediction) = (.timedOut, nil, nil)
                record.problem = "no answer within 30 s, so the worker was killed"
            } else if isFast && sample.id == "v6" && record.repetition == 1 {
                (record.outcome, record.milliseconds, record.prediction) = (.failed, nil, nil)
                record.problem = "images/v6.png: found a corrupt PNG file (bad | CRC)"
            } else {
                let milliseconds = (isFast ? 10 : 400) + Double(record.position) * 0.5 + Double(record.repetition)
                record.milliseconds = milliseconds
                record.prediction = Prediction(
                    lines: [.init(text: text(sample, variant))],
                    orientation: "cw",
                    stages: isFast
                        ? [
                            .total: milliseconds, .detectionInference.part(of: .total): milliseconds * 0.25,
                            .recognitionInference.part(of: .total): milliseconds * 0.625,
                        ] : [:]
                )
            }
        }
        run.events = events
        return run
    }()

    static let (dataset, configuration, records) = (run.dataset, run.configuration, run.records)

    static let host = HostDescription.made(loadAverage: 0.25)

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

    static func result() throws -> RunResult { try run.result() }

    static func contents(_ result: RunResult) -> RunContents { run.contents("golden", result) }
}
