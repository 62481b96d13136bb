/// Information of a catalogue about itself.
public struct CatalogueInformation: Sendable, Equatable, Codable {
    /// Of the tables in the file.
    public var schemaVersion: Int
    /// As its builder called it; the file's name, mostly.
    public var name: String
    /// Number of books.
    public var books: Int
    /// Number of them with an ISBN.
    public var booksWithISBN: Int
    /// Number of them with an author.
    public var booksWithAuthor: Int
    /// The lists that it was built from, in order.
    public var sources: [CatalogueSource]
    /// Of the books in their order, as `fnv1a64:` and sixteen hexadecimal digits; the same books give the same digest.
    public var contentDigest: String
}

/// A list that a catalogue was built from.
public struct CatalogueSource: Sendable, Equatable, Codable {
    /// The name of its file, without the folders.
    public var name: String
    /// Format that it was read as.
    public var format: String
    /// The rows that were read, bad ones too.
    public var rows: Int
}
