import Basics
import BookCatalogue
import Foundation
import Talaria

/// Resolver from lines of text to a book with all data of the catalogue (S2-51).
struct BookResolver: Sendable {
    let catalogue: BookCatalogue
    let matcher: CatalogueMatcher
    var relatedLimit = 5

    /// `matcher`: of the same catalogue; nil creates one.
    init(catalogue: BookCatalogue, matcher: CatalogueMatcher? = nil) throws {
        self.catalogue = catalogue
        self.matcher = try matcher ?? CatalogueMatcher(catalogue: catalogue)
    }

    /// Names the book of lines that were read on a subject, by ``NamingPolicy``; blocks on the catalogue's file.
    ///
    /// `known`: the books that it may be, the likeliest first; nil where the catalogue is still to be asked.
    ///
    /// - Returns: the book; without a match, the data of the lines themselves.
    func resolve(
        _ lines: [RemoteLine],
        on subject: NamingPolicy.Subject = .spine,
        candidates known: [BookMatch]? = nil
    ) throws -> BookMetadata {
        let texts = lines.map(\.text)
        let candidates = try known ?? matcher.match(lines.map { ($0.text, $0.confidence ?? 1) }, limit: 5).candidates
        switch NamingPolicy.standard.naming(candidates, of: texts, on: subject) {
        case .named(let match): return try metadata(of: match, status: .success)
        case .review(let match): return try metadata(of: match, status: .reviewNeeded)
        case .possible, .none: return unresolved(ParsedSpine(lines: texts), candidates)
        }
    }

    private func unresolved(_ parsed: ParsedSpine, _ candidates: [BookMatch]) -> BookMetadata {
        let possible = candidates.filter { $0.confidence >= NamingPolicy.standard.possible }
        return BookMetadata(
            title: parsed.title ?? "",
            authors: parsed.author.map { [$0] } ?? [],
            isbn: parsed.isbn?.digits,
            confidence: candidates.first?.confidence ?? 0,
            enrichmentStatus: possible.isEmpty || parsed.title == nil ? .notFound : .reviewNeeded,
            relatedTitles: possible.map(\.book.title),
            isDraft: parsed.title != nil
        )
    }

    private func metadata(of match: BookMatch, status: EnrichmentStatus) throws -> BookMetadata {
        var book = BookMetadata(match.book)
        book.confidence = match.confidence
        book.enrichmentStatus = status
        book.relatedTitles = try catalogue.related(to: match.book, limit: relatedLimit).map(\.title)
        return book
    }
}

extension BookMetadata {
    init(_ book: BookRecord) {
        self.init(
            title: book.title,
            authors: book.authors,
            isbn: book.isbn?.digits,
            coverURL: book.coverURL,
            publisher: book.publisher,
            publishedDate: book.year.flatMap { (1_000...9_999).contains($0) ? "\($0)-01-01" : nil },
            enrichmentStatus: .success
        )
    }
}

/// Parsed lines of a spine: their data about the book, before any catalogue is asked.
struct ParsedSpine: Sendable, Equatable {
    /// The longest line that is nothing else; nil when there is none.
    var title: String?
    /// Author after "by", or on the line after the title, or the one before it.
    var author: String?
    /// Written out in one line, with its check digit right.
    var isbn: ISBN?

    init(lines: [String]) {
        var rest: [String] = []
        for line in lines.map(Self.trimmed) where !line.isEmpty {
            if let number = Self.isbn(in: line) {
                isbn = isbn ?? number
            } else if let name = Self.behindBy(line) {
                author = author ?? name
            } else {
                rest.append(line)
            }
        }
        let titleIndex = rest.indices.filter { rest[$0].contains(where: \.isLetter) }
            .max { rest[$0].count < rest[$1].count }
        guard let titleIndex else { return }
        title = rest[titleIndex]
        if author == nil {
            let neighbours = [titleIndex + 1, titleIndex - 1].filter(rest.indices.contains).map { rest[$0] }
            author = neighbours.first(where: Self.isLikeAName)
        }
    }

    private static func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Returns the first run of digits and hyphens that makes a number.
    private static func isbn(in line: String) -> ISBN? {
        let runs = line.split { !($0.isNumber || $0 == "-" || $0 == " " || $0 == "X" || $0 == "x") }
        return runs.lazy.compactMap { ISBN(trimmed(String($0))) }.first
    }

    private static func behindBy(_ line: String) -> String? {
        guard line.lowercased().hasPrefix("by "), line.count > 4 else { return nil }
        return trimmed(String(line.dropFirst(3)))
    }

    /// Returns whether a line has one to four words with letters and without digits.
    private static func isLikeAName(_ line: String) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        return (1...4).contains(words.count) && line.contains(where: \.isLetter) && !line.contains(where: \.isNumber)
            && line.count >= 3
    }
}
