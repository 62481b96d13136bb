import Imaging
import TestSupport
import Testing

@testable import TextRecognition

@Suite struct LetterRowTests {
    private func letter(_ text: String, at y: Double, x: Double = 40, size: Double = 20) -> ReadLine {
        ReadLine(quad: box(x, y, size, size), recognition: LineRecognition(text: text, confidence: 0.9))
    }

    private func rows(_ lines: [ReadLine]) -> [LetterRow] { LetterRow.rows(of: lines, isTall: true) }

    /// Places of letters, of another line, and of the row's boxes.
    @Test(
        arguments: [
            // Letters every 60 pixels, with a place for one more at either end.
            ([140, 20, 80], nil, [-40, 20, 80, 140, 200]),
            // A letter without a box has its place; where another line is, none is missing.
            ([20, 50, 110, 140], nil, [-10, 20, 50, 80, 110, 140, 170]),
            ([20, 70, 120], box(35, 170, 30, 200), [-30, 20, 70, 120]),
        ] as [([Double], Quad?, [Double])]
    )
    func lettersOfOneSizeAtOneDistanceAreARow(letters: [Double], other: Quad?, expected: [Double]) throws {
        let author = other.map { ReadLine(quad: $0, recognition: LineRecognition(text: "JOYCE", confidence: 1)) }
        let row = try #require(rows(letters.map { letter("A", at: $0) } + [author].compactMap(\.self)).first)
        #expect(row.members == letters.indices.sorted { letters[$0] < letters[$1] })
        #expect(row.boxes.map(\.along.lowerBound) == expected)
    }

    @Test func othersAreNoRow() {
        // Two letters, one that is larger, one beside, one far away, and words.
        #expect(rows([letter("A", at: 20), letter("B", at: 80)]).isEmpty)
        #expect(rows([letter("A", at: 20), letter("B", at: 80), letter("C", at: 140, size: 50)]).isEmpty)
        #expect(rows([letter("A", at: 20), letter("B", at: 80), letter("C", at: 140, x: 60)]).isEmpty)
        #expect(rows([letter("A", at: 20), letter("B", at: 80), letter("C", at: 400)]).isEmpty)
        #expect(rows(["MY", "BOOKY", "WOOK"].enumerated().map { letter($1, at: Double($0) * 50) }).isEmpty)
    }

    @Test func lettersAreInOrderAndOnOneLineInEveryDirection() throws {
        let row = try #require(rows([letter("A", at: 50), letter("B", at: 100), letter("C", at: 150)]).first)
        let (down, downwards) = row.quads(.clockwise, isTall: true)
        #expect(down.map(\.centre.y) == [10, 60, 110, 160, 210])
        #expect(down.allSatisfy { $0.orientation == .clockwise } && downwards.orientation == .clockwise)
        let (up, upwards) = row.quads(.counterclockwise, isTall: true)
        #expect(up.map(\.centre.y) == [210, 160, 110, 60, 10])
        #expect(upwards.orientation == .counterclockwise)
        // Stacked: each letter stands, and the line runs down the spine.
        let (stacked, whole) = row.quads(.upright, isTall: true)
        #expect(stacked.map(\.centre.y) == [10, 60, 110, 160, 210])
        #expect(stacked.allSatisfy { $0.orientation == .upright } && whole.orientation == .clockwise)
    }

    /// The recogniser reads one letter from a narrow image, and the word from the wide one that all are joined to.
    private func read(_ word: (text: String, confidence: Double), letters: Double) throws -> [String] {
        let detector = ScriptedDetector(lines: [box(50, 20, 20, 20), box(110, 20, 20, 20), box(170, 20, 20, 20)])
        let recognizer = ScriptedRecognizer { line in
            line.width > 100
                ? LineRecognition(text: word.text, confidence: word.confidence)
                : LineRecognition(text: "I", confidence: letters)
        }
        let look = Look(frame: .turned, shortSide: 60, longSide: 600)
        let reader = SpineReader(
            detector: detector,
            recognizer: recognizer,
            configuration: SpineReaderConfiguration(firstLook: look)
        )
        return try reader.read(image(600, 60) { _, _ in 128 }).lines.map(\.text)
    }

    @Test func rowIsReadAsOneLine() throws {
        #expect(try read(("DUNE", 0.95), letters: 0.8) == ["DUNE"])
    }

    @Test func surerLettersStandAgainstADoubtfulLine() throws {
        // Five places, each a letter by itself.
        #expect(try read(("DVNE", 0.5), letters: 0.9) == ["IIIII"])
    }
}
