import Basics
package import Evaluation
import Harness
package import SpineDatasets

/// Errors of the readings of one measurement: words of titles that were lost, by kind, and characters that were confused.
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

    /// Characters of a label, and those that were read for them; empty for characters that were added or omitted.
    package struct Confusion: Sendable, Hashable, Encodable, Comparable {
        package var printed: String
        package var read: String

        package static func < (a: Confusion, b: Confusion) -> Bool { (a.printed, a.read) < (b.printed, b.read) }
    }

    package struct Count<Item: Sendable & Equatable & Encodable>: Sendable, Equatable, Encodable {
        package var item: Item
        package var count: Int
        /// Ids of samples with it and the word, "spine-00001: von", five at most.
        package var examples: [String]
    }

    /// Number of words in the titles of scored samples.
    package private(set) var words = 0
    /// Number of characters in words of labels that were aligned with a word of the reading.
    package private(set) var characters = 0
    private var lost: [Kind: [String]] = [:]
    private var confused: [Confusion: [String]] = [:]

    package init() {}

    private enum CodingKeys: String, CodingKey { case words, lostWords, characters, confusions }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(words, forKey: .words)
        try container.encode(lostWords, forKey: .lostWords)
        try container.encode(characters, forKey: .characters)
        try container.encode(confusions, forKey: .confusions)
    }

    /// Lost words by kind, each kind once.
    package var lostWords: [Count<Kind>] {
        Kind.allCases.map { Count(item: $0, count: lost[$0]?.count ?? 0, examples: Array((lost[$0] ?? []).prefix(5))) }
    }

    /// Confusions, the most frequent first.
    package var confusions: [Count<Confusion>] {
        confused.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { Count(item: $0, count: $1.count, examples: Array($1.prefix(5))) }
    }

    /// Adds a reading of a legible sample; a failed one, with nil, has read nothing.
    package mutating func add(_ prediction: Prediction?, of sample: Sample) {
        guard sample.legible, prediction?.linesProblem == nil else { return }
        let text = prediction?.text ?? ""
        if let title = sample.title {
            words += FoldedText.words(of: title).count
            for word in FieldRead.missing(of: title, in: text) {
                let kind = Self.kind(of: word, sample, text, isTurned: Self.isTurned(prediction, sample))
                lost[kind, default: []].append("\(sample.id): \(word)")
            }
        }
        for (printed, read) in Self.pairs(sample.transcription, text) {
            characters += printed.count
            for confusion in Self.confusions(Array(printed), Array(read)) {
                confused[confusion, default: []].append("\(sample.id): \(String(printed))")
            }
        }
    }

    private static func isTurned(_ prediction: Prediction?, _ sample: Sample) -> Bool {
        prediction?.orientation.map { $0 != sample.orientation.rawValue } ?? false
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
    private static func isNear(_ a: String, _ b: String, _ part: Int) -> Bool {
        let (distance, longest) = (Levenshtein.distance(a, b), max(a.count, b.count))
        return distance * part <= longest && distance < longest
    }

    /// Returns words of a label that were read otherwise, each with the word that was read for it.
    ///
    /// Equal words are removed from both sides; of the others, the nearest pair is taken first, and none that differs in more
    /// than half of its letters.
    private static func pairs(_ label: String, _ text: String) -> [(String, String)] {
        func words(_ text: String) -> [String] { TextView.nfc.apply(to: text).split(separator: " ").map(String.init) }
        var (printed, read): ([String], [String]) = ([], words(text))
        var pairs: [(String, String)] = []
        for word in words(label) {
            if let place = read.firstIndex(of: word) {
                read.remove(at: place)
                pairs.append((word, word))
            } else {
                printed.append(word)
            }
        }
        var candidates = printed.indices.flatMap { i in
            read.indices.filter { isNear(printed[i], read[$0], 2) }
                .map { (i, $0, Levenshtein.distance(printed[i], read[$0])) }
        }.sorted { ($0.2, $0.0, $0.1) < ($1.2, $1.0, $1.1) }
        while let (i, j, _) = candidates.first {
            pairs.append((printed[i], read[j]))
            candidates.removeAll { $0.0 == i || $0.1 == j }
        }
        return pairs
    }

    /// Returns the differences of two words: a replaced stretch of equal length as its characters, another one as a whole.
    private static func confusions(_ printed: [Character], _ read: [Character]) -> [Confusion] {
        var (confusions, from, to): ([Confusion], Range<Int>?, Range<Int>?) = ([], nil, nil)
        func close() {
            guard let a = from, let b = to else { return }
            if a.count == b.count {
                confusions += zip(a, b).map { Confusion(printed: "\(printed[$0])", read: "\(read[$1])") }
            } else {
                confusions.append(Confusion(printed: String(printed[a]), read: String(read[b])))
            }
            (from, to) = (nil, nil)
        }
        for operation in Levenshtein.operations(from: printed, to: read) {
            if operation.kind == .equal {
                close()
            } else {
                from = (from?.lowerBound ?? operation.reference.lowerBound)..<operation.reference.upperBound
                to = (to?.lowerBound ?? operation.hypothesis.lowerBound)..<operation.hypothesis.upperBound
            }
        }
        close()
        return confusions
    }
}
