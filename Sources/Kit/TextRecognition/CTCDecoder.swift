public import Imaging

/// Turns the emissions of a CTC network into text by best-path decoding.
///
/// The most probable class of each step is taken, repetitions are collapsed and blanks dropped: section 3.2 of
/// Graves and others (2006), “Connectionist Temporal Classification”.
public struct CTCDecoder: Sendable {
    /// The text of each class; the first is the blank and is never emitted.
    public let alphabet: [String]

    private let corrector: LanguageCorrector?

    /// Creates a decoder whose doubtful words are corrected with `lexicon`; nil leaves them as they were read.
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
                let text = alphabet[index]
                characters.append(RecognizedCharacter(text: text, confidence: Double(probability), position: position))
            }
            previous = index
        }
        let spaced = WordSpacing().restored(trimmed(characters))
        let read = LineRecognition(characters: withNumbers(spaced), emissions: emissions)
        return corrector?.corrected(read) ?? read
    }

    /// Returns a recognition of this decoder as the line of a reading: with the texts that it may have, and the
    /// probability that it is right if there is a calibration of the network and a lexicon.
    public func line(of recognition: LineRecognition, at quad: Quad, calibration: LineCalibration?) -> RecognizedLine {
        var line = RecognizedLine(text: recognition.text, confidence: recognition.confidence, quad: quad)
        line.alternatives = AlternativeTexts(alphabet: alphabet).alternatives(to: recognition)
        if let calibration, let corrector {
            line.probability = calibration.probability(of: line, lexicon: corrector.lexicon)
        }
        return line
    }

    /// Letters that are digits in a number.
    private static let lookalikes = ["O": "0", "o": "0", "I": "1", "l": "1"]

    /// Returns the characters with digits for letters like them, in words of two digits or more and no other letters.
    private func withNumbers(_ characters: [RecognizedCharacter]) -> [RecognizedCharacter] {
        var result = characters
        for word in characters.indices.split(whereSeparator: { characters[$0].text == " " }) {
            let texts = word.map { characters[$0].text }
            let hasOthers = texts.contains { $0.contains(where: \.isLetter) && Self.lookalikes[$0] == nil }
            guard !hasOthers, texts.count(where: { $0.contains(where: \.isNumber) }) >= 2 else { continue }
            for index in word { result[index].text = Self.lookalikes[result[index].text] ?? result[index].text }
        }
        return result
    }

    /// Returns the characters without spaces at either end, which are not part of a line's text.
    private func trimmed(_ characters: [RecognizedCharacter]) -> [RecognizedCharacter] {
        characters.drop { $0.text == " " }.reversed().drop { $0.text == " " }.reversed()
    }
}

extension LineRecognition {
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

/// Emissions of a CTC network for one line: for every step along the line, a probability for each class.
///
/// Class 0 is the blank (Graves et al. 2006, "Connectionist Temporal Classification", section 3).
public struct CTCEmissions: Sendable, Equatable {
    /// Classes in each step, the blank among them.
    public let classes: Int
    /// `positions.count * classes` values in 0…1, row-major: one row a step.
    public let probabilities: [Float]
    /// The middle of each step, in pixels of the line image from its left.
    public let positions: [Double]

    /// Creates the emissions of one line: see the properties.
    ///
    /// - Precondition: the number of rows equals the number of positions.
    public init(classes: Int, probabilities: [Float], positions: [Double]) {
        precondition(probabilities.count == classes * positions.count, "one row of classes for each step")
        (self.classes, self.probabilities, self.positions) = (classes, probabilities, positions)
    }

    /// Joins several parts of one line, from left to right; nil without a part.
    ///
    /// The parts have the same classes, and positions in the pixels of the whole line.
    public init?(joining parts: [CTCEmissions]) {
        guard let classes = parts.first?.classes else { return nil }
        let probabilities = parts.flatMap(\.probabilities)
        self.init(classes: classes, probabilities: probabilities, positions: parts.flatMap(\.positions))
    }

    /// Returns the greatest probability of a class at the steps between two positions; 0 when there are none.
    func greatest(_ index: Int, between left: Double, and right: Double) -> Double {
        positions.indices.reduce(0) { greatest, step in
            positions[step] > left && positions[step] < right
                ? max(greatest, Double(probabilities[step * classes + index])) : greatest
        }
    }

    /// Returns the most probable class of a step, and its probability; the first of equals.
    func best(_ step: Int) -> (index: Int, probability: Float) {
        probabilities.withUnsafeBufferPointer { values in
            let row = step * classes
            var best = 0
            for index in 1..<classes where values[row + index] > values[row + best] { best = index }
            return (best, values[row + best])
        }
    }
}

/// Restores the spaces that a recogniser omits between words set close together.
///
/// A space is missing wherever two characters are much farther apart than the line's usual.
struct WordSpacing: Sendable {
    /// A gap is a space from this many times the line's median distance between neighbouring characters.
    var factor = 2.2

    /// Returns the characters with the missing spaces among them.
    ///
    /// An inserted space has the confidence of the less sure of its neighbours. A line with fewer than four pairs of
    /// neighbouring characters has no usual distance and gets no space.
    func restored(_ characters: [RecognizedCharacter]) -> [RecognizedCharacter] {
        let gaps = zip(characters, characters.dropFirst()).filter { $0.text != " " && $1.text != " " }
            .map { $1.position - $0.position }.sorted()
        guard gaps.count >= 4 else { return joined(characters) }
        let limit = gaps[gaps.count / 2] * factor
        var result: [RecognizedCharacter] = []
        for character in characters {
            if let last = result.last, last.text != " ", character.text != " ",
                character.position - last.position > limit
            {
                result.append(.space(between: last, and: character))
            }
            result.append(character)
        }
        return joined(result)
    }

    /// Minimum number of letters that stand alone in a row for being one word.
    private static let fewestLetters = 4

    /// Returns the line without the spaces between letters that stand alone in a row, "U L Y S S E S", but for wider
    /// ones.
    private func joined(_ characters: [RecognizedCharacter]) -> [RecognizedCharacter] {
        let isSpace = characters.map { $0.text == " " } + [true]
        var (spaces, start) = (Set<Int>(), 0)
        while start < characters.count {
            var end = start
            while end < characters.count, !isSpace[end], isSpace[end + 1] { end += 2 }
            let letters = Array(stride(from: start, to: end, by: 2))
            let gaps = letters.dropLast().map { characters[$0 + 2].position - characters[$0].position }
            if letters.count >= Self.fewestLetters {
                let widest = 1.6 * gaps.sorted()[gaps.count / 2]
                spaces.formUnion(zip(letters, gaps).filter { $1 <= widest }.map { $0.0 + 1 })
            }
            while end < characters.count, !isSpace[end] { end += 1 }
            start = max(end, start) + 1
        }
        return characters.indices.filter { !spaces.contains($0) }.map { characters[$0] }
    }
}
