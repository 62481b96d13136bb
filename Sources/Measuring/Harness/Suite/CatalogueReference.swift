/// The catalogue that a variant names books from.
package struct CatalogueReference: Sendable, Equatable, Codable {
    /// Its file's name, or what the one inside the program is called.
    package var name: String
    /// How many books it has.
    package var books: Int
    /// How many of them have an ISBN.
    package var booksWithISBN: Int
    /// Of its books, in their order.
    package var digest: String

    package init(name: String, books: Int, booksWithISBN: Int, digest: String) {
        self.name = name
        self.books = books
        self.booksWithISBN = booksWithISBN
        self.digest = digest
    }
}
