import Basics
import Evaluation
import Harness
import SpineDatasets

/// Readings of a run with their scores, one a row, in their order of execution.
struct SamplesCSV {
    let samples: SampleIndex
    let records: [SampleRecord]
    /// Evidence class of each measurement's times and memory.
    let evidence: [String: EvidenceClass]

    var bytes: [UInt8] {
        let columns = [
            "measurement", "dataset", "repetition", "position", "id", "category", "legible", "outcome", "ms", "title",
            "title_read",
            "author_read", "cer", "wer", "1ned", "word_f1", "text", "orientation", "problem",
            "book", "book_title", "book_rank", "in_catalogue", "path", "queued",
        ]
        var table = CSVTable(
            columns + Milestone.allCases.map { "\($0.rawValue)_ms" } + ["sent_bytes", "received_bytes"]
                + ["scene", "scene_said", "codes", "codes_read", "subject_overlap", "told", "facts", "facts_lost"]
                + ["dataset_digest", "evidence"]
        )
        for record in records {
            guard let (sample, dataset, digest) = samples.sample(of: record) else { continue }
            // The text of whole shelves is not a reading of one spine.
            let score = sample.shelf == nil ? record.score(against: sample) : nil
            table.add(
                [
                    record.measurement, dataset, "\(record.repetition)", "\(record.position)", record.id,
                    sample.shelf == nil ? sample.category.rawValue : "shelf",
                    sample.shelf == nil ? "\(sample.legible)" : "", record.outcome.rawValue,
                    record.milliseconds.map { NumberText.fixed($0, 3) } ?? "", sample.title ?? "",
                    score?.title.isRead.map { "\($0)" } ?? "", score?.author?.isRead.map { "\($0)" } ?? "",
                    score.map { CSVTable.number($0.characters.rate, 4) } ?? "",
                    score.map { CSVTable.number($0.words.rate, 4) } ?? "",
                    score.map { NumberText.fixed($0.similarity, 4) } ?? "",
                    score.map { CSVTable.number($0.overlap.f1, 4) } ?? "", record.text ?? "",
                    record.prediction?.orientation ?? "", record.problem ?? record.prediction?.linesProblem ?? "",
                ] + tier(record) + capture(record, sample) + [
                    digest, evidence[record.measurement]?.rawValue ?? "",
                ]
            )
        }
        return table.bytes
    }

    private func tier(_ record: SampleRecord) -> [String] {
        let (prediction, book) = (record.prediction, record.book)
        let traffic = prediction?.traffic
        func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "" }
        let milestones: [String] = Milestone.allCases.map { milestone in
            prediction?.milliseconds(until: milestone).map { NumberText.fixed($0, 3) } ?? ""
        }
        let named: [String] = [
            text(book?.answer.rawValue), text(prediction?.answer?.title), text(book?.rank), text(book?.isCatalogued),
            text(prediction?.path?.joined(separator: " ")), text(prediction?.isQueued),
        ]
        let bytes: [String] = [
            text(traffic.map { $0.wireUp ?? $0.sent }), text(traffic.map { $0.wireDown ?? $0.received }),
        ]
        return named + milestones + bytes
    }

    /// Returns the fields of a capture; empty for a picture without capture labels, and for a system that stores
    /// none.
    private func capture(_ record: SampleRecord, _ sample: Sample) -> [String] {
        guard let scene = sample.scene, let capture = record.prediction?.capture else {
            return [sample.scene?.label.rawValue ?? ""] + Array(repeating: "", count: 7)
        }
        let overlap = scene.subject.map { capture.subject?.overlap(with: $0) ?? 0 }
        return [
            scene.label.rawValue, capture.label, "\(scene.codes.count)",
            "\(scene.codes.count(where: capture.codes.contains))", overlap.map { NumberText.fixed($0, 4) } ?? "",
            "\(capture.isTold)", capture.facts.map { "\($0)" } ?? "", capture.lostFacts.map { "\($0.count)" } ?? "",
        ]
    }
}
