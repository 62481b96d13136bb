package import Evaluation
package import SpineDatasets

/// Judge of the books that a system named; the program with the catalogues supplies it.
package struct BookScorer: Sendable {
    /// Outcome of a sample, whose prediction is nil when the reading failed; nil when no book is named or labelled.
    package typealias OfSpine =
        @Sendable (_ variant: Variant, _ sample: Sample, _ prediction: Prediction?) -> BookOutcome?
    /// Outcome of a photo of shelves that `variant` read; the prediction is nil when the reading failed.
    package typealias OfShelf =
        @Sendable (_ variant: Variant, _ shelf: Shelf, _ prediction: Prediction?) -> ShelfScore?

    package var judge: OfSpine
    package var judgeShelf: OfShelf

    package init(_ judge: @escaping OfSpine, shelf judgeShelf: @escaping OfShelf = { _, _, _ in nil }) {
        (self.judge, self.judgeShelf) = (judge, judgeShelf)
    }

    package static let none = BookScorer { _, _, _ in nil }

    package func settle(_ record: inout SampleRecord, of variant: Variant, _ sample: Sample) {
        if let shelf = sample.shelf {
            record.shelf = judgeShelf(variant, shelf, record.prediction)
        } else {
            record.score = record.score(against: sample)
            record.book = judge(variant, sample, record.prediction)
            guard record.book != nil, let prediction = record.prediction, prediction.scans != nil else { return }
            let answers = [prediction.answer].compactMap(\.self) + (prediction.otherAnswers ?? [])
            record.wrongScans = answers.count { answer in
                var named = prediction
                named.answer = answer
                return judge(variant, sample, named)?.answer == .wrong
            }
        }
    }
}

extension SampleRecord {
    mutating func fill(from answer: WorkerMessage) {
        switch answer {
        case .result(_, let milliseconds, let prediction, let memory, _):
            outcome = .read
            (self.milliseconds, self.prediction, self.memory) = (milliseconds, prediction, memory)
        case .failure(_, let milliseconds, let reason, let memory, _, let owner):
            (outcome, problem) = (ReaderFailure.isTimeout(reason) ? .timedOut : .failed, reason)
            (self.milliseconds, self.memory, self.owner) = (milliseconds, memory, owner)
        default: break
        }
    }

    mutating func fail(_ lost: LostWorker, reading variant: Variant) {
        (outcome, problem, owner) = (lost.outcome, lost.description, lost.owner(reading: variant))
    }
}
