import Testing

@testable import TextRecognition

@Suite struct WordSpacingTests {
    private static let tens = (0..<13).map { Double($0) * 10 }

    @Test(
        arguments: [
            // Four distances of 10 and one of 30: the median is 10, the limit 22; at the limit there is no space.
            ("THEEND", [0, 10, 20, 50, 60, 70], "THE END"), ("THEEND", [0, 10, 20, 42, 52, 62], "THEEND"),
            ("THEEND", [0, 10, 20, 42.1, 52.1, 62.1], "THE END"),
            // A space that was read is not doubled; a short line has no usual distance.
            ("THE END", [0, 10, 20, 35, 50, 60, 70], "THE END"), ("ABCD", [0, 10, 20, 90], "ABCD"), ("", [], ""),
            // Letters that stand alone are a word; three may be initials.
            ("U L Y S S E S", tens, "ULYSSES"), ("J R R TOLKIEN", tens, "J R R TOLKIEN"),
            // A wider gap, of 40 where the others are 20, parts two words.
            ("T H E P A R", [0, 10, 20, 30, 40, 60, 80, 90, 100, 110, 120], "THE PAR"),
        ] as [(String, [Double], String)]
    )
    func spaceIsPutWhereCharactersStandFarApart(read: String, positions: [Double], expected: String) {
        #expect(WordSpacing().restored(characters(read, at: positions)).map(\.text).joined() == expected)
    }

    @Test func newSpaceStandsBetweenItsNeighboursAndIsAsSureAsTheLesser() {
        var line = characters("THEEND", at: [0, 10, 20, 50, 60, 70])
        line[3].confidence = 0.6
        let space = WordSpacing().restored(line)[3]
        #expect(space == RecognizedCharacter(text: " ", confidence: 0.6, position: 35))
    }
}
