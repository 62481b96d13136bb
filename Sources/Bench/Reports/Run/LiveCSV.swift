import Basics
import Evaluation
import Harness
import Results
import ScanningPolicies

/// Results of cameras' frames, for spreadsheets: a row for every measurement of the scenario `live`.
struct LiveCSV {
    let bytes: [UInt8]

    init(_ result: RunResult) {
        let fates = FrameFate.allCases
        var table = CSVTable(
            ["measurement", "variant", "scenario", "dataset", "seconds", "frames", "frames_read"]
                + fates.map { "frames_\($0.rawValue)" }
                + ["pauses", "books", "books_per_minute", "first_book_s", "drafts", "queued", "evidence"]
        )
        for measurement in result.measurements {
            guard let live = measurement.findings?.live else { continue }
            func text(_ number: Double?) -> String { number.map { NumberText.fixed($0, 3) } ?? "" }
            var row = [
                measurement.id, measurement.variant.name, measurement.scenario.label, measurement.dataset,
                text(live.seconds), "\(live.seen)", "\(live.read)",
            ]
            row += fates.map { "\(live.frames[$0] ?? 0)" }
            row += ["\(live.pauses)", "\(live.books)", text(live.booksPerMinute), text(live.secondsToFirstBook)]
            row += ["\(live.drafts)", "\(live.queued)", measurement.evidence.rawValue]
            table.add(row)
        }
        bytes = table.bytes
    }
}
