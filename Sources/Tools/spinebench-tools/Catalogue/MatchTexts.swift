import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import Systems

/// Text of a line of `match --texts`, with its book where that is known.
struct KnownText: Decodable {
    struct Line: Decodable {
        var text: String
        var confidence: Double?
        var alternatives: [PossibleText]?
    }

    var lines: [Line]
    var title: String?
    var author: String?
    var isbn: String?

    /// Returns the texts of a file of JSON Lines.
    static func read(_ path: String) throws -> [KnownText] {
        try Data(try InputFile.bytes(path)).split(separator: 0x0A).enumerated().map { number, line in
            do { return try JSONDecoder().decode(Self.self, from: line) } catch {
                throw HarnessError.configuration("\(path):\(number + 1): expected an object with lines: \(error)")
            }
        }
    }

    var matchLines: [MatchLine] {
        lines.map { MatchLine(text: $0.text, confidence: $0.confidence ?? 1, readings: $0.alternatives ?? []) }
    }

    /// Whether a record is the book: the same ISBN, or the same main title and an author's surname, in any edition.
    func isBook(_ book: BookRecord) -> Bool {
        guard let title else { return false }
        if let isbn = isbn.flatMap({ ISBN($0) }), book.isbn == isbn { return true }
        return BookIdentity.isSame(
            book,
            title: title,
            author: author.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        )
    }

    /// Whether a record is a collection or an edition under a longer title: the title is in its title word for word, and
    /// an author's surname is the same.
    func isContained(in book: BookRecord) -> Bool {
        let names = AuthorName.words(author ?? "")
        guard let title, book.authors.contains(where: { names.contains(AuthorName.surname($0)) }) else { return false }
        let mine = Self.folded(title)
        return !mine.isEmpty && " \(Self.folded(book.title)) ".contains(" \(mine) ")
    }

    private static func folded(_ title: String) -> String {
        FoldedText(title).words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}

/// Match of a text, as a line of JSON: what research on the matcher takes.
struct MatchedText: Encodable {
    struct Candidate: Encodable {
        var title: String
        var authors: [String]
        var isbn: String?
        var confidence: Double
        /// Same for records of the same work.
        var work: String
        /// 1 for the text's book, 3 for a collection that has it, 0 for another one.
        var truth: Int
        var evidence: [Float]
    }

    var candidates: [Candidate]
    /// Whether the first of them is the answer.
    var isNamed: Bool
    var milliseconds: Double

    /// Matches a text; without its book, every record of the work and every collection with it counts as missing.
    init(_ text: KnownText, withoutBook: Bool, readings: Int, limit: Int, by matcher: CatalogueMatcher) throws {
        let start = ContinuousClock.now
        let found = try matcher.explain(text.matchLines, readings: readings, limit: limit) {
            withoutBook && (text.isBook($0) || text.isContained(in: $0))
        }
        milliseconds = start.duration(to: .now) / .milliseconds(1)
        isNamed = found.result.answer != nil
        candidates = zip(found.result.candidates, found.evidence).map { match, e in
            Candidate(
                title: match.book.title,
                authors: match.book.authors,
                isbn: match.book.isbn?.digits,
                confidence: match.confidence,
                work: BookIdentity(match.book).titleKey ?? "",
                truth: text.isBook(match.book) ? 1 : text.isContained(in: match.book) ? 3 : 0,
                evidence: [
                    e.titleShare, e.titleBits, e.authorShare, e.authorBits, e.hasAuthor ? 1 : 0, e.furtherBits,
                    e.explained, e.unexplainedBits, e.likeness, e.hasLabel ? 1 : 0, e.titleMissingBits,
                    e.unexplainedDistinctiveBits, e.phraseShare, e.lineFit, e.unexplainedNameBits, e.replacedBits,
                    e.nameLineBits, e.authorLikeness, e.sizeBits,
                ].map { Float($0) }
            )
        }
    }
}
