import TestSupport
import Testing

@testable import Reports

@Suite(.tags(.unit)) struct MarkedTextTests {
    @Test(arguments: [
        ("", "", ""), ("Dune", "Dune", "Dune"), ("Dune", "", "<del>Dune</del>"), ("", "Dune", "<ins>Dune</ins>"),
        ("Dune", "Dine", "D<del>u</del><ins>i</ins>ne"),
        // One grapheme, composed or not.
        ("É", "E\u{301}", "É"),
        // Markup in a text stays text.
        ("a", "a<b>", "a<ins>&lt;b&gt;</ins>"),
    ])
    func differencesAreMarked(truth: String, text: String, html: String) {
        #expect(CardPage.marked(text, against: truth) == html)
    }
}
