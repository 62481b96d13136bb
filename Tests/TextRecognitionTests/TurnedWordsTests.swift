import Imaging
import TestSupport
import Testing

@testable import TextRecognition

@Suite struct TurnedWordsTests {
    /// A line of 200 × 48 pixels with bars as letters from column 60 on, and before them four short bars one above
    /// the other, as of a turned word.
    private func line(turned: Bool) -> RasterImage {
        image(200, 48) { x, y in
            if x >= 60 { return (x - 60) % 24 < 10 && (8..<40).contains(y) ? 20 : 230 }
            return turned && (10..<26).contains(x) && (4..<44).contains(y) && (y - 4) % 10 < 5 ? 20 : 230
        }
    }

    private let title = LineRecognition(
        text: "TITLED",
        confidence: 0.95,
        characters: characters("TITLED", at: [65, 89, 113, 137, 161, 185])
    )

    @Test func turnedWordBesideALineIsAHole() {
        let holes = TurnedWords.holes(of: title, in: line(turned: true))
        #expect(holes == [TurnedWords.Hole(columns: 10..<26, rows: 4..<39, characters: 0..<0)])
    }

    @Test func emptyRoomBesideALineIsNone() {
        #expect(TurnedWords.holes(of: title, in: line(turned: false)).isEmpty)
    }

    @Test func doubtfulMarkIsPartOfAHole() {
        var read = title
        read.characters.insert(RecognizedCharacter(text: "E", confidence: 0.3, position: 18), at: 0)
        #expect(TurnedWords.holes(of: read, in: line(turned: true)).map(\.characters) == [0..<1])
        read.characters[0].confidence = 0.9
        #expect(TurnedWords.holes(of: read, in: line(turned: true)).isEmpty)
    }

    @Test func partOfAQuadIsGivenByShares() {
        expectClose(
            box(10, 20, 100, 40).part(0.1...0.5, -0.5...1).corners,
            [(20, 0), (60, 0), (60, 60), (20, 60)]
        )
    }
}
