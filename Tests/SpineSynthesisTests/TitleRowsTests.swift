import Testing

@testable import SpineSynthesis

@Suite("Title rows")
struct TitleRowsTests {
    @Test(
        "balanced rows differ as little as words allow",
        arguments: [
            ("Dune", ["Dune"]), ("Small Gods", ["Small", "Gods"]),
            ("The God of Small Things", ["The God of", "Small Things"]), ("", [""]),
        ]
    )
    func balanced(_ text: String, _ expected: [String]) {
        #expect(TitleRows.balanced(text) == expected)
    }

    @Test("three rows are as short as the words allow; no more rows than words")
    func threeRows() {
        #expect(
            TitleRows.balanced("Zen and the Art of Motorcycle Maintenance", count: 3)
                == ["Zen and the Art", "of Motorcycle", "Maintenance"]
        )
        #expect(TitleRows.balanced("Small Gods", count: 3) == ["Small", "Gods"])
        #expect(TitleRows.balanced("Dune", count: 3) == ["Dune"])
    }

    @Test("filled rows keep to their limit, but for a word that is longer")
    func filled() {
        #expect(TitleRows.filled("The Remains of the Day", limit: 7) == ["The", "Remains", "of the", "Day"])
        #expect(TitleRows.filled("Frankenstein", limit: 7) == ["Frankenstein"])
        #expect(TitleRows.filled("", limit: 7).isEmpty)
    }

    @Test("small words get rows of half the size")
    func bySize() {
        let rows = TitleRows.bySize("One Hundred Years of Solitude")
        #expect(rows.map(\.text) == ["One Hundred Years", "of", "Solitude"])
        #expect(rows.map(\.scale) == [1, 0.5, 1])
    }
}
