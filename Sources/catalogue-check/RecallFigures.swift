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
    /// Whether a record is of the same work under a longer or a shorter title: a collection that has it, a translation
    /// beside the original, an edition whose list names the imprint in the title.
    func isVariant(_ book: BookRecord) -> Bool {
        if isSame(book) { return true }
        let names = Set(FoldedText(author).words.map(Array.init))
        let sharesName = book.authors.contains { FoldedText($0).words.contains { $0.count > 3 && names.contains(Array($0)) } }
        guard sharesName else { return false }
        let mine = Self.stems(title)
        let main = Self.stems(String(book.title.prefix { !":;(#".contains($0) }))
        let whole = Self.stems(String(book.title.prefix { $0 != "#" }))
        return mine.isSubset(of: whole) || main.count > 1 && main.isSubset(of: mine)
    }

    /// The words of a title without articles and the like, cut to six letters: without their endings, mostly.
    private static func stems(_ title: String) -> Set<[UInt8]> {
        Set(FoldedText(title).words.filter { $0.count > 3 }.map { Array($0.prefix(6)) })
    }
}

/// How often the right book is among the first.
struct RecallFigures: CustomStringConvertible {
    private var ranks: [Int?] = []

    mutating func add(_ books: [BookRecord], _ truth: TrueBook) {
        ranks.append(books.firstIndex(where: truth.isSame))
    }

    var description: String {
        func share(_ limit: Int) -> String {
            let count = ranks.count { $0.map { $0 < limit } ?? false }
            return "\(count)/\(ranks.count) = \(String(format: "%.4f", Double(count) / Double(max(1, ranks.count))))"
        }
        let reciprocal = ranks.reduce(0) { $0 + ($1.map { 1 / Double($0 + 1) } ?? 0) } / Double(max(1, ranks.count))
        return "recall@1 \(share(1)), recall@5 \(share(5)), MRR \(String(format: "%.4f", reciprocal))"
    }
}
