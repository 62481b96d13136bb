import Basics
import BookCatalogue
import Talaria

/// From lines of text to a book with all that the catalogue knows of it (S2-51).
struct BookResolver: Sendable {
    let catalogue: BookCatalogue
    let matcher: CatalogueMatcher
    /// Below this a person should look at the match.
    var sureConfidence = 0.8
    /// A candidate below this is not worth a person's time.
    var plausibleConfidence = 0.2
    /// Titles that go with a book.
    var relatedLimit = 5

    init(catalogue: BookCatalogue) throws {
        self.catalogue = catalogue
        matcher = try CatalogueMatcher(catalogue: catalogue)
    }

    /// Blocks on the catalogue's file.
    ///
    /// - Parameter lines: as they were read, in any order.
    /// - Returns: the book; where none can be named, what the lines themselves say.
    /// - Throws: the catalogue's error.
    func resolve(_ lines: [PhotoText.Line]) throws -> BookMetadata {
        let parsed = ParsedSpine(lines: lines.map(\.text))
        let result = try matcher.match(lines.map { ($0.text, $0.confidence) }, limit: 5)
        if let answer = result.answer {
            let choice = disambiguated(answer, among: result.candidates, by: parsed)
            let isSure = choice.confidence >= sureConfidence
            return try metadata(of: choice, status: isSure ? .success : .reviewNeeded)
        }
        if let choice = onlyOneWithItsAuthor(result.candidates, parsed) {
            return try metadata(of: choice, status: .reviewNeeded)
        }
        let plausible = result.candidates.filter { $0.confidence >= plausibleConfidence }
        return BookMetadata(
            title: parsed.title ?? "",
            authors: parsed.author.map { [$0] } ?? [],
            isbn: parsed.isbn?.digits,
            confidence: result.candidates.first?.confidence ?? 0,
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
    /// Metadata of a catalogue's book.
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
