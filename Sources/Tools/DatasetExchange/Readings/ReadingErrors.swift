import Basics
package import Evaluation
package import SpineDatasets

/// Errors of the readings of one measurement: words of titles that were lost, by kind, and whose fault each spine is.
package struct ReadingErrors: Sendable, Equatable, Encodable {
    /// Kind of a lost word; a word has the first one that fits.
    package enum Kind: String, CaseIterable, Sendable, Encodable, CodingKeyRepresentable {
        case nothingRead = "nothing read"
        /// The reader took the spine to stand another way than the label states.
        case wrongWayUp = "wrong way up"
        /// Its letters were read as words of one or two letters in a row.
        case letterSpaced = "letters apart"
        /// It has a digit.
        case digits
        /// The label has it with a hyphen, a dash or an apostrophe.
        case hyphen = "hyphen or apostrophe"
        /// A word of the reading differs from it in at most half of its letters.
        case misread = "letters misread"
        /// It has at most three letters.
        case small = "small word"
        case missing = "not read"
    }

    /// Number of words in the titles of scored samples.
    package private(set) var words = 0
    /// Number of lost words by kind; none of a kind without any.
    package private(set) var lostWords: [Kind: Int] = [:]
    /// Faults of failed and missed spines, by their ids.
    package var faults: [SpineFault] = []

    package init() {}

    /// Adds a reading of a legible sample; a failed one, with nil, has read nothing.
    package mutating func add(_ prediction: Prediction?, of sample: Sample) {
        guard sample.legible, prediction?.linesProblem == nil else { return }
        words += FoldedText.words(of: sample.title ?? "").count
        for (kind, _) in Self.lost(prediction, of: sample) { lostWords[kind, default: 0] += 1 }
    }

    /// Returns the folded words of a sample's title that a reading lacks, each with its kind.
    static func lost(_ prediction: Prediction?, of sample: Sample) -> [(kind: Kind, word: String)] {
        let text = prediction?.text ?? ""
        let isTurned = prediction?.orientation.map { $0 != sample.orientation.rawValue } ?? false
        return FieldRead.missing(of: sample.title ?? "", in: text).map {
            (kind(of: $0, sample, text, isTurned: isTurned), $0)
        }
    }

    /// Returns the kind of a folded `word` of the sample's title that `text` lacks.
    private static func kind(of word: String, _ sample: Sample, _ text: String, isTurned: Bool) -> Kind {
        let read = FoldedText.words(of: text)
        if read.isEmpty { return .nothingRead }
        if isTurned { return .wrongWayUp }
        let runs = read.split(whereSeparator: { $0.count > 2 }).filter { $0.count > 1 }.map { $0.joined() }
        if word.count > 2, runs.contains(where: { $0.contains(word) || isNear($0, word, 5) }) { return .letterSpaced }
        if word.contains(where: \.isNumber) { return .digits }
        let marked = (sample.title ?? "").split(whereSeparator: \.isWhitespace).filter {
            $0.contains { "-‐‑–—'’".contains($0) }
        }
        if marked.contains(where: { FoldedText.words(of: String($0)).contains(word) }) { return .hyphen }
        let printed = Set(FoldedText.words(of: sample.transcription))
        if read.contains(where: { !printed.contains($0) && isNear($0, word, 2) }) { return .misread }
        return word.count <= 3 ? .small : .missing
    }

    /// Whether two words differ in at most a `part`-th of the longer one's letters, one letter at least shared.
    static func isNear(_ a: String, _ b: String, _ part: Int) -> Bool {
        let (distance, longest) = (Levenshtein.distance(a, b), max(a.count, b.count))
        return distance * part <= longest && distance < longest
    }
}
