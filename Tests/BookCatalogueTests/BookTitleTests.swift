import Testing

@testable import BookCatalogue

@Suite struct BookTitleTests {
    @Test(
        "a series behind a title is parsed off",
        arguments: [
            ("The Hunger Games (The Hunger Games, #1)", "The Hunger Games"),
            ("To Green Angel Tower (Memory, Sorrow, and Thorn, #3)", "To Green Angel Tower"),
            ("A (B, #1; C, #2)", "A"),
            ("Rookie Cop (Silhouette Special Edition)", "Rookie Cop (Silhouette Special Edition)"),
            ("(B, #1)", "(B, #1)"), ("A (#1)", "A (#1)"), ("A)", "A)"), ("", ""),
        ]
    )
    func series(listed: String, title: String) { #expect(BookTitle(listed).text == title) }

    /// Series as lists have them in a column.
    @Test(
        arguments: [
            ("The Hunger Games, #1", "The Hunger Games", 1),
            ("Memory, Sorrow, and Thorn, #3", "Memory, Sorrow, and Thorn", 3),
            ("B, #1; C, #2", "B", 1), ("Dune", "Dune", nil),
        ] as [(String, String, Int?)]
    )
    func number(listed: String, name: String, number: Int?) {
        let found = BookTitle.numbered(listed[...])
        #expect(found.name == name && found.number == number)
    }

    @Test(
        "the main title ends where the subtitle begins",
        arguments: [
            ("Sapiens: A Brief History", "Sapiens"), ("Armstrong : l'agosarat viatge", "Armstrong "),
            ("Moby-Dick; or, The Whale", "Moby-Dick"), ("Catch-22", "Catch-22"), ("A - B", "A "),
            ("A – B", "A "), ("A—B", "A"), ("1914–1918", "1914–1918"), ("12:30", "12:30"),
            ("History: Volume 2", "History: Volume 2"), ("History: Vol. II", "History: Vol. II"),
            ("Kiss Kiss (French Edition)", "Kiss Kiss "), ("Works (Volume 2)", "Works (Volume 2)"), (":", ":"),
            ("", ""),
        ]
    )
    func main(title: String, main: String) {
        #expect(BookTitle(title).parts.main == main)
    }
}
