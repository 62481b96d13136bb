import Testing

@testable import TextRecognition

@Suite struct CTCDecoderTests {
    /// Class 0 is the blank, class 4 the space.
    private let decoder = CTCDecoder(alphabet: ["", "A", "B", "C", " "])

    /// Emissions whose best class of each step is the one given, at the probability given; steps are 8 pixels wide.
    private func emissions(_ steps: [(best: Int, probability: Float)]) -> CTCEmissions {
        var probabilities: [Float] = []
        for step in steps {
            var row = [Float](repeating: (1 - step.probability) / 4, count: 5)
            row[step.best] = step.probability
            probabilities += row
        }
        return CTCEmissions(
            classes: 5,
            probabilities: probabilities,
            positions: steps.indices.map { Double($0) * 8 + 4 }
        )
    }

    private func text(_ classes: [Int]) -> String { decoder.decode(emissions(classes.map { ($0, 0.9) })).text }

    /// Expected values by the definition of best-path decoding: repetitions collapse, then blanks are removed.
    @Test(arguments: [
        ([], ""),
        ([0, 0, 0], ""),
        ([1], "A"),
        ([1, 1, 1], "A"),
        ([1, 0, 1], "AA"),
        ([1, 1, 0, 0, 1, 2, 2, 0], "AAB"),
        ([0, 3, 2, 1], "CBA"),
        // A space inside stays, one repeated is one, those at the ends go.
        ([1, 4, 4, 2], "A B"),
        ([4, 0, 4, 1, 4], "A"),
        ([4, 4], ""),
    ])
    func collapsesRepetitionsAndDropsBlanks(classes: [Int], expected: String) {
        #expect(text(classes) == expected)
    }

    @Test(arguments: [
        ("4.5O", "4.50"), ("I33/4", "133/4"), ("l9O4", "1904"), ("O1", "O1"), ("IO5B", "IO5B"), ("II", "II"),
    ])
    func lettersLikeDigitsAreDigitsInNumbers(read: String, expected: String) {
        let alphabet = [""] + Set(read + " ").sorted().map(String.init)
        let classes = read.flatMap { [alphabet.firstIndex(of: String($0)) ?? 0, 0] }
        let emissions = CTCEmissions(
            classes: alphabet.count,
            probabilities: classes.flatMap { best in alphabet.indices.map { $0 == best ? 1 : 0 } },
            positions: classes.indices.map { Double($0) * 8 }
        )
        #expect(CTCDecoder(alphabet: alphabet).decode(emissions).text == expected)
    }

    /// The confidence is the mean of the emitted characters, each of which stands at its first step.
    @Test(
        arguments: [
            // The blank's 0.99 and the repetition's 0.8 do not count: (0.9 + 0.5) / 2.
            ([(0, 0.99), (1, 0.9), (1, 0.8), (2, 0.5)], "AB", 0.7, [12, 28]),
            // Spaces at the ends do not count.
            ([(4, 0.4), (1, 0.9), (4, 0.4)], "A", 0.9, [12]),
            ([(0, 0.9), (1, 0.9), (1, 0.9), (0, 0.9), (2, 0.9)], "AB", 0.9, [12, 36]),
            ([(0, 0.9), (4, 0.9)], "", 0, []),
        ] as [([(best: Int, probability: Float)], String, Double, [Double])]
    )
    func charactersHaveConfidenceAndPlace(
        steps: [(best: Int, probability: Float)],
        text: String,
        confidence: Double,
        positions: [Double]
    ) {
        let given = emissions(steps)
        let read = decoder.decode(given)
        #expect(read.text == text && read.characters.map(\.text).joined() == text)
        #expect(abs(read.confidence - confidence) < 1e-6)
        #expect(read.characters.map(\.position) == positions)
        #expect(read.emissions == given)
    }
}
