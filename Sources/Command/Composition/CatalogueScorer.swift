import Basics
import BookCatalogue
import Evaluation
import Foundation
import Harness
import SpineDatasets
import Synchronization

/// Judges whether the right book was named, and whether a variant's catalogue contains it.
///
/// ``LabelledBook`` defines the right book; a draft assembled from the text is neither right nor wrong.
final class CatalogueScorer: Sendable {
    private let catalogues: [String: (name: String, books: BookCatalogue)]
    private let known = Mutex<[String: Bool]>([:])

    init(_ variants: [ComposedVariant]) throws {
        var opened: [String: BookCatalogue] = [:]
        var catalogues: [String: (name: String, books: BookCatalogue)] = [:]
        for variant in variants {
            guard let name = variant.settings.scanning?.catalogue else { continue }
            let books = try opened[name] ?? BookCatalogue.named(name)
            opened[name] = books
            catalogues[variant.name] = (name, books)
        }
        self.catalogues = catalogues
    }

    var judge: BookScorer {
        BookScorer {
            self.outcome($0, $1, $2)
        } shelf: {
            self.score($0, $1, $2)
        }
    }

    private func outcome(_ variant: Variant, _ sample: Sample, _ prediction: Prediction?) -> BookOutcome? {
        if sample.distractor == true, catalogues[variant.name] != nil {
            return BookOutcome(prediction?.answer == nil ? .abstained : .wrong, isCatalogued: false)
        }
        guard let (name, catalogue) = catalogues[variant.name], let label = LabelledBook(sample),
            let isCatalogued = isCatalogued(label, name, catalogue)
        else { return nil }
        let answer: BookOutcome.Answer =
            prediction?.answer.map { $0.isDraft == true ? .draft : label.isNamed(by: $0) ? .right : .wrong }
            ?? .abstained
        let rank = (prediction?.books ?? []).firstIndex(where: label.isNamed).map { $0 + 1 }
        return BookOutcome(answer, rank: rank, isCatalogued: isCatalogued)
    }

    private func score(_ variant: Variant, _ shelf: Shelf, _ prediction: Prediction?) -> ShelfScore? {
        guard let (name, catalogue) = catalogues[variant.name] else { return nil }
        let labels = shelf.books.map(LabelledBook.init)
        let spines = (prediction?.spines ?? []).filter { $0.outline != nil }
        return ShelfScore(
            books: shelf.books.map(\.quad),
            counts: { shelf.books[$0].legible && labels[$0] != nil },
            isCatalogued: { labels[$0].flatMap { isCatalogued($0, name, catalogue) } ?? false },
            spines: spines.compactMap(\.outline),
            isNamed: { spines[$0].answer != nil },
            isRight: { book, spine in spines[spine].answer.flatMap { labels[book]?.isNamed(by: $0) } ?? false },
            isRead: { FieldRead(field: shelf.books[$0].title ?? "", in: spines[$1].text).isRead ?? false }
        )
    }

    private func isCatalogued(_ label: LabelledBook, _ name: String, _ catalogue: BookCatalogue) -> Bool? {
        let key = "\(name)\n\(label)"
        if let answer = known.withLock({ $0[key] }) { return answer }
        guard let answer = try? label.isListed(in: catalogue) else { return nil }
        known.withLock { $0[key] = answer }
        return answer
    }
}

/// The labelled book of a spine, and its accepted equivalents.
///
/// That is a book with the printed main title by an author whose surname is printed (`BookIdentity`), or with the
/// label's ISBN. Another title, as of a translation, counts only if it is among the label's `acceptedTitles`.
struct LabelledBook {
    /// The printed one first.
    let titles: [String]
    let author: String?
    let isbn: ISBN?

    init?(_ sample: Sample) {
        guard let title = sample.title, !title.isEmpty else { return nil }
        titles = [title] + (sample.acceptedTitles ?? [])
        author = sample.author
        isbn = sample.isbn.flatMap { ISBN($0) }
    }

    init?(_ book: ShelfBook) {
        guard let title = book.title, !title.isEmpty else { return nil }
        titles = [title] + (book.acceptedTitles ?? [])
        author = book.author
        isbn = nil
    }

    func isNamed(by book: BookCandidate) -> Bool {
        let number = book.isbn.flatMap { ISBN($0) }
        return isSame(BookRecord(title: book.title, authors: book.authors, isbn: number))
    }

    /// Returns whether a catalogue has it.
    func isListed(in catalogue: BookCatalogue) throws -> Bool {
        if let isbn, try !catalogue.books(isbn: isbn).isEmpty { return true }
        return try titles.contains { title in
            // A title without its subtitle finds those with one, and without its article those with another or none;
            // the results are compared as answers are.
            let main = title.split(separator: ":").first.map(String.init) ?? title
            return try [main, BookIdentity.foldedWhole(main)].contains { text in
                try catalogue.search(text, limit: 200).contains(where: isSame)
            }
        }
    }

    private func isSame(_ book: BookRecord) -> Bool {
        if let isbn, book.isbn == isbn { return true }
        return titles.contains { BookIdentity.isSame(book, title: $0, author: author) }
    }
}
