import Testing

@testable import BookCatalogue

@Suite struct AuthorNameTests {
    @Test(
        "names in one field come apart",
        arguments: [
            ("J.K. Rowling, Mary GrandPré", ["J.K. Rowling", "Mary GrandPré"]),
            ("Terry Pratchett & Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett and Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Orczy, Emmuska Orczy, Baroness", ["Orczy", "Emmuska Orczy"]),
            ("Martin Luther King, Jr.", ["Martin Luther King Jr."]),
            ("Tolkien, J. R. R.", ["J. R. R. Tolkien"]),
            ("Voltaire", ["Voltaire"]),
            ("A|B", ["A", "B"]),
            (" , ;", []),
            ("", []),
            ("Alexandre Dumas", ["Alexandre Dumas"]),
        ]
    )
    func printed(field: String, names: [String]) {
        #expect(AuthorName.printed(field) == names)
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
