import Testing

@testable import Harness
@testable import Results

@Suite struct GraphemeDiffTests {
    @Test(arguments: [
        ("", "", []), ("Dune", "Dune", [GraphemeDiff.Part.same("Dune")]), ("Dune", "", [.missing("Dune")]),
        ("", "Dune", [.extra("Dune")]), ("Dune", "Dine", [.same("D"), .missing("u"), .extra("i"), .same("ne")]),
        // One grapheme, composed or not.
        ("É", "E\u{301}", [.same("É")]),
    ])
    func partsAreThoseOfTheTruthAndOfTheText(truth: String, text: String, parts: [GraphemeDiff.Part]) {
        #expect(GraphemeDiff(from: truth, to: text).parts == parts)
    }

    @Test func markupInATextStaysText() {
        #expect(GraphemeDiff(from: "a", to: "a<b>").html == "a<ins>&lt;b&gt;</ins>")
    }
}
