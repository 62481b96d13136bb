import Basics
import Testing

@testable import BookCatalogue

@Suite struct BookIdentityTests {
    /// Hand-made pairs: a record, and the print of a spine.
    @Test(
        "a record is the printed book",
        arguments: [
            ("The Hobbit", ["J.R.R. Tolkien"], "THE HOBBIT", "J. R. R. TOLKIEN"),
            ("The Hobbit: Or There and Back Again", ["Tolkien, J. R. R."], "Hobbit", "Tolkien"),
            (
                "The Fellowship of the Ring (The Lord of the Rings, #1)", ["J.R.R. Tolkien"], "Fellowship of the Ring",
                nil
            ),
            ("Sapiens: A Brief History of Humankind", ["Yuval Noah Harari"], "SAPIENS", "HARARI"),
            ("Sapiens: A Brief History", ["Yuval Noah Harari"], "Sapiens A Brief History", nil),
            ("2001: A Space Odyssey", ["Arthur C. Clarke"], "2001 A SPACE ODYSSEY", "CLARKE"),
            ("Good Omens", ["Terry Pratchett", "Neil Gaiman"], "Good Omens", "NEIL GAIMAN & TERRY PRATCHETT"),
            ("Good Omens", ["Neil Gaiman", "Terry Pratchett"], "GOOD OMENS", "Pratchett"),
            ("Thérèse Raquin", ["Émile Zola"], "THERESE RAQUIN", "ZOLA"),
            ("Dune (French Edition)", ["Frank Herbert"], "Dune: A Novel", "Herbert"),
            ("Die Verwandlung", ["Franz Kafka"], "Verwandlung", "KAFKA"),
            ("Crime and Punishment", ["Fyodor Dostoyevsky"], "CRIME AND PUNISHMENT", "Dostoevsky"),
            ("Beowulf", [], "BEOWULF", "Seamus Heaney"),
            ("La ciudad de los prodigios", ["Eduardo Mendoza Garriga"], "Ciudad de los prodigios", "Eduardo Mendoza"),
            ("Island of the Blue Dolphins", ["Scott O'Dell"], "Island of the Blue Dolphins", "SCOTT O’DELL"),
            ("Why We Can't Wait", ["Martin Luther King Jr."], "WHY WE CAN’T WAIT", "Martin Luther King, Jr."),
            ("Angels & Demons (Robert Langdon, #1)", ["Dan Brown"], "ANGELS AND DEMONS", "BROWN"),
        ] as [(String, [String], String, String?)]
    )
    func same(title: String, authors: [String], printed: String, author: String?) {
        #expect(
            BookIdentity.isSame(BookRecord(title: title, authors: authors), title: printed, author: author)
        )
    }

    @Test(
        "a record is another book",
        arguments: [
            ("The Hobbit", ["J.R.R. Tolkien"], "The Hobbits", "Tolkien"),
            ("The Stand", ["Stephen King"], "The Stand", "J. R. Ward"),
            ("Collected Poems", ["Ann Barnes"], "Collected Poems", "Barney"),
            ("Star Wars: Path of Destruction", ["Drew Karpyshyn"], "Star Wars: Rule of Two", "Drew Karpyshyn"),
            ("The Principles of Biology, Volume 1 (of 2)", ["Herbert Spencer"], "Principles of Biology, Volume 2", nil),
            ("Punch: Volume 3", [], "Punch: Volume 4", nil),
            ("It", ["Stephen King"], "It's Complicated", "Stephen King"),
            ("!!!", ["Anonymous"], "???", nil),
        ] as [(String, [String], String, String?)]
    )
    func other(title: String, authors: [String], printed: String, author: String?) {
        #expect(
            !BookIdentity.isSame(BookRecord(title: title, authors: authors), title: printed, author: author)
        )
    }

    @Test func anISBNIsTheKeyWhereThereIsOne() throws {
        let isbn = try #require(ISBN("978-0-306-40615-7"))
        #expect(BookIdentity(title: "A", authors: ["B"], isbn: isbn).key == "isbn:9780306406157")
    }

    @Test func titleAndSurnameAreTheKeyElsewhere() {
        let identity = BookIdentity(title: "The Hobbit: There and Back", authors: ["Tolkien, J.R.R."])
        #expect(identity.key == "title:hobbit|tolkien")
        #expect(identity == BookIdentity(title: "HOBBIT", authors: ["J. R. R. TOLKIEN", "Alan Lee"]))
    }

    @Test func anArticleThatIsAllOfTheTitleStays() {
        #expect(BookIdentity(title: "The", authors: []).mainTitle == "the")
        #expect(BookIdentity(title: "A", authors: []).key == "title:a|")
    }

    @Test func aTitleOfSignsHasNoKey() {
        #expect(BookIdentity(title: "!?", authors: ["A"]).key == nil)
    }
}
