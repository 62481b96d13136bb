import Basics

/// Reads doubtful words again with a lexicon in hand.
///
/// Where a word that was read is not in the lexicon and the network was not sure of it, the network's other readings of
/// the same place are considered in the order of their probability (CTC prefix beam search, Graves and Jaitly 2014,
/// algorithm 1); the first that is a word is taken, unless it is so much less probable that the reading is more likely
/// a name.
struct LanguageCorrector: Sendable {
    var lexicon: Lexicon
    /// The texts of the network's classes.
    var alphabet: [String]
    /// Minimum probability of a word, relative to the text as read.
    var minimumRatio = 0.002
    /// Minimum probability of each character for a word to stay unchanged.
    var sureConfidence = 0.97
    /// The same for words under four letters: almost any three letters are a word.
    var minimumRatioWhenShort = 0.1
    /// Minimum length of a corrected word.
    var minimumLength = 3
    /// Minimum gap for splitting two words that were read as one, in usual widths of the word's gaps.
    var minimumGap = 1.6
    /// Minimum probability of a space at some step, likewise: of 200 doubtful places in development spines, 0.018 to
    /// 0.5 between words that ran together and less than 0.006 within single words that only resemble two.
    var minimumSpace = 0.01
    /// Probability from which a text that is not a word is split whatever its parts are: names are in no list.
    var sureSpace = 0.1
    /// Maximum number of pieces that are joined to a word.
    var mostPieces = 12

    /// Returns the recognition with its doubtful words corrected; as it was when it has no emissions.
    func corrected(_ recognition: LineRecognition) -> LineRecognition {
        guard let emissions = recognition.emissions else { return recognition }
        var isChanged = false
        let characters = words(of: recognition.characters).flatMap { word in
            let original = recognition.characters[word]
            let better = separated(original, in: emissions) ?? replacement(for: original, in: emissions)
            isChanged = isChanged || better != nil
            return better ?? Array(original)
        }
        let whole = joined(characters)
        return isChanged || whole.count < characters.count
            ? LineRecognition(characters: whole, emissions: emissions) : recognition
    }

    /// Returns the line with words joined that were set or read letter by letter, or in pieces: "S L A M", "Th e".
    ///
    /// Of the runs of pieces that form a word, the longest is joined if one of its pieces is not a word by itself.
    private func joined(_ characters: [RecognizedCharacter]) -> [RecognizedCharacter] {
        let pieces = characters.split(omittingEmptySubsequences: false) { $0.text == " " }
        var (result, next) = ([RecognizedCharacter](), 0)
        while next < pieces.count {
            let ends = (next + 1..<min(next + mostPieces, pieces.count)).reversed()
            let end = ends.first { isBroken(pieces[next...$0]) } ?? next
            if next > 0 { result.append(characters[pieces[next].startIndex - 1]) }
            result += pieces[next...end].joined()
            next = end + 1
        }
        return result
    }

    /// Returns whether pieces are one word that would never be set apart.
    private func isBroken(_ pieces: ArraySlice<ArraySlice<RecognizedCharacter>>) -> Bool {
        guard pieces.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLetter) }) else { return false }
        let texts = pieces.map { $0.map(\.text).joined() }
        // A capital behind a small letter begins a name: "La Fayette".
        let isName = zip(texts, texts.dropFirst()).contains {
            $0.last?.isLowercase == true && $1.first?.isUppercase == true
        }
        let word = texts.joined()
        return word.count >= 4 && !isName && lexicon.contains(word) && !texts.allSatisfy(standsAlone)
    }

    /// Returns whether a piece is a word by itself: nearly any two letters are in some word list.
    private func standsAlone(_ piece: String) -> Bool {
        piece.count >= 3 ? lexicon.contains(piece) : Self.shortWords.contains(piece.lowercased())
    }

    /// Words of one or two letters in the languages whose word lists are used.
    private static let shortWords = Set(
        """
        a i o y e an as at am be by do go he if in is it me my no of oh on or so to up us we le la de du un en et es ce se \
        sa ma ta au ou où il el lo al su tu mi si di da ci im zu er ab um ob wo
        """.split(separator: " ").map(String.init)
    )

    /// Returns the line's characters in runs of letters and runs of everything else, in order.
    private func words(of characters: [RecognizedCharacter]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (index, character) in characters.enumerated() {
            if let last = runs.last, isLetter(characters[last.lowerBound]) == isLetter(character) {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }

    private func isLetter(_ character: RecognizedCharacter) -> Bool {
        character.text.unicodeScalars.allSatisfy(\.properties.isAlphabetic)
    }

    /// Returns a text that is not a word, split where a space was probable, or between two words at a gap wider than
    /// usual.
    private func separated(
        _ word: ArraySlice<RecognizedCharacter>,
        in emissions: CTCEmissions
    ) -> [RecognizedCharacter]? {
        guard word.count >= 4, word.allSatisfy(isLetter), let space = alphabet.firstIndex(of: " "),
            !lexicon.contains(word.map(\.text).joined())
        else { return nil }
        let gaps = zip(word, word.dropFirst()).map { $1.position - $0.position }
        let usual = gaps.sorted()[gaps.count / 2]
        let spaces = zip(word, word.dropFirst()).map { left, right in
            emissions.greatest(space, between: left.position, and: right.position)
        }
        for cut in gaps.indices.sorted(by: { (spaces[$0], gaps[$0]) > (spaces[$1], gaps[$1]) }) {
            let (left, right) = (word.prefix(cut + 1), word.dropFirst(cut + 1))
            guard let before = left.last, let after = right.first else { continue }
            let isLikely = spaces[cut] >= minimumSpace || (gaps[cut] >= minimumGap * usual && word.count >= 5)
            let areWords =
                left.count >= 2 && right.count >= 2 && lexicon.contains(left.map(\.text).joined())
                && lexicon.contains(right.map(\.text).joined())
            guard spaces[cut] >= sureSpace || (isLikely && areWords) else { continue }
            return (separated(left, in: emissions) ?? Array(left)) + [.space(between: before, and: after)]
                + (separated(right, in: emissions) ?? Array(right))
        }
        return nil
    }

    private func replacement(
        for word: ArraySlice<RecognizedCharacter>,
        in emissions: CTCEmissions
    ) -> [RecognizedCharacter]? {
        guard let first = word.first, let last = word.last, isLetter(first), word.count >= minimumLength,
            word.contains(where: { $0.confidence < sureConfidence }),
            !lexicon.contains(word.map(\.text).joined())
        else { return nil }
        let pitch = word.count > 1 ? (last.position - first.position) / Double(word.count - 1) : 8
        let low = first.position - pitch / 2
        let high = last.position + pitch / 2
        let steps = emissions.positions.indices.filter { (low...high).contains(emissions.positions[$0]) }
        guard let start = steps.first, let end = steps.last else { return nil }

        let readings = PrefixBeamSearch(emissions: emissions, steps: start..<end + 1).readings()
        guard let best = readings.first else { return nil }
        for reading in readings {
            let texts = reading.classes.map { alphabet[$0] }
            let ratio = min(texts.count, word.count) < 4 ? minimumRatioWhenShort : minimumRatio
            guard reading.probability >= ratio * best.probability else { continue }
            guard texts.count >= minimumLength, lexicon.contains(texts.joined()),
                Levenshtein.distance(texts, word.map(\.text)) <= max(1, word.count / 3)
            else { continue }
            // Letters that were added to a word at either end go with their places.
            let ends = [word.suffix(texts.count), word.prefix(texts.count)]
            if let same = ends.first(where: { $0.map(\.text) == texts }) { return Array(same) }
            let confidence = word.reduce(0) { $0 + $1.confidence } / Double(word.count)
            return texts.enumerated().map { index, text in
                let share = texts.count > 1 ? Double(index) / Double(texts.count - 1) : 0
                let position = first.position + share * (last.position - first.position)
                return RecognizedCharacter(
                    text: text,
                    confidence: confidence,
                    // Each letter takes the position of the letter that it replaces.
                    position: texts.count == word.count ? word[word.startIndex + index].position : position
                )
            }
        }
        return nil
    }
}

/// The most probable texts of a stretch of emissions, with the probability of each summed over all its alignments.
struct PrefixBeamSearch {
    var emissions: CTCEmissions
    var steps: Range<Int>
    /// Number of texts that are followed.
    var width = 24
    /// Classes below this probability at a step are not followed.
    var minimumProbability: Float = 0.003

    struct Reading {
        var classes: [Int]
        var probability: Double
    }

    /// Returns the readings by falling probability.
    func readings() -> [Reading] {
        var beams: [[Int]: (blank: Double, other: Double)] = [[]: (1, 0)]
        for step in steps {
            var next: [[Int]: (blank: Double, other: Double)] = [:]
            let row = step * emissions.classes
            let candidates = (1..<emissions.classes).filter {
                emissions.probabilities[row + $0] >= minimumProbability
            }
            let blank = Double(emissions.probabilities[row])
            for (prefix, score) in beams {
                let total = score.blank + score.other
                next[prefix, default: (0, 0)].blank += total * blank
                for index in candidates {
                    let probability = Double(emissions.probabilities[row + index])
                    if index == prefix.last {
                        next[prefix, default: (0, 0)].other += score.other * probability
                        // The same class again is another character only behind a blank.
                        if score.blank > 0 {
                            next[prefix + [index], default: (0, 0)].other += score.blank * probability
                        }
                    } else {
                        next[prefix + [index], default: (0, 0)].other += total * probability
                    }
                }
            }
            let kept = next.sorted {
                ($1.value.blank + $1.value.other, $0.key.count) < ($0.value.blank + $0.value.other, $1.key.count)
            }.prefix(width)
            beams = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
        }
        return beams.map { Reading(classes: $0.key, probability: $0.value.blank + $0.value.other) }
            .sorted { ($1.probability, $0.classes.count) < ($0.probability, $1.classes.count) }
    }
}
