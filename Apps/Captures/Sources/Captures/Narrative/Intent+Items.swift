import Basics
import ContextSpace

extension Intent {
    /// Minimum number of words for one intent, which must also exceed that of any other.
    static let leastEvidence = 2.0

    /// Returns the intent of all items: by their meaning where that is known, else that with the most evidence; nil
    /// without evidence, or for a tie.
    ///
    /// The meaning counts two, and where it is known, words count nothing; else a word counts one. A class that a
    /// provider gave counts two; a book that was named, and music, three; what was captured before counts half.
    static func of(_ input: NarrativeInput) -> Intent? {
        var scores: [Intent: Double] = [:]
        func add(_ items: [NarrativeInput.Item], _ factor: Double) {
            var words: Set<String> = []
            for item in items {
                if let meaning = item.meaning {
                    // Above a class of another intent.
                    if let intent = meaning { scores[intent, default: 0] += 2.1 * factor }
                } else {
                    words.formUnion(WordStem.words(of: text(of: item)))
                }
                let classes = Set(item.categories.flatMap { FoldedText.words(of: $0) }.map(WordStem.stem))
                for intent in allCases where !intent.stems.isDisjoint(with: classes) {
                    scores[intent, default: 0] += 2 * factor
                }
                if item.book != nil || item.bookCount > 0 { scores[.reading, default: 0] += 3 * factor }
                if item.music != nil { scores[.listening, default: 0] += 3 * factor }
            }
            for intent in allCases {
                scores[intent, default: 0] += Double(intent.stems.intersection(words).count) * factor
            }
        }
        add(input.items, 1)
        add(input.before.suffix(1), 0.5)
        let ranked = scores.sorted { ($0.value, $1.key.rawValue) > ($1.value, $0.key.rawValue) }
        guard let first = ranked.first, first.value >= leastEvidence, ranked.dropFirst().first?.value != first.value
        else { return nil }
        return first.key
    }

    /// Returns the texts of an item in which its intent shows: not its label, which is
    /// our word and not its own, nor an address or the name of a file.
    static func text(of item: NarrativeInput.Item) -> String {
        let title = EnrichmentData.isWeak(title: item.title) ? "" : item.title
        return [title, item.text, item.transcription, item.site].filter { !$0.isEmpty }
            .map { $0.bounded(to: 20_000) }.joined(separator: ". ")
    }
}
