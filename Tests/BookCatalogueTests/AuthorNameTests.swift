import Testing

@testable import BookCatalogue

@Suite struct AuthorNameTests {
    @Test(
        "names in one field come apart",
        arguments: [
            ("J.K. Rowling, Mary GrandPré", false, ["J.K. Rowling", "Mary GrandPré"]),
            ("Terry Pratchett & Neil Gaiman", false, ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett and Neil Gaiman", false, ["Terry Pratchett", "Neil Gaiman"]),
            ("Orczy, Emmuska Orczy, Baroness", false, ["Orczy", "Emmuska Orczy"]),
            ("Martin Luther King, Jr.", false, ["Martin Luther King Jr."]),
            ("Homer, Robert Fagles", false, ["Homer", "Robert Fagles"]),
            ("Tolkien, J. R. R.", true, ["J. R. R. Tolkien"]),
            ("Gaiman, Neil; Pratchett, Terry", true, ["Neil Gaiman", "Terry Pratchett"]),
            ("Orczy, Emmuska Orczy, Baroness", true, ["Emmuska Orczy Orczy"]),
            ("Voltaire", true, ["Voltaire"]),
            ("A|B", false, ["A", "B"]),
            (" , ;", false, []),
            ("", false, []),
            ("Alexandre Dumas", false, ["Alexandre Dumas"]),
        ]
    )
    func split(field: String, isTurned: Bool, names: [String]) {
        #expect(AuthorName.split(field, isTurned: isTurned) == names)
    }

    @Test(
        "the surname is the last word, or the one before the comma",
        arguments: [
            ("J.R.R. Tolkien", "tolkien"), ("J. R. R. TOLKIEN", "tolkien"), ("Tolkien, J. R. R.", "tolkien"),
            ("Martin Luther King, Jr.", "king"), ("Martin Luther King Jr.", "king"), ("O'Dell, Scott", "odell"),
            ("Scott O’Dell", "odell"), ("Voltaire", "voltaire"), ("", ""), ("Gabriel García Márquez", "marquez"),
            ("Robert Downey, ", "downey"),
        ]
    )
    func surname(name: String, surname: String) {
        #expect(AuthorName.surname(name) == surname)
    }
}
