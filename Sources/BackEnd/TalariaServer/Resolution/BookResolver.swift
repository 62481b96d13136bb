import Basics
import BookCatalogue
import Foundation
import Talaria

/// From lines of text to a book with all that the catalogue knows of it (S2-51).
struct BookResolver: Sendable {
    let catalogue: BookCatalogue
    let matcher: CatalogueMatcher
    /// Below this a person should look at the match.
    var sureConfidence = 0.8
    /// A candidate below this is not worth a person's time.
    var plausibleConfidence = 0.2
    var relatedLimit = 5

    /// `matcher`: of the same catalogue; nil for one of its own.
    init(catalogue: BookCatalogue, matcher: CatalogueMatcher? = nil) throws {
        self.catalogue = catalogue
        self.matcher = try matcher ?? CatalogueMatcher(catalogue: catalogue)
    }

    /// Blocks on the catalogue's file.
    ///
    /// - Returns: the book; where none can be named, what the lines themselves say.
    /// - Throws: the catalogue's error.
    func resolve(_ lines: [ReadLine]) throws -> BookMetadata {
        let parsed = ParsedSpine(lines: lines.map(\.text))
        let result = try matcher.match(lines.map { ($0.text, $0.confidence ?? 1) }, limit: 5)
        if let answer = result.answer {
            let choice = disambiguated(answer, among: result.candidates, by: parsed)
            let isSure = choice.confidence >= sureConfidence
            return try metadata(of: choice, status: isSure ? .success : .reviewNeeded)
        }
        if let choice = onlyOneWithItsAuthor(result.candidates, parsed) {
            return try metadata(of: choice, status: .reviewNeeded)
        }
        return unresolved(parsed, result.candidates)
    }

    /// What the lines themselves say, which are not enough to name a book by.
    func unresolved(_ lines: [ReadLine]) -> BookMetadata { unresolved(ParsedSpine(lines: lines.map(\.text)), []) }

    private func unresolved(_ parsed: ParsedSpine, _ candidates: [BookMatch]) -> BookMetadata {
        let plausible = candidates.filter { $0.confidence >= plausibleConfidence }
        return BookMetadata(
            title: parsed.title ?? "",
            authors: parsed.author.map { [$0] } ?? [],
            isbn: parsed.isbn?.digits,
            confidence: candidates.first?.confidence ?? 0,
            enrichmentStatus: plausible.isEmpty || parsed.title == nil ? .notFound : .reviewNeeded,
            relatedTitles: plausible.map(\.book.title),
            isDraft: parsed.title != nil
        )
    }

    /// Of several books with one title, the one whose author is on the spine.
    private func disambiguated(
        _ answer: BookMatch,
        among candidates: [BookMatch],
        by parsed: ParsedSpine
    ) -> BookMatch {
        guard let author = parsed.author, !answer.book.isNamed(by: author) else { return answer }
        let namesakes = candidates.filter { FoldedText($0.book.title) == FoldedText(answer.book.title) }
        return namesakes.first { $0.book.isNamed(by: author) } ?? answer
    }

    /// The candidate that is told from all others by the author on the spine.
    private func onlyOneWithItsAuthor(_ candidates: [BookMatch], _ parsed: ParsedSpine) -> BookMatch? {
        guard let author = parsed.author else { return nil }
        let named = candidates.filter { $0.confidence >= plausibleConfidence && $0.book.isNamed(by: author) }
        return named.count == 1 ? named.first : nil
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

extension BookRecord {
    /// Whether the text holds the last word of an author's name.
    fileprivate func isNamed(by text: String) -> Bool {
        let words = Set(FoldedText.words(of: text))
        return authors.contains { author in
            FoldedText.words(of: author).last.map { $0.count > 2 && words.contains($0) } ?? false
        }
    }
}

/// Parsed lines of a spine: what they say about the book, before any catalogue is asked.
struct ParsedSpine: Sendable, Equatable {
    /// The longest line that is nothing else; nil when there is none.
    var title: String?
    /// Behind "by", or the line after the title, or the one before it.
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

    /// The first run of digits and hyphens that makes a number.
    private static func isbn(in line: String) -> ISBN? {
        let runs = line.split { !($0.isNumber || $0 == "-" || $0 == " " || $0 == "X" || $0 == "x") }
        return runs.lazy.compactMap { ISBN(trimmed(String($0))) }.first
    }

    private static func behindBy(_ line: String) -> String? {
        guard line.lowercased().hasPrefix("by "), line.count > 4 else { return nil }
        return trimmed(String(line.dropFirst(3)))
    }

    /// One to four words with letters and without digits.
    private static func isLikeAName(_ line: String) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        return (1...4).contains(words.count) && line.contains(where: \.isLetter) && !line.contains(where: \.isNumber)
            && line.count >= 3
    }
}
