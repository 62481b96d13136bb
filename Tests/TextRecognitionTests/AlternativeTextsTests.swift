import Basics
import Testing

@testable import TextRecognition

@Suite struct AlternativeTextsTests {
    private static let alphabet = ["", "a", "b", " "]

    /// Emissions of rows of blank, a, b and the space, eight pixels apart.
    private func emissions(_ rows: [[Float]]) -> CTCEmissions {
        CTCEmissions(
            classes: 4,
            probabilities: rows.flatMap(\.self),
            positions: rows.indices.map { 8 * Double($0) + 4 }
        )
    }

    /// Returns the probability of each text: the sum over all its paths, in rows without a space.
    private func bruteForce(_ rows: [[Float]]) -> [String: Double] {
        var texts: [String: Double] = [:]
        for number in 0..<(0..<rows.count).reduce(1, { product, _ in product * 3 }) {
            var (text, previous, probability, rest) = ("", 0, 1.0, number)
            for row in rows {
                let index = rest % 3
                rest /= 3
                probability *= Double(row[index])
                if index != previous { text += Self.alphabet[index] }
                previous = index
            }
            texts[text, default: 0] += probability
        }
        return texts
    }

    private let blank: [Float] = [1, 0, 0, 0]

    private func alternatives(
        _ rows: [[Float]],
        _ change: (inout AlternativeTexts) -> Void = { _ in }
    )
        -> [PossibleText]
    {
        var texts = AlternativeTexts(alphabet: Self.alphabet)
        change(&texts)
        return texts.alternatives(to: CTCDecoder(alphabet: Self.alphabet).decode(emissions(rows)))
    }

    private func expect(
        _ found: [PossibleText],
        _ expected: KeyValuePairs<String, Double>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(found.map(\.text) == expected.map(\.key), sourceLocation: sourceLocation)
        for (text, wanted) in zip(found, expected) {
            #expect(abs(text.probability - wanted.value) < 1e-6, sourceLocation: sourceLocation)
        }
    }

    @Test func aTextsProbabilityIsTheSumOfItsPaths() {
        // Computed by hand: "a" by aa, a-, -a = 0.36 + 0.18 + 0.18 = 0.72; "" 0.09; "ab" 0.06; "ba" 0.06; "b" by bb,
        // b-, -b = 0.07.
        let found = alternatives([[0.3, 0.6, 0.1, 0], [0.3, 0.6, 0.1, 0]])
        expect(found, ["a": 0.72, "b": 0.07, "ab": 0.06, "ba": 0.06])
    }

    /// Eight tables of four or five steps, drawn from a fixed recurrence, each row's probabilities in sixteenths.
    @Test(arguments: 0..<8) func allTextsAreThoseOfAllPaths(seed: Int) {
        var state = UInt32(seed + 1)
        func next(_ limit: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 16) % limit
        }
        let rows = (0..<4 + seed % 2).map { _ -> [Float] in
            // The blank is never the best: a line without text has no alternatives.
            let (first, second) = (1 + next(4), 1 + next(5))
            return [Float(first), Float(second), Float(16 - first - second), 0].map { $0 / 16 }
        }
        let expected = bruteForce(rows).filter { !$0.key.isEmpty }
        let found = alternatives(rows) {
            ($0.count, $0.minimumShare, $0.width) = (1_000, 0, 10_000)
        }
        #expect(found.count == expected.count)
        for alternative in found {
            #expect(abs(alternative.probability - (expected[alternative.text] ?? -1)) < 1e-6, "\(alternative.text)")
        }
        #expect(found.dropFirst().map(\.probability) == found.dropFirst().map(\.probability).sorted(by: >))
    }

    @Test func stretchesBetweenSureBlanksCombine() {
        let doubt: [Float] = [0, 0.6, 0.4, 0]
        let found = alternatives([doubt, blank, doubt, blank, [0, 0, 1, 0]])
        expect(found, ["aab": 0.36, "abb": 0.24, "bab": 0.24, "bbb": 0.16])
    }

    @Test func aSureLineHasNoAlternatives() {
        #expect(alternatives([[0, 0.995, 0.005, 0], [1, 0, 0, 0]]).isEmpty)
        #expect(alternatives([]).isEmpty)
        let read = LineRecognition(text: "a", confidence: 0.5)
        #expect(AlternativeTexts(alphabet: Self.alphabet).alternatives(to: read).isEmpty)
    }

    @Test func fiveAreKeptAndTheImprobableLeftOut() {
        let doubt: [Float] = [0.2, 0.4, 0.4, 0]
        #expect(alternatives([doubt, blank, doubt, blank, doubt]).count == 5)
        // 0.005 is less than a hundredth of 0.985, and not a candidate.
        #expect(alternatives([[0.01, 0.985, 0.005, 0]]).isEmpty)
    }

    @Test func theChosenTextIsFirstHoweverProbable() {
        // The word list has "bab": it is taken at 0.3 against 0.7.
        let decoder = CTCDecoder(alphabet: Self.alphabet, lexicon: Lexicon(text: "bab"))
        let read = decoder.decode(
            emissions([[0, 0, 1, 0], blank, [0, 1, 0, 0], blank, [0, 0.7, 0.3, 0]])
        )
        #expect(read.text == "bab")
        expect(AlternativeTexts(alphabet: Self.alphabet).alternatives(to: read), ["bab": 0.3, "baa": 0.7])
    }

    @Test func aSpaceThatWasPutInStays() {
        let letter: [Float] = [0, 1, 0, 0]
        // Five letters in a row, then a gap of five steps: the spacing puts a space there.
        let row = [letter, blank, letter, blank, letter, blank, letter, blank, letter]
        let found = alternatives(row + [blank, blank, blank, blank, blank] + [[0, 0.6, 0.4, 0], blank])
        #expect(found.map(\.text) == ["aaaaa a", "aaaaa b"])
    }

    @Test func aCorrectedTextHasWhatTheReadingsLeave() {
        // The network reads a at 0.6 or b at 0.3; a correction put another letter there: 0.1 is left for it.
        let read = LineRecognition(
            text: "c",
            confidence: 0.6,
            characters: characters("c", at: [4], confidence: 0.6),
            emissions: emissions([[0.1, 0.6, 0.3, 0]])
        )
        // The empty reading has 0.1, and nothing remains.
        expect(AlternativeTexts(alphabet: Self.alphabet).alternatives(to: read), ["c": 0, "a": 0.6, "b": 0.3])
    }
}
