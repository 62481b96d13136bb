import Synchronization
import TestSupport
import TextRecognition

/// Factory of recognisers that answer in turn, for any input.
enum SequencedRecognizer {
    /// Returns a recogniser that reads the first answer from the first line it is given, and so on; the last one for
    /// ever.
    static func recognizer(_ answers: [(text: String, confidence: Double)]) -> ScriptedRecognizer {
        let sequence = Sequence(answers)
        return ScriptedRecognizer { _ in sequence.next() }
    }

    private final class Sequence: Sendable {
        private let answers: [(text: String, confidence: Double)]
        private let given = Mutex(0)

        init(_ answers: [(text: String, confidence: Double)]) { self.answers = answers }

        func next() -> LineRecognition {
            let index = given.withLock { count in
                defer { count += 1 }
                return min(count, answers.count - 1)
            }
            return LineRecognition(text: answers[index].text, confidence: answers[index].confidence)
        }
    }
}
