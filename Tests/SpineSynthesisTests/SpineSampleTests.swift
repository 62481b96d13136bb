import Imaging
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Labels of drawn spines")
struct SpineSampleTests {
    private func line(_ text: String, _ role: LineRole, size: Double) -> RenderedSpine.Line {
        let corner = Point(x: 0, y: 0)
        let quad = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        return RenderedSpine.Line(text: text, role: role, quad: quad, font: "Lato", size: size)
    }

    /// Blur of 1.5: a disc of radius 2 has 1, motion of 3 has √0.75, a lens of √0.5 has that: √(1 + 0.75 + 0.5).
    @Test(
        "a title is legible when its letters are large enough for their blur and contrast",
        arguments: [
            // Sharp: the smallest certain size is 11.
            (11.0, [:], true), (10.9, [:], false),
            // 1.5 × 12 = 18 pixels at a contrast of 3; 1.5 × 16 = 24 at 2; 1.5 × 8.4 = 12.6 at 21.
            (18.1, ["contrast": 3, "defocusRadius": 2, "motionLength": 3, "blurSigma": 0.70711], true),
            (17.9, ["contrast": 3, "defocusRadius": 2, "motionLength": 3, "blurSigma": 0.70711], false),
            (23.9, ["contrast": 2, "blurSigma": 1.5], false), (24.1, ["contrast": 2, "blurSigma": 1.5], true),
            (12.5, ["contrast": 21, "blurSigma": 1.5], false), (12.7, ["contrast": 21, "blurSigma": 1.5], true),
            // No contrast.
            (200, ["contrast": 1, "blurSigma": 1.5], false),
        ] as [(Double, [String: Double], Bool)]
    )
    func legible(_ size: Double, _ difficulty: [String: Double], _ expected: Bool) {
        let lines = [line("EMMA", .title, size: size), line("Austen", .author, size: 5)]
        #expect(lines.isTitleReadable(difficulty) == expected)
    }

    @Test("without a title nothing is legible")
    func noTitle() {
        #expect(![line("Austen", .author, size: 50)].isTitleReadable([:]))
        #expect(![RenderedSpine.Line]().isTitleReadable([:]))
    }

    @Test("the transcription leaves out small print and has stickers")
    func transcription() {
        let lines = [
            line("EMMA", .title, size: 20), line("Northwick", .publisher, size: 10.9), line("FIC", .sticker, size: 11),
        ]
        #expect(lines.certainText == "EMMA FIC")
    }

    @Test(
        "the author is what is printed, with small letters where the book has them",
        arguments: [
            (["GRASS"], "Grass"), (["GÜNTER", "GRASS"], "Günter Grass"), (["Günter Grass"], "Günter Grass"),
            ([], nil), (["G. Grass"], "G. Grass"),
        ] as [([String], String?)]
    )
    func author(_ printed: [String], _ expected: String?) {
        let book = Book("Krebsgang", "Günter Grass", "Grass", .german)
        #expect(book.author(asPrintedIn: printed.map { line($0, .author, size: 20) }) == expected)
    }

    @Test("capitals of a name with ß are that name")
    func sharpS() {
        let book = Book("Der junge Mann", "Botho Strauß", "Strauß", .german)
        #expect(book.author(asPrintedIn: [line("BOTHO STRAUSS", .author, size: 20)]) == "Botho Strauß")
    }
}
