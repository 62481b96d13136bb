import Basics
import Documents
import Evaluation
import Harness
import SpineDatasets

/// Readings of a run with their scores, one a row, in their order of execution.
struct SamplesCSV {
    let samples: SampleIndex
    let records: [SampleRecord]
    /// Evidence class of each measurement's times and memory.
    let evidence: [String: EvidenceClass]

    private struct Row {
        var record: SampleRecord
        var sample: Sample
        var dataset: String
        var digest: String
        var reading: Reading

        var prediction: Prediction? { record.prediction }
    }

    private typealias Column = (heading: String, cell: (Row) -> (any CustomStringConvertible)?)

    private var columns: [Column] {
        let scored = Metric.allCases.filter { metric in
            if case .first = metric.source { metric.columns[.accuracy] != nil } else { false }
        }
        let metrics = scored.map { metric -> Column in
            (metric.id.replacing("-", with: "_"), { metric.cell(of: $0.reading) })
        }
        let before: [Column] = [
            ("measurement", { $0.record.measurement }), ("dataset", { $0.dataset }),
            ("repetition", { $0.record.repetition }), ("position", { $0.record.position }), ("id", { $0.record.id }),
            ("category", { $0.sample.shelf == nil ? $0.sample.category.rawValue : "shelf" }),
            ("legible", { $0.sample.shelf == nil ? $0.sample.legible : nil }),
            ("outcome", { $0.record.outcome.rawValue }),
            ("ms", { $0.record.milliseconds.map { NumberText.fixed($0, 3) } }), ("title", { $0.sample.title }),
            ("text", { $0.record.text }), ("orientation", { $0.prediction?.orientation }),
            ("problem", { $0.record.problem ?? $0.prediction?.linesProblem }),
            ("book", { $0.record.book?.answer.rawValue }), ("book_title", { $0.prediction?.answer?.title }),
            ("book_rank", { $0.record.book?.rank }), ("in_catalogue", { $0.record.book?.isCatalogued }),
            ("path", { $0.prediction?.path?.joined(separator: " ") }), ("queued", { $0.prediction?.isQueued }),
        ]
        let milestones = Milestone.allCases.map { milestone -> Column in
            (
                "\(milestone.rawValue)_ms",
                { $0.prediction?.milliseconds(until: milestone).map { NumberText.fixed($0, 3) } }
            )
        }
        let after: [Column] = [
            ("sent_bytes", { $0.prediction?.traffic.map { $0.wireUp ?? $0.sent } }),
            ("received_bytes", { $0.prediction?.traffic.map { $0.wireDown ?? $0.received } }),
            ("work", { $0.prediction?.work?.text }),
            ("dataset_digest", { $0.digest }),
            ("evidence", { [evidence] in evidence[$0.record.measurement]?.rawValue }),
        ]
        return before + metrics + milestones + after
    }

    var bytes: [UInt8] {
        let columns = columns
        var text = CSV.line(columns.map(\.heading))
        for record in records {
            guard let (sample, dataset, digest) = samples.sample(of: record) else { continue }
            let reading = Reading(sample, record, isFirst: true)
            let row = Row(record: record, sample: sample, dataset: dataset, digest: digest, reading: reading)
            text += CSV.line(columns.map { $0.cell(row).map { "\($0)" } ?? "" }, guardsFormulas: true)
        }
        return Array(text.utf8)
    }
}

extension WorkCounts {
    /// "detectionCalls:NAME=2 pixelsDecoded=240000": what is not 0, by name.
    fileprivate var text: String {
        numbers.filter { $0.value > 0 }.map { "\($0.key.text)=\($0.value)" }.sorted().joined(separator: " ")
    }
}

extension Metric {
    /// Returns what a reading shows: "true", or the share or mean of several things; nil where nothing was asked.
    fileprivate func cell(of reading: Reading) -> String? {
        guard case .first(let observe) = self.source else { return nil }
        let seen = observe(reading)
        if !self.isWithinPicture, seen == [.outcome(true)] || seen == [.outcome(false)] {
            return "\(seen == [.outcome(true)])"
        }
        let values = seen.compactMap { observation -> Double? in
            switch observation {
            case .outcome(let isTrue): isTrue ? 1 : 0
            case .ratio(let part, let whole): whole > 0 ? part / whole : nil
            case .value(let value): value
            case .never: nil
            }
        }
        return values.isEmpty ? nil : NumberText.fixed(values.reduce(0, +) / Double(values.count), 4)
    }
}
