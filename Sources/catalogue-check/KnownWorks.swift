import BookCatalogue

/// The books of a catalogue by main title: says whether it has a work, without the matcher's help.
struct KnownWorks {
    private let catalogue: BookCatalogue
    private var records: [String: [BookRecord]] = [:]

    init(_ catalogue: BookCatalogue) throws {
        self.catalogue = catalogue
        for id in 1...Int64(max(1, catalogue.count)) {
            guard let book = try catalogue.book(id: id), let title = BookIdentity(book).mainTitle else { continue }
            records[title, default: []].append(book)
        }
    }

    func contains(_ truth: TrueBook) throws -> Bool {
        if let isbn = truth.isbn, try !catalogue.books(isbn: isbn).isEmpty { return true }
        guard let title = BookIdentity(title: truth.title, authors: []).mainTitle else { return false }
        return records[title, default: []].contains(where: truth.isSame)
    }
}
