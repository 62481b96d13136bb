/// Turns the emissions of a CTC network into text by best-path decoding.
///
/// The most probable class of each step is taken, repetitions are collapsed and blanks dropped: section 3.2 of
/// Graves and others (2006), “Connectionist Temporal Classification”.
public struct CTCDecoder: Sendable {
    /// The text of each class.
    ///
    /// The first is the blank and is never emitted.
    public let alphabet: [String]

    private let corrector: LanguageCorrector?

    /// A decoder whose doubtful words are corrected with `lexicon`; nil leaves them as they were read.
    public init(alphabet: [String], lexicon: Lexicon? = nil) {
        self.alphabet = alphabet
        corrector = lexicon.map { LanguageCorrector(lexicon: $0, alphabet: alphabet) }
    }

    /// - Returns: the text; its confidence is the mean of the emitted characters' probabilities.
    public func decode(_ emissions: CTCEmissions) -> LineRecognition {
        precondition(emissions.classes == alphabet.count, "one class for each text of the alphabet")
        var characters: [RecognizedCharacter] = []
        var previous = 0
        for (step, position) in emissions.positions.enumerated() {
            let (index, probability) = emissions.best(step)
            if index != 0 && index != previous {
                characters.append(
                    RecognizedCharacter(
                        text: alphabet[index],
                        confidence: Double(probability),
                        position: position
                    )
                )
            }
            previous = index
        }
        let read = LineRecognition(characters: WordSpacing().restored(trimmed(characters)), emissions: emissions)
        return corrector?.corrected(read) ?? read
    }

    /// Without spaces at either end, which are no part of a line's text.
    private func trimmed(_ characters: [RecognizedCharacter]) -> [RecognizedCharacter] {
        let first = characters.firstIndex { $0.text != " " } ?? characters.endIndex
        let last = characters.lastIndex { $0.text != " " } ?? characters.startIndex
        return first <= last && first < characters.endIndex ? Array(characters[first...last]) : []
    }
}

extension LineRecognition {
    /// The text and mean confidence of `characters`.
    init(characters: [RecognizedCharacter], emissions: CTCEmissions?) {
        let sum = characters.reduce(0) { $0 + $1.confidence }
        self.init(
            text: characters.map(\.text).joined(),
            confidence: characters.isEmpty ? 0 : sum / Double(characters.count),
            characters: characters,
            emissions: emissions
        )
    }
}
