import Basics
import Testing

@Suite struct EditOperationTests {
    private typealias Piece = (kind: EditOperation.Kind, reference: String, hypothesis: String)

    private func pieces(_ reference: String, _ hypothesis: String) -> [Piece] {
        let (a, b) = (Array(TextView.nfc.apply(to: reference)), Array(TextView.nfc.apply(to: hypothesis)))
        return Levenshtein.operations(from: a, to: b).map {
            ($0.kind, String(a[$0.reference]), String(b[$0.hypothesis]))
        }
    }

    // Computed by hand; rapidfuzz's opcodes for these are the same.
    @Test func piecesAreThoseThatAgreeAndDiffer() {
        let pieces = pieces("The  Café noir", "Tne Cafe\u{301} no1rs")
        #expect(pieces.map(\.kind) == [.equal, .substitute, .equal, .substitute, .equal, .insert])
        #expect(pieces.map(\.reference) == ["T", "h", "e Café no", "i", "r", ""])
        #expect(pieces.map(\.hypothesis) == ["T", "n", "e Café no", "1", "r", "s"])
    }

    @Test(arguments: [
        ("", "", []), ("ab", "", [EditOperation.Kind.delete]), ("", "ab", [.insert]), ("ab", "ab", [.equal]),
        // A grapheme of several scalars is one piece.
        ("👨‍👩‍👧", "👨‍👩", [.substitute]),
    ])
    func theEdges(reference: String, hypothesis: String, expected: [EditOperation.Kind]) {
        #expect(pieces(reference, hypothesis).map(\.kind) == expected)
    }

    @Test func piecesJoinedAreTheTexts() throws {
        for row in try ExpectedEdits.load().rows {
            let pieces = pieces(row.reference, row.hypothesis)
            #expect(pieces.map(\.reference).joined() == row.reference)
            #expect(pieces.map(\.hypothesis).joined() == row.hypothesis)
        }
    }
}
