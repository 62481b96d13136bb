import BookCatalogue

/// The books of a catalogue by title: says whether it has a work, without the matcher's help.
struct KnownWorks {
    private let catalogue: BookCatalogue
    private var records: [String: [BookRecord]] = [:]

    init(_ catalogue: BookCatalogue) throws {
        self.catalogue = catalogue
        for id in 1...Int64(max(1, catalogue.count)) {
            guard let book = try catalogue.book(id: id) else { continue }
            for key in Self.keys(of: book.title) { records[key, default: []].append(book) }
        }
    }

    func contains(_ truth: TrueBook) throws -> Bool {
        if let isbn = truth.isbn, try !catalogue.books(isbn: isbn).isEmpty { return true }
        return Self.keys(of: truth.title).contains { records[$0, default: []].contains(where: truth.isSame) }
    }

    /// Records of the same work have one of them in common.
    private static func keys(of title: String) -> Set<String> {
        [BookIdentity.foldedWhole(title), BookIdentity(title: title, authors: []).mainTitle ?? ""]
    }
}
