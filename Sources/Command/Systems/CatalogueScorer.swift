import Basics
import BookCatalogue
import Evaluation
import Foundation
import Harness
import Imaging
import SpineDatasets
import Synchronization

/// Judges whether the right book was named, and whether a variant's catalogue contains it.
///
/// ``LabelledBook`` defines the right book; a draft assembled from the text is neither right nor wrong.
final class CatalogueScorer: Sendable {
    private let catalogues: [String: (name: String, books: BookCatalogue)]
    private let known = Mutex<[String: Bool]>([:])
    /// Readers of the user's, each with whether it has named a book, or none, before.
    private let readers: Mutex<[String: Bool]>

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
        let names = variants.filter { $0.settings.reader != nil }.map { ($0.name, false) }
        readers = Mutex(Dictionary(names) { first, _ in first })
    }

    var judge: BookScorer { BookScorer(outcome, shelf: score) }

    private func outcome(_ variant: Variant, _ sample: Sample, _ prediction: Prediction?) -> BookOutcome? {
        let catalogue = catalogues[variant.name]
        guard catalogue != nil || namesBooks(variant.name, prediction) else { return nil }
        if sample.distractor == true {
            return BookOutcome(prediction?.answer == nil ? .abstained : .wrong, isCatalogued: false)
        }
        // A reader's own catalogue is unknown: every labelled book is asked of it.
        guard let label = LabelledBook(sample),
            let isCatalogued = catalogue.map({ isCatalogued(label, $0.name, $0.books) }) ?? true
        else { return nil }
        let answer: BookOutcome.Answer =
            prediction?.answer.map { $0.isDraft == true ? .draft : label.isNamed(by: $0) ? .right : .wrong }
            ?? .abstained
        let rank = (prediction?.books ?? []).firstIndex(where: label.isNamed).map { $0 + 1 }
        return BookOutcome(answer, rank: rank, isCatalogued: isCatalogued)
    }

    /// Returns whether a reader names books: it does from its first answer with the field `book` on, so that a failed
    /// reading counts as one without a name.
    private func namesBooks(_ reader: String, _ prediction: Prediction?) -> Bool {
        readers.withLock { readers in
            guard let before = readers[reader] else { return false }
            if prediction?.books != nil { readers[reader] = true }
            return prediction.map { $0.books != nil } ?? before
        }
    }

    private func score(_ variant: Variant, _ shelf: Shelf, _ prediction: Prediction?) -> ShelfScore? {
        let labels = shelf.books.map { book in
            LabelledBook(title: book.title, accepted: book.acceptedTitles, author: book.author)
        }
        let catalogue = catalogues[variant.name]
        guard catalogue != nil || readers.withLock({ $0[variant.name] }) != nil else { return nil }
        var spines = (prediction?.spines ?? []).filter { $0.outline != nil }
        if catalogue == nil {
            // A reader outlines and names no spines: a title counts wherever its text has it.
            let photo = Quad(left: 0, top: 0, right: 1, bottom: 1)
            spines = [Prediction.Spine(row: 1, index: 1, outline: photo, text: prediction?.text ?? "")]
        }
        return ShelfScore(
            books: shelf.books.map { catalogue == nil ? nil : $0.quad },
            counts: { shelf.books[$0].legible && labels[$0] != nil },
            isCatalogued: { book in
                guard let catalogue, let label = labels[book] else { return false }
                return isCatalogued(label, catalogue.name, catalogue.books) ?? false
            },
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

    init?(title: String?, accepted: [String]?, author: String?, isbn: String? = nil) {
        guard let title, !title.isEmpty else { return nil }
        titles = [title] + (accepted ?? [])
        (self.author, self.isbn) = (author, isbn.flatMap { ISBN($0) })
    }

    init?(_ sample: Sample) {
        self.init(title: sample.title, accepted: sample.acceptedTitles, author: sample.author, isbn: sample.isbn)
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
