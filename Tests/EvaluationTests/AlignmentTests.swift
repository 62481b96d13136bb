import Basics
import Testing

@testable import Evaluation

@Suite struct AlignmentTests {
    // Computed by hand; rapidfuzz's opcodes for these are the same.
    @Test func piecesAreThoseThatAgreeAndDiffer() {
        let alignment = Alignment.ofCharacters(reference: "The  Café noir", hypothesis: "Tne Cafe\u{301} no1rs")
        #expect(
            alignment.chunks == [
                .init(.equal, reference: "T", hypothesis: "T"),
                .init(.substitute, reference: "h", hypothesis: "n"),
                .init(.equal, reference: "e Café no", hypothesis: "e Café no"),
                .init(.substitute, reference: "i", hypothesis: "1"),
                .init(.equal, reference: "r", hypothesis: "r"),
                .init(.insert, reference: "", hypothesis: "s"),
            ]
        )
    }

    @Test(arguments: [
        ("", "", []),
        ("ab", "", [Alignment.Chunk(.delete, reference: "ab", hypothesis: "")]),
        ("", "ab", [Alignment.Chunk(.insert, reference: "", hypothesis: "ab")]),
        ("ab", "ab", [Alignment.Chunk(.equal, reference: "ab", hypothesis: "ab")]),
        // A grapheme of several scalars is one piece.
        (
            "👨‍👩‍👧", "👨‍👩",
            [Alignment.Chunk(.substitute, reference: "👨‍👩‍👧", hypothesis: "👨‍👩")]
        ),
    ])
    func theEdges(reference: String, hypothesis: String, expected: [Alignment.Chunk]) {
        #expect(Alignment.ofCharacters(reference: reference, hypothesis: hypothesis).chunks == expected)
    }

    @Test func piecesJoinedAreTheTexts() throws {
        for row in try ExpectedEdits.load().rows {
            let chunks = Alignment.ofCharacters(reference: row.reference, hypothesis: row.hypothesis).chunks
            #expect(chunks.map(\.reference).joined() == row.reference)
            #expect(chunks.map(\.hypothesis).joined() == row.hypothesis)
        }
    }
}
