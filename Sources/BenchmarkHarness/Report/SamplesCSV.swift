import Evaluation
package import SpineDatasets

/// Every reading of a run with its score, one a row, in the order in which they were done.
package struct SamplesCSV: Sendable {
    private let samples: [String: Sample]
    private let records: [SampleRecord]
    private let datasetDigest: String

    package init(samples: [Sample], records: [SampleRecord], datasetDigest: String) {
        self.datasetDigest = datasetDigest
        self.samples = Dictionary(samples.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.records = records
    }

    /// The table in UTF-8.
    package var bytes: [UInt8] {
        var table = CSVTable([
            "tier", "repetition", "position", "id", "category", "legible", "outcome", "ms", "title", "title_read",
            "author_read", "cer", "wer", "1ned", "word_f1", "text", "orientation", "problem",
            "dataset_digest",
        ])
        // Repetitions mostly read the same text, and scoring it takes longer than writing it.
        var scores: [String: SampleScore] = [:]
        for record in records {
            guard let sample = samples[record.id] else { continue }
            let text = record.prediction?.text ?? ""
            let key = record.id + "\n" + text
            let score = scores[key] ?? SampleScore(text, against: sample)
            scores[key] = score
            table.add([
                record.tier, "\(record.repetition)", "\(record.position)", record.id, sample.category.rawValue,
                "\(sample.legible)", record.outcome.rawValue,
                record.milliseconds.map { NumberText.fixed($0, 3) } ?? "", sample.title ?? "",
                score.title.isRead.map { "\($0)" } ?? "", score.author?.isRead.map { "\($0)" } ?? "",
                CSVTable.number(score.characters.rate, 4), CSVTable.number(score.words.rate, 4),
                NumberText.fixed(score.similarity, 4), CSVTable.number(score.overlap.f1, 4), text,
                record.prediction?.orientation ?? "", record.problem ?? "", datasetDigest,
            ])
        }
        return table.bytes
    }
}
