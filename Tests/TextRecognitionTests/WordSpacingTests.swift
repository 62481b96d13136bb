import Testing

@testable import TextRecognition

@Suite struct WordSpacingTests {
    private func restored(_ text: String, at positions: [Double]) -> String {
        WordSpacing().restored(characters(text, at: positions)).map(\.text).joined()
    }

    @Test func spaceIsPutWhereCharactersStandFarApart() {
        // Four distances of 10 and one of 30: the median is 10, the limit 22.
        #expect(restored("THEEND", at: [0, 10, 20, 50, 60, 70]) == "THE END")
    }

    @Test func distanceAtTheLimitIsNoSpace() {
        #expect(restored("THEEND", at: [0, 10, 20, 42, 52, 62]) == "THEEND")
        #expect(restored("THEEND", at: [0, 10, 20, 42.1, 52.1, 62.1]) == "THE END")
    }

    @Test func spaceThatWasReadIsNotDoubled() {
        #expect(restored("THE END", at: [0, 10, 20, 35, 50, 60, 70]) == "THE END")
    }

    @Test func shortLineHasNoUsualDistance() {
        #expect(restored("ABCD", at: [0, 10, 20, 90]) == "ABCD")
        #expect(restored("", at: []) == "")
    }

    @Test func lettersThatStandAloneAreAWord() {
        let places = (0..<13).map { Double($0) * 10 }
        #expect(restored("U L Y S S E S", at: places) == "ULYSSES")
        // Three letters may be initials.
        #expect(restored("J R R TOLKIEN", at: places) == "J R R TOLKIEN")
        // A wider gap, of 40 where the others are 20, parts two words.
        #expect(restored("T H E P A R", at: [0, 10, 20, 30, 40, 60, 80, 90, 100, 110, 120]) == "THE PAR")
    }

    @Test func newSpaceStandsBetweenItsNeighboursAndIsAsSureAsTheLesser() {
        var line = characters("THEEND", at: [0, 10, 20, 50, 60, 70])
        line[3].confidence = 0.6
        let space = WordSpacing().restored(line)[3]
        #expect(space == RecognizedCharacter(text: " ", confidence: 0.6, position: 35))
    }
}
