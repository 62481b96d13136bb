internal import Basics

/// Names the book of a spine's text, or reports that the catalogue does not contain it.
///
/// Lines may be in any order, with misread letters, words joined, cut or missing, and with foreign text: publishers,
/// library labels, prices. An ISBN of the catalogue in the text decides.
public final class CatalogueMatcher: Sendable {
    private let catalogue: BookCatalogue
    private let index: MatchIndex

    /// Explanation of a look-up: its result, with the reasons.
    package struct Explanation: Sendable {
        /// Evidence of the text for the book that ``MatchResult/candidates`` has at the same place.
        package var evidence: [MatchEvidence]
        package var result: MatchResult
    }

    /// Loads the part in memory: 2 to 4 bytes a book, and a megabyte.
    ///
    /// - Throws: ``StoreError`` when the index is missing or damaged.
    public init(catalogue: BookCatalogue) throws {
        self.catalogue = catalogue
        index = try catalogue.read { try MatchIndex(from: $0) }
    }

    /// Names the book of lines of text, assuming that all are read right.
    ///
    /// - Throws: ``StoreError`` when the catalogue cannot be read.
    public func match(_ lines: [String], limit: Int = 5) throws -> MatchResult {
        try match(lines.map { (text: $0, confidence: 1) }, limit: limit)
    }

    /// Names the book that lines of text belong to, each with the probability that it was read right.
    ///
    /// - Throws: ``StoreError`` when the catalogue cannot be read, `CancellationError` when the task is cancelled.
    /// - Returns: no candidates where nothing is like the text.
    public func match(_ lines: [(text: String, confidence: Double)], limit: Int = 5) throws -> MatchResult {
        try explain(lines, limit: limit).result
    }

    /// Names the book, with the evidence for it; an excluded one is treated as if it were not in the catalogue.
    ///
    /// Where the text as it stands is not sure, a line that is a number may be one in words, and the reverse: "1984" is
    /// "Nineteen Eighty-Four", if that is sure.
    ///
    /// - Throws: ``StoreError`` when the catalogue cannot be read.
    package func explain(
        _ lines: [(text: String, confidence: Double)],
        limit: Int,
        isExcluded: (BookRecord) -> Bool = { _ in false }
    ) throws -> Explanation {
        let plain = try explanation(of: lines, limit: limit, isExcluded: isExcluded)
        if plain.confidence >= NamingPolicy.standard.sure { return plain }
        for (place, line) in lines.enumerated() {
            for form in TypedQuery.numberForms(of: line.text) {
                var other = lines
                other[place].text = form
                let found = try explanation(of: other, limit: limit, isExcluded: isExcluded)
                // The number has to be the title's: without it, another year's edition would be named.
                let title = found.result.candidates.first.map { FoldedText.key($0.book.title) } ?? ""
                if found.confidence >= NamingPolicy.standard.sure, title.contains(form) { return found }
            }
        }
        return plain
    }

    private func explanation(
        of lines: [(text: String, confidence: Double)],
        limit: Int,
        isExcluded: (BookRecord) -> Bool
    ) throws -> Explanation {
        let query = MatchQuery(lines, index: index)
        var ranked = try catalogue.read { database in
            let (candidates, bits) = try index.candidates(for: query.spaced, in: database)
            return try candidates.map { candidate in
                try Task.checkCancellation()
                let book = try index.book(candidate.number, in: database)
                let evidence = MatchEvidence(book, candidate: candidate, query: query, queryBits: bits)
                return (id: Int64(candidate.number + 1), score: MatchModel.score(evidence), evidence: evidence)
            }
        }
        WorkMeter.count(.candidatesMatched, ranked.count)
        ranked.sort { ($1.score, $0.id) < ($0.score, $1.id) }
        // Enough to find the best one that is another book than the first, past its other editions.
        let shortlist = ranked.prefix(max(limit, 12) + 20)
        var found = zip(try catalogue.books(ids: shortlist.map(\.id)), shortlist)
            .map { (book: $0, score: $1.score, evidence: $1.evidence) }.filter { !isExcluded($0.book) }
        for isbn in lines.lazy.flatMap({ ISBN.all(in: $0.text) }).prefix(Self.maximumNumbers) {
            for book in try catalogue.books(isbn: isbn).reversed() where !isExcluded(book) {
                found.removeAll { $0.book.id == book.id }
                found.insert((book, .infinity, .isbn), at: 0)
            }
        }
        WorkMeter.count(.rowsRead, ranked.count + found.count)
        if let first = found.first, !first.evidence.partOfTitle.isEmpty {
            found[0].evidence.isSeriesAlone = try catalogue.hasSeries(first.evidence.partOfTitle, beside: first.book)
        }
        let candidates = found.prefix(max(0, limit)).map { book, score, evidence in
            let rival = found.first { !BookIdentity.isSame($0.book, book) }?.score ?? score - 8
            let confidence = MatchModel.confidence(evidence, margin: score - rival)
            return BookMatch(book: book, confidence: score == .infinity ? 0.999 : confidence)
        }
        let answer = NamingPolicy.standard.naming(candidates, of: lines.map(\.text), on: .spine).answer
        return Explanation(
            evidence: found.prefix(candidates.count).map(\.evidence),
            result: MatchResult(candidates: candidates, answer: answer)
        )
    }

    /// Maximum number of ISBNs: a spine has two, and further ones do not count.
    private static let maximumNumbers = 8
}
