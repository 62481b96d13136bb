import Basics
import BookCatalogue
import Foundation
import ScanningPipeline

/// Rank of a record for a requested name: lower is better.
private enum NameRank: Int, Comparable {
    case exact, prefix, containing, fuzzy

    init?(_ record: BookRecord, for asked: String) {
        let title = FoldedText.key(record.title)
        let whole = BookIdentity.foldedWhole(record.title)
        let names = [title, whole, BookIdentity(record).mainTitle ?? title] + record.authors.map(FoldedText.key)
        if names.contains(asked) {
            self = .exact
        } else if names.contains(where: { $0.hasPrefix(asked) }) {
            self = .prefix
        } else {
            let words = Set(names.flatMap { $0.split(separator: " ") })
            guard
                names.contains(where: { $0.contains(asked) }) || asked.split(separator: " ").allSatisfy(words.contains)
            else { return nil }
            self = .containing
        }
    }

    static func < (first: NameRank, second: NameRank) -> Bool { first.rawValue < second.rawValue }
}

extension EntitySearch {
    /// Minimum length of a name with wrong letters: shorter names would match others.
    private static let leastFuzzy = 5
    /// Maximum number of examined books that contain a name.
    private static let mostContaining = 1_000

    /// Returns books with a name: exact names before prefixes, before names that contain it, before similar ones; in
    /// each, the owner's books before the catalogue's, the last scanned first, those in the asker's language before
    /// others.
    func named(_ names: [String], language: String) throws -> [VisualSearchResult] {
        var ranked: [(rank: NameRank, result: VisualSearchResult)] = []
        var seen: Set<String?> = []
        func add(_ record: BookRecord, _ own: LibraryBook?, for name: String, as known: NameRank? = nil) throws {
            guard let rank = known ?? NameRank(record, for: name),
                seen.insert(BookIdentity(record).titleKey ?? record.title).inserted
            else { return }
            let entity = own.map { BookEntity($0, knownAs: record) } ?? BookEntity(record)
            ranked.append((rank, .book(entity)))
        }
        for name in names {
            for own in try library?.books(containing: name) ?? [] { try add(own.record, own, for: name) }
            if let shelf = try items.shelf(.author(name), name: nil) {
                // An author's best known books come first, not those with the name in their titles.
                ranked.append((.exact, .shelf(shelf)))
                for book in shelf.books { try add(book.record, nil, for: name) }
            }
            let listed = try catalogue.search(name, limit: Self.most, lookingAt: Self.mostContaining)
            let isForeign = { (book: BookRecord) in Language.code(book.language).map { $0 != language } ?? false }
            for record in listed.filter({ !isForeign($0) }) + listed.filter(isForeign) {
                try add(record, nil, for: name)
            }
        }
        if ranked.isEmpty {
            for name in names where name.count >= Self.leastFuzzy {
                let candidates = try pipeline.matcher?([MatchLine(text: name, confidence: 1)]).candidates ?? []
                for match in candidates where match.confidence >= NamingPolicy.standard.typed {
                    try add(match.book, library?.book(sameAs: match.book), for: name, as: .fuzzy)
                }
            }
        }
        // Stable order: equal elements keep their order.
        return ranked.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.result)
    }
}
