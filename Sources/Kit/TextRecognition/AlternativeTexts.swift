internal import Basics

/// Computes the possible texts of a line, with their probabilities, from the emissions of its reading.
///
/// A blank that is nearly certain separates the text before it from the text behind it: the line is divided into
/// stretches; only those with a doubtful step are searched (CTC prefix beam search). As stretches are independent,
/// the texts of a line are the combinations of theirs, and the probability of each is the product. Elsewhere the
/// chosen text is used, with its corrected words and inserted spaces.
struct AlternativeTexts {
    /// The texts of the network's classes.
    var alphabet: [String]
    /// Number of texts, the chosen one among them.
    var count = 5
    /// Probability from which the best class of a step is certain; others are not followed below the remainder.
    var certainty: Float = 0.99
    /// Minimum share of the likeliest text's probability; less likely texts are omitted.
    var minimumShare = 0.01
    /// Number of texts of a stretch that are followed.
    var width = 12

    /// Returns the chosen text and the others; empty if the text is not in doubt, or without emissions.
    func alternatives(to recognition: LineRecognition) -> [PossibleText] {
        guard let emissions = recognition.emissions else { return [] }
        let doubts = doubtfulStretches(of: emissions).map { Doubt($0, of: recognition, in: emissions, among: self) }
        // Most lines are not in doubt.
        guard !doubts.isEmpty else { return [] }
        var texts: [String: Double] = [:]
        // One more than are wanted, as the chosen text may be among them.
        for combination in PossibleText.combinations(of: doubts.map(\.readings), count: count + 1) {
            let text = recognition.text(with: combination.texts, at: doubts.map(\.characters))
            if !text.isEmpty { texts[text, default: 0] += combination.probability }
        }
        let likeliest = texts.removeValue(forKey: recognition.text) ?? 0
        let chosen = PossibleText(
            text: recognition.text,
            probability: max(likeliest, doubts.reduce(1) { $0 * $1.chosenProbability })
        )
        let least = minimumShare * (texts.values.reduce(chosen.probability) { max($0, $1) })
        let others = texts.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !others.isEmpty else { return [] }
        return [chosen]
            + others.prefix(count - 1).map { PossibleText(text: $0.key, probability: $0.value) }
    }

    /// Steps between blanks that are certain, where some step is not.
    private func doubtfulStretches(of emissions: CTCEmissions) -> [Range<Int>] {
        var (stretches, start, isDoubtful): ([Range<Int>], Int, Bool) = ([], 0, false)
        for step in 0...emissions.positions.count {
            // Most steps are blanks, and certain: they need no search among all classes.
            if step == emissions.positions.count || emissions.probabilities[step * emissions.classes] >= certainty {
                if isDoubtful { stretches.append(start..<step) }
                (start, isDoubtful) = (step + 1, false)
            } else if !isDoubtful {
                isDoubtful = emissions.best(step).probability < certainty
            }
        }
        return stretches
    }
}

/// A stretch of a line that may read in several ways.
private struct Doubt {
    /// Readings by falling probability.
    var readings: [PossibleText]
    /// Probability of the chosen text of the stretch; after a correction with other characters, the remainder of the
    /// readings.
    var chosenProbability: Double
    /// Range of the chosen characters in the recognition.
    var characters: Range<Int>

    init(
        _ steps: Range<Int>,
        of recognition: LineRecognition,
        in emissions: CTCEmissions,
        among texts: AlternativeTexts
    ) {
        let search = PrefixBeamSearch(
            emissions: emissions,
            steps: steps,
            width: texts.width,
            minimumProbability: 1 - texts.certainty
        )
        let all = search.readings().map {
            PossibleText(text: $0.classes.map { texts.alphabet[$0] }.joined(), probability: $0.probability)
        }
        let readings = Array(all.prefix(texts.count + 1))
        let (first, last) = (emissions.positions[steps.lowerBound], emissions.positions[steps.upperBound - 1])
        let places = recognition.characters.map(\.position)
        var range =
            (places.firstIndex { $0 >= first } ?? places.count)..<(places.firstIndex { $0 > last } ?? places.count)
        var piece = recognition.characters[range].map(\.text).joined()
        if !readings.contains(where: { $0.text == piece }) {
            // An inserted space separates the stretch from its neighbour.
            while let first = range.first, recognition.characters[first].text == " " { range.removeFirst() }
            while let last = range.last, recognition.characters[last].text == " " { range.removeLast() }
            piece = recognition.characters[range].map(\.text).joined()
        }
        let chosen = all.first { $0.text == piece }?.probability
        chosenProbability = chosen ?? max(0, 1 - all.reduce(0) { $0 + $1.probability })
        (self.readings, characters) = (readings, range)
    }
}

extension LineRecognition {
    /// Returns the text with other pieces at some ranges of its characters, which ascend; without spaces at its ends,
    /// and with one between words.
    fileprivate func text(with pieces: [String], at ranges: [Range<Int>]) -> String {
        var (text, next) = ("", 0)
        for (piece, range) in zip(pieces, ranges) {
            for character in characters[next..<range.lowerBound] { text += character.text }
            text += piece
            next = range.upperBound
        }
        for character in characters[next...] { text += character.text }
        return text.split(separator: " ").joined(separator: " ")
    }
}
