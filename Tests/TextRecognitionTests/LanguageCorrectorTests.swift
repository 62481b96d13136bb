import Testing

@testable import TextRecognition

@Suite struct LanguageCorrectorTests {
    /// Blank, then letters and the space.
    private static let alphabet = ["", "a", "c", "d", "e", "g", "h", "i", "n", "o", "r", "s", "t", "u", "w", " "]
    private let decoder = CTCDecoder(
        alphabet: alphabet,
        lexicon: Lexicon(text: "seen\nhouse\ndog\nthe\nwinter\nsun\ngreat")
    )

    /// Returns one step for each entry, with a blank step behind it: the probabilities of some classes, the rest for
    /// the blank.
    ///
    /// `spaces` is the probability of a space in the blank steps behind some entries.
    private func emissions(
        _ steps: [[String: Float]],
        pitch: Double = 8,
        spaces: [Int: Float] = [:]
    ) -> CTCEmissions {
        var probabilities: [Float] = []
        var positions: [Double] = []
        for (index, step) in steps.enumerated() {
            var row = Self.alphabet.map { step[$0] ?? 0 }
            row[0] += 1 - row.reduce(0, +)
            let space = spaces[index] ?? 0
            probabilities += row + [1 - space] + [Float](repeating: 0, count: Self.alphabet.count - 2) + [space]
            positions += [Double(2 * index) * pitch, Double(2 * index + 1) * pitch]
        }
        return CTCEmissions(classes: Self.alphabet.count, probabilities: probabilities, positions: positions)
    }

    private func sure(_ text: String) -> [[String: Float]] { text.map { [String($0): 1] } }

    /// A sure beginning, the probabilities of what follows, and the text.
    @Test(
        arguments: [
            // "seeu" at 0.9 against "seen" at 0.1: a ninth, more than the two thousandths that a word of four needs.
            ("see", ["u": 0.9, "n": 0.1], "seen"),
            // A sure name stays though it is no word, and so does one where the word is too improbable.
            ("see", ["u": 0.98, "n": 0.02], "seeu"), ("see", ["u": 0.95, "n": 0.0015], "seeu"),
            // A word of three letters needs more: 0.05 / 0.9 is below a tenth; 0.2 / 0.7 is above.
            ("do", ["o": 0.9, "g": 0.05], "doo"), ("do", ["s": 0.7, "g": 0.2], "dog"),
            // A word of the lexicon stays however doubtful, and so do the other words of the line.
            ("su", ["n": 0.5, "r": 0.4], "sun"), ("the see", ["u": 0.6, "n": 0.4], "the seen"),
        ] as [(String, [String: Float], String)]
    )
    func doubtfulCharacterIsTakenFromAWord(start: String, last: [String: Float], expected: String) {
        let read = decoder.decode(emissions(sure(start) + [last]))
        #expect(read.text == expected)
        #expect(read.characters.count == expected.count)
        // The mean of 1, 1, 1 and 0.9: a word from the lexicon has no more confidence than its reading.
        if last["u"] == 0.9 { #expect(abs(read.confidence - 0.975) < 1e-6) }
    }

    @Test func twoWordsWithoutASpaceAreTakenApartAtAWideGap() {
        // The blank entry between them makes one gap twice as wide as the others.
        #expect(decoder.decode(emissions(sure("the") + [[:]] + sure("house"))).text == "the house")
    }

    /// Probabilities of spaces behind some letters.
    @Test(
        arguments: [
            ("thehouse", [:], "thehouse"), ("thehouse", [2: 0.02], "the house"), ("thehouse", [2: 0.005], "thehouse"),
            // Not where that leaves no two words, unless the space was rather probable: names are in no list.
            ("thehouse", [3: 0.02], "thehouse"), ("neddotis", [2: 0.2], "ned dotis"),
            // Each part is processed again.
            ("thesundog", [2: 0.3, 5: 0.02], "the sun dog"),
            // Symbols other than letters keep their spaces; a word of the lexicon is whole.
            ("sun  sun", [3: 0.4], "sun  sun"), ("winter", [2: 0.3], "winter"),
        ] as [(String, [Int: Float], String)]
    )
    func twoWordsAreTakenApartWhereASpaceWasProbable(read: String, spaces: [Int: Float], expected: String) {
        #expect(decoder.decode(emissions(sure(read), spaces: spaces)).text == expected)
    }

    @Test(arguments: [
        ("w i n t e r", "winter"), ("the w in ter sun", "the winter sun"), ("gr eat house", "great house"),
        // Words that are in the lexicon stay apart, and so do parts that form no word together.
        ("the sun dog", "the sun dog"), ("no w in ere", "no w in ere"), ("s e a", "s e a"),
        // A space at each end of the joined text stays.
        ("a w inter dog", "a winter dog"),
    ])
    func aWordThatWasReadInPiecesIsJoined(read: String, text: String) {
        #expect(decoder.decode(emissions(sure(read))).text == text)
    }

    @Test func aCapitalBehindASmallLetterBeginsAName() {
        let alphabet = ["", "d", "e", "s", "n", "S", " "]
        let decoder = CTCDecoder(alphabet: alphabet, lexicon: Lexicon(text: "desens"))
        func read(_ text: String) -> String {
            var rows: [Float] = []
            for letter in text { rows += alphabet.map { $0 == String(letter) ? 1 : 0 } + [1, 0, 0, 0, 0, 0, 0] }
            let positions = (0..<2 * text.count).map { 8 * Double($0) }
            return decoder.decode(CTCEmissions(classes: 7, probabilities: rows, positions: positions)).text
        }
        #expect(read("de sens") == "desens")
        #expect(read("de Sens") == "de Sens")
    }

    @Test func withoutALexiconNothingIsCorrected() {
        let plain = CTCDecoder(alphabet: Self.alphabet)
        #expect(plain.decode(emissions(sure("see") + [["u": 0.6, "n": 0.4]])).text == "seeu")
    }

    @Test func beamSearchSumsTheAlignmentsOfAText() {
        // Two steps with a at 0.6 and the blank at 0.4: "a" by aa, a-, -a = 0.36 + 0.24 + 0.24 = 0.84; "" = 0.16.
        let emissions = CTCEmissions(classes: 2, probabilities: [0.4, 0.6, 0.4, 0.6], positions: [4, 12])
        let readings = PrefixBeamSearch(emissions: emissions, steps: 0..<2).readings()
        #expect(readings.map(\.classes) == [[1], []])
        #expect(zip(readings, [0.84, 0.16]).allSatisfy { abs($0.probability - $1) < 1e-6 })
    }

    @Test func beamSearchKeepsADoubleLetterThatABlankParts() {
        // a, blank, a for certain: the text is "aa".
        let emissions = CTCEmissions(classes: 2, probabilities: [0, 1, 1, 0, 0, 1], positions: [4, 12, 20])
        #expect(PrefixBeamSearch(emissions: emissions, steps: 0..<3).readings().first?.classes == [1, 1])
    }
}
