import Basics
import BookCatalogue
import Foundation

/// The book that a text is known to belong to.
struct GroundTruthBook {
    var title: String
    var author: String
    var isbn: ISBN?

    func isSame(_ book: BookRecord) -> Bool {
        if let isbn, book.isbn == isbn { return true }
        let author = author.trimmingCharacters(in: .whitespaces)
        return BookIdentity.isSame(book, title: title, author: author.isEmpty ? nil : author)
    }
}

extension GroundTruthBook {
    init(_ book: BookRecord) { self.init(title: book.title, author: book.authors.first ?? "", isbn: book.isbn) }

    /// Returns whether a record is a collection or an edition under a longer title: its title has the whole title in
    /// it, word for word, and it shares an author's surname.
    func isContained(in book: BookRecord) -> Bool {
        let names = AuthorName.words(author)
        guard book.authors.contains(where: { names.contains(AuthorName.surname($0)) }) else { return false }
        let mine = Self.folded(title)
        return !mine.isEmpty && " \(Self.folded(book.title)) ".contains(" \(mine) ")
    }

    private static func folded(_ title: String) -> String {
        FoldedText(title).words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}

/// Book as the label of a spine or a shelf names it.
struct LabelledBook: Decodable {
    var title: String
    var author: String?
    /// Author's whole name, where the spine abbreviates it.
    var authorFull: String?
    /// Title in the catalogue, where the spine has another one.
    var catalogueTitle: String?
    var legible: Bool?
    // Of a spine's own picture.
    var id: String?
    var image: String?
    var group: String?

    var truth: GroundTruthBook {
        GroundTruthBook(title: catalogueTitle ?? title, author: authorFull ?? author ?? "")
    }
}

/// Returns the values of a file of JSON Lines.
func jsonLines<Value: Decodable>(_ path: String) throws -> [Value] {
    try Data(contentsOf: URL(filePath: path)).split(separator: 0x0A)
        .map { try JSONDecoder().decode(Value.self, from: $0) }
}

/// Records that are taken out of the catalogue where it is to be without a text's book.
struct ExcludedSamples: CustomStringConvertible {
    private var same = 0
    private var longer = 0

    /// Rule for exclusions in the commands' help.
    static let rule = """
        With --taken-out the book is excluded from the catalogue: all records of the same work (main title and an author's \
        surname in common, in any edition), and all records with a common surname whose title contains the whole title, \
        word for word, such as collections and some editions. Nothing else is excluded.
        """

    mutating func contains(_ book: BookRecord, of truth: GroundTruthBook) -> Bool {
        if truth.isSame(book) {
            same += 1
            return true
        }
        guard truth.isContained(in: book) else { return false }
        longer += 1
        return true
    }

    var description: String {
        "excluded from the candidates: \(same) records of the same work, \(longer) whose title contains the book's"
    }
}

/// Books of a catalogue by title: whether it has a work, without the matcher's help.
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

    func contains(_ truth: GroundTruthBook) throws -> Bool {
        if let isbn = truth.isbn, try !catalogue.books(isbn: isbn).isEmpty { return true }
        return Self.keys(of: truth.title).contains { records[$0, default: []].contains(where: truth.isSame) }
    }

    /// Records of the same work have one of them in common.
    private static func keys(of title: String) -> Set<String> {
        [BookIdentity.foldedWhole(title), BookIdentity(title: title, authors: []).mainTitle ?? ""]
    }
}
