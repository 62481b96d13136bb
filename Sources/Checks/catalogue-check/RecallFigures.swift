import Basics
import BookCatalogue
import Foundation

/// The book that a text is known to belong to.
struct TrueBook {
    var title: String
    var author: String
    var isbn: ISBN?

    func isSame(_ book: BookRecord) -> Bool {
        if let isbn, book.isbn == isbn { return true }
        let author = author.trimmingCharacters(in: .whitespaces)
        return BookIdentity.isSame(book, title: title, author: author.isEmpty ? nil : author)
    }
}

extension TrueBook {
    /// Whether a record is a collection or an edition under a longer title: its title has the whole title in it, word for
    /// word, and it shares an author's surname.
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

/// What is taken out of the catalogue where it is to be without a text's book, and how many records that were.
struct TakenOut: CustomStringConvertible {
    private var same = 0
    private var longer = 0

    /// Said of what is taken out in the commands' help.
    static let rule = """
        With --taken-out the catalogue is as if it lacked the book: all records of the same work (main title and an author's \
        surname in common, whatever the edition), and all records with a common surname whose title has the whole title in \
        it, word for word, as collections and some editions have. Nothing else is taken out.
        """

    mutating func contains(_ book: BookRecord, of truth: TrueBook) -> Bool {
        if truth.isSame(book) {
            same += 1
            return true
        }
        guard truth.isContained(in: book) else { return false }
        longer += 1
        return true
    }

    var description: String {
        "taken out of the candidates: \(same) records of the same work, \(longer) whose title contains the book's"
    }
}

/// How often the right book is among the first.
struct RecallFigures: CustomStringConvertible {
    private var ranks: [(truth: TrueBook, rank: Int?)] = []

    /// - Parameters:
    ///   - books: best first.
    ///   - truth: the right one.
    mutating func add(_ books: [BookRecord], _ truth: TrueBook) {
        ranks.append((truth, books.firstIndex(where: truth.isSame)))
    }

    var description: String { figures(of: ranks.count) }

    /// The figures of all texts, and of those whose book a catalogue has.
    func description(in works: KnownWorks) throws -> String {
        let reachable = try ranks.count { try works.contains($0.truth) }
        return "of all: \(figures(of: ranks.count))\nof those whose book the catalogue has: \(figures(of: reachable))"
    }

    private func figures(of total: Int) -> String {
        func share(_ limit: Int) -> String {
            let count = ranks.count { $0.rank.map { $0 < limit } ?? false }
            return "\(count)/\(total) = \(String(format: "%.4f", Double(count) / Double(max(1, total))))"
        }
        let reciprocal = ranks.reduce(0) { $0 + ($1.rank.map { 1 / Double($0 + 1) } ?? 0) } / Double(max(1, total))
        return "recall@1 \(share(1)), recall@5 \(share(5)), MRR \(String(format: "%.4f", reciprocal))"
    }
}
