import Imaging
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Dataset card")
struct DatasetCardTests {
    private let sample = Sample(
        id: "a",
        image: "a.jpg",
        category: .stylized,
        title: "Emma",
        author: nil,
        transcription: "EMMA",
        orientation: .clockwise,
        outline: Quad(
            topLeft: Point(x: 1, y: 1),
            topRight: Point(x: 41, y: 1),
            bottomRight: Point(x: 41, y: 301),
            bottomLeft: Point(x: 1, y: 301)
        ),
        lines: [
            LabelledLine(text: "EMMA", role: .title, font: "Lato", size: 21),
            LabelledLine(text: "x", role: .publisher, font: "Nobody's", size: 6),
        ],
        legible: false,
        language: "en",
        style: "foil"
    )

    private func text(_ options: SynthesisOptions, _ samples: [Sample], _ shelves: [Shelf] = []) -> String {
        let manifest = DatasetManifest(name: "set", version: "2.0", licence: "CC0-1.0")
        let dataset = Dataset(path: "set", manifest: manifest, digest: "", samples: samples, shelves: shelves)
        return DatasetCard(manifest: manifest, options: options, figures: CardFigures(dataset)).text
    }

    @Test("it counts what the labels say")
    func counts() {
        let card = text(SynthesisOptions(seed: 7, spines: 1, widths: 30...50), [sample])
        for line in [
            "# set", "1 synthetic pictures of book spines, with labels, licence CC0-1.0.",
            "    spinebench dataset synth --out set --seed 7 --count 1 --width 30...50 --version 2.0",
            "| stylized | 1 | lettering or a surface that is hard to read, see `style` |",
            "| a person can read the title | 0 of 1 |", "| has no visible author | 1 |",
            "| title direction (`orientation`) | 1 cw |", "| language | 1 en |", "| style | 1 foil |",
            "| width of the spine, pixels | 40 |", "| font size of the title, pixels | 21 |",
            "| Lato | 1 | `fonts-lato` | OFL-1.1 |", "| Nobody's | 1 | – | see the font |", "## Unsuitable uses",
        ] {
            #expect(card.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        #expect(!card.contains("vertical |"))
    }

    @Test("shelves are told with their books")
    func shelves() {
        let shelf = Shelf(id: "s", image: "s.jpg", books: [ShelfBook(title: "Emma", category: .mixed)])
        let options = SynthesisOptions(spines: 0, shelves: 2, booksPerShelf: 0...3, titlesDigest: "00")
        let card = text(options, [], [shelf, Shelf(id: "t", image: "t.jpg", books: [])])
        #expect(card.contains("2 synthetic pictures of whole shelves with 1 books, with labels"))
        #expect(card.contains("Books on the shelves, one figure each: 1, 0."))
        #expect(card.contains("--shelves 2 --books-per-shelf 0...3 --titles titles.txt"))
        #expect(card.contains("| mixed | 1 |"))
        #expect(card.contains("No text was drawn."))
    }

    @Test("every package of fonts has a licence that the card can name")
    func licences() {
        for typeface in Typeface.all {
            #expect(!typeface.licence.isEmpty, "\(typeface.package)")
        }
    }
}
