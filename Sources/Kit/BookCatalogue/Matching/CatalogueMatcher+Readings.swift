public import Basics

/// A line of text that a book is named by.
public struct MatchLine: Sendable, Equatable {
    /// The text that the reader chose.
    public var text: String
    /// The probability that it was read right, 0…1.
    public var confidence: Double
    /// The texts that it may have, the chosen one first; empty when that is not in doubt.
    public var readings: [PossibleText]

    /// Creates a line from its parts: see the properties.
    public init(text: String, confidence: Double, readings: [PossibleText] = []) {
        self.text = text
        self.confidence = confidence
        self.readings = readings
    }
}

extension CatalogueMatcher {
    /// Names the book of lines of text, and lets the catalogue choose between their possible texts.
    ///
    /// As long as the match of the chosen texts is sure, or `readings` is 1, the other texts do not count. Otherwise
    /// the likeliest combinations of the lines' texts are matched, eight at most, of each line's first `readings`.
    /// The one whose match's confidence times the combination's probability is greatest counts if its match is sure,
    /// else the chosen one.
    ///
    /// Another text has to be sure, so that a book is not named because one of many texts is a little like it.
    ///
    /// - Throws: as ``match(_:limit:)-([(text:String,confidence:Double)],_)``.
    public func match(_ lines: [MatchLine], readings: Int, limit: Int = 5) throws -> MatchResult {
        try explain(lines, readings: readings, limit: limit).result
    }

    /// Returns the match with its reasons; a book that is excluded is treated as if it were not in the catalogue.
    package func explain(
        _ lines: [MatchLine],
        readings: Int,
        limit: Int,
        isExcluded: (BookRecord) -> Bool = { _ in false }
    ) throws -> Explanation {
        func explanation(of texts: [String]) throws -> Explanation {
            let lines = zip(texts, lines).map { (text: $0, confidence: $1.confidence) }
            return try explain(lines, limit: limit, isExcluded: isExcluded)
        }
        let chosen = try explanation(of: lines.map(\.text))
        guard readings > 1, chosen.confidence < NamingPolicy.standard.sure else { return chosen }
        let combinations = Self.combinations(of: lines, readings: readings)
        var best = (explanation: chosen, score: chosen.confidence * combinations[0].probability)
        for combination in combinations.dropFirst() {
            let found = try explanation(of: combination.texts)
            let score = found.confidence * combination.probability
            if score > best.score { best = (found, score) }
        }
        return best.explanation.confidence >= NamingPolicy.standard.sure ? best.explanation : chosen
    }

    /// Maximum number of combinations of texts that are searched, the chosen one included.
    static let maximumCombinations = 8

    /// Returns the chosen combination, and the likeliest others, likeliest first; `readings` of each line at most.
    ///
    /// The probabilities are shares of the total of the lines' readings. Texts of the same letters and digits are
    /// one: the catalogue ignores case and accents, and spaces hardly matter to it.
    static func combinations(of lines: [MatchLine], readings: Int) -> [(texts: [String], probability: Double)] {
        let choices = lines.map { $0.distinctReadings(readings) }
        let chosen = choices.reduce((texts: [String](), probability: 1.0)) {
            ($0.texts + [$1[0].text], $0.probability * $1[0].probability)
        }
        let likeliest = PossibleText.combinations(of: choices, count: maximumCombinations)
        return [chosen] + likeliest.filter { $0.texts != chosen.texts }.prefix(maximumCombinations - 1)
    }
}

extension MatchLine {
    /// Returns the chosen text, and those of its other readings with other letters; the sum of probabilities is 1.
    fileprivate func distinctReadings(_ count: Int) -> [PossibleText] {
        var distinct = [PossibleText(text: text, probability: 0)]
        var places = [Array(FoldedText(text).words.joined()): 0]
        for reading in readings.prefix(count) {
            let letters = Array(FoldedText(reading.text).words.joined())
            if let place = places[letters] {
                distinct[place].probability += reading.probability
            } else {
                places[letters] = distinct.count
                distinct.append(reading)
            }
        }
        let total = distinct.reduce(0) { $0 + $1.probability }
        guard total > 0 else { return [PossibleText(text: text, probability: 1)] }
        return distinct.map { PossibleText(text: $0.text, probability: $0.probability / total) }
    }
}

extension CatalogueMatcher.Explanation {
    /// Confidence of the first candidate; 0 without one.
    var confidence: Double { result.candidates.first?.confidence ?? 0 }
}
