import Basics
import Foundation

/// Evidence of a text for and against a book.
package struct MatchEvidence: Sendable {
    /// The share of the main title's bits that the text has, 0…1.
    package var titleShare = 0.0
    package var titleBits = 0.0
    package var titleMissingBits = 0.0
    /// Share of the main title's bits that appear in one piece, in order, 0…1.
    package var phraseShare = 0.0
    /// Whether that piece begins with a line and ends with one: 0, ½ or 1.
    package var lineFit = 0.0
    /// The bits of title words that the text lacks, where beside their neighbours it has another book's words instead.
    package var replacedBits = 0.0
    /// The bits of the best author's name that the text has over those of its rarest word, 0…1: a surname is enough
    /// for 1.
    package var authorShare = 0.0
    package var authorBits = 0.0
    package var hasAuthor = false
    /// The bits of subtitle and series that the text has.
    package var furtherBits = 0.0
    /// The share of the text's weight that the book explains, 0…1.
    package var explained = 0.0
    /// The weight that it does not explain, in bits.
    package var unexplainedBits = 0.0
    /// Part of that weight due to words that appear in other books, and name no publisher.
    package var unexplainedDistinctiveBits = 0.0
    /// Part of the latter that is an author's name: mostly of another author.
    package var unexplainedNameBits = 0.0
    /// Bits of the most specific line that the book does not explain and that is an author's name.
    package var nameLineBits = 0.0
    /// The weight of unexplained words in the lines that have the title, in bits: those of another title.
    var unmatchedOnTitleLine = 0.0
    /// Weight of unexplained words in the other lines that are not names, in bits.
    var unmatchedElsewhere = 0.0
    /// The share of the title's bits that names have in other books, or that publishers are called by, 0…1.
    var titleNameShare = 0.0
    /// Whether the text has a number of another volume than the book's, or indicates another work: a set, a
    /// companion, a book by the author of this one.
    var hasOtherNumber = false
    /// How surely the text has the name of another author instead of the book's: 0, 1 or 2.
    var otherAuthor = 0
    /// Whether the title is one word, articles and the like aside.
    var isOneWord = false
    /// Whether the text has another word in place of one of the title's.
    var hasOtherWord = false
    /// Whether the title is the name of the book's series, which other books have on their spines; false without
    /// other lines.
    var isNameOfSeries = false
    /// Read words of the main title, folded, if a word of it or the whole subtitle is not on the text: perhaps a series' name.
    ///
    /// Empty where all was read.
    var partOfTitle = ""
    /// Whether the text has nothing of the book's subtitle, and another line like a title.
    var hasOtherSubtitle = false
    /// Whether ``partOfTitle`` is the name of a series in which the author has other books.
    var isSeriesAlone = false
    /// Likeness to an author's surname of the likest word that the book does not explain, 0 for half or less, to 1.
    package var authorLikeness = 0.0
    /// Bits that name one book of the catalogue.
    package var sizeBits = 0.0
    /// The likeness of all grams, 0…1.
    package var likeness = 0.0
    /// Whether a library's label has the first three letters of an author, or of a title without one.
    package var hasLabel = false
    /// The popularity's rank, 0…1.
    var popularity = 0.0
    /// The book's words that the text has, folded; "ISBN" where it has that, and nothing else counts.
    package var words: [String] = []

    /// Evidence of a book whose ISBN appears in the text.
    static let isbn = MatchEvidence(words: ["ISBN"])

    private init(words: [String]) { self.words = words }

    init(_ book: IndexedBook, candidate: MatchIndex.Candidate, query: MatchQuery, queryBits: Float) {
        var search = ApproximateSearch()
        var covered = [Bool](repeating: false, count: query.text.count)
        var titleTotal = 0.0
        var authors: [Int: (sum: Double, rarest: Double)] = [:]
        var matches = book.wordsWithNamesApart.map { WordMatch($0, in: query, search: &search) }
        WordMatch.joinShortWords(&matches, in: query)
        for match in matches {
            let word = match.word
            let bits = word.bits * match.credit
            if match.credit > 0 {
                for index in match.range { covered[index] = true }
                words.append(String(decoding: word.letters, as: UTF8.self))
            }
            switch word.field {
            case .title:
                titleTotal += word.bits
                titleBits += bits
            case .subtitle, .series: furtherBits += bits
            default: break
            }
            if let number = word.field.author {
                hasAuthor = true
                let known = authors[number] ?? (0, 0)
                authors[number] = (known.sum + bits, max(known.rarest, word.bits))
                authorBits += bits
            }
        }
        titleShare = titleTotal > 0 ? titleBits / titleTotal : 0
        titleMissingBits = titleTotal - titleBits
        let title = matches.filter { $0.word.field == .title && $0.word.bits > 0 }
        let phrase = Self.phrase(title, in: query)
        (phraseShare, lineFit) = (phrase.share, phrase.lineFit)
        authorShare = authors.values.map { min(1, $0.sum / max($0.rarest, 0.1)) }.max() ?? 0
        replacedBits = Self.replaced(title, covered: covered, in: query)
        let shares = query.words.map { Double(covered[$0.range].count { $0 }) / Double($0.range.count) }
        for (word, share) in zip(query.words, shares) where word.weight > 0 {
            explained += word.weight * share
            if word.isDistinctive {
                unexplainedDistinctiveBits += word.weight * (1 - share)
                unexplainedNameBits += word.weight * word.nameShare * (1 - share)
            }
        }
        let lines = UnexplainedLines(query, shares: shares, title: phrase.range, words: matches.map(\.word))
        nameLineBits = lines.nameLineBits
        (unmatchedOnTitleLine, unmatchedElsewhere) = (lines.unmatchedOnTitleLine, lines.unmatchedElsewhere)
        titleNameShare = Self.nameShare(title, in: query)
        hasOtherNumber =
            VolumeNumbers.contradict(book, query, title: phrase.range)
            || query.references.contains {
                $0 < query.words.count && query.words[$0].range.lowerBound == phrase.range.lowerBound
            } || query.otherWorks.contains { shares[$0] == 0 }
        if unmatchedElsewhere > 0 { isNameOfSeries = book.isNameOfSeries }
        hasLabel = Self.label(of: book, in: query)
        if authorShare < 0.5 { authorLikeness = lines.likeness(toNamesOf: book) }
        if hasAuthor, authorShare < 0.5, !hasLabel { otherAuthor = lines.otherAuthor(than: book) }
        let titleWords = title.filter {
            $0.word.letters.count > 2 && !$0.word.letters.isAny(of: .particle)
                && VolumeNumbers.values(of: $0.word.letters).isEmpty
        }
        isOneWord = titleWords.count == 1
        let isWordMissing = titleWords.contains { $0.credit == 0 }
        let subtitle = matches.filter {
            $0.word.field == .subtitle && $0.word.letters.count > 2 && !$0.word.letters.isAny(of: .ofAnyBook)
                && !$0.word.letters.isSmallWord
        }
        let isSubtitleMissing = !subtitle.isEmpty && subtitle.allSatisfy { $0.credit == 0 }
        hasOtherSubtitle = isSubtitleMissing && lines.otherTitleRest >= MatchModel.leastOtherTitle
        if isSubtitleMissing || isWordMissing {
            let read = title.filter { $0.credit > 0 }.map { String(decoding: $0.word.letters, as: UTF8.self) }
            partOfTitle = read.joined(separator: " ")
        }
        hasOtherWord =
            isWordMissing && unmatchedOnTitleLine + lines.nextLinesRest >= 2
            || titleWords.contains { Self.isOtherWord($0, covered: covered, in: query) }
        sizeBits = query.sizeBits
        unexplainedBits = query.weight - explained
        explained = query.weight > 0 ? explained / query.weight : 0
        likeness = Double(2 * candidate.sharedBits / max(1, candidate.bits + queryBits))
        popularity = book.popularity
    }

    /// Returns the longest piece of the text that has words of the title in their order and nothing, or next to
    /// nothing, between.
    private static func phrase(
        _ title: [WordMatch],
        in query: MatchQuery
    ) -> (share: Double, lineFit: Double, range: Range<Int>) {
        let total = title.reduce(0) { $0 + $1.word.bits }
        var best = (bits: 0.0, range: 0..<0)
        var current = (bits: 0.0, range: 0..<0)
        for match in title where match.credit > 0 {
            let bits = match.word.bits * match.credit
            let gap = match.range.lowerBound - current.range.upperBound
            if current.bits > 0, (-1...3).contains(gap) {
                current.bits += bits
                current.range = current.range.lowerBound..<max(current.range.upperBound, match.range.upperBound)
            } else {
                current = (bits, match.range)
            }
            if current.bits > best.bits { best = current }
        }
        guard total > 0, !best.range.isEmpty else { return (0, 0, 0..<0) }
        let ends = [best.range.lowerBound, best.range.upperBound].count { query.lineBoundaries[$0] }
        return (best.bits / total, Double(ends) / 2, best.range)
    }

    private static func nameShare(_ title: [WordMatch], in query: MatchQuery) -> Double {
        var (names, total) = (0.0, 0.0)
        for match in title where match.credit > 0 && match.word.letters.count > 2 {
            let read = query.words.first { $0.range.overlaps(match.range) }
            total += match.word.bits
            names += match.word.bits * (match.word.letters.isAny(of: .imprint) ? 1 : read?.nameShare ?? 0)
        }
        return total > 0 ? names / total : 0
    }

    private static func replaced(_ title: [WordMatch], covered: [Bool], in query: MatchQuery) -> Double {
        var bits = 0.0
        for index in title.indices where title[index].credit == 0 {
            var rival = 0.0
            // The word of the text behind the title's word before, and the one before the title's word behind.
            for (neighbour, isBefore) in [(index - 1, true), (index + 1, false)]
            where title.indices.contains(neighbour) && title[neighbour].credit > 0 {
                let range = title[neighbour].range
                let edge = isBefore ? range.upperBound : range.lowerBound
                let word = query.words.first { (isBefore ? $0.range.lowerBound : $0.range.upperBound) == edge }
                guard let word, !query.lineBoundaries[edge], !covered[word.range.lowerBound], word.isDistinctive,
                    word.isTitleWord || !isMisread(title[index].word, as: word)
                else { continue }
                rival = max(rival, word.weight)
            }
            bits += min(rival, title[index].word.bits)
        }
        return bits
    }

    /// Returns whether a word was found in the text only as a part of another word, or as one that is nearly the same.
    private static func isOtherWord(_ match: WordMatch, covered: [Bool], in query: MatchQuery) -> Bool {
        let (range, shape) = (match.range, match.word.shape)
        guard let read = query.words.first(where: { $0.range.overlaps(range) }), read.isTitleWord, read.shape != shape
        else { return false }
        // The photo may cut it off.
        let isCut =
            read.endsLine && shape.starts(with: read.shape)
            || read.beginsLine && shape.suffix(read.shape.count).elementsEqual(read.shape)
        let isWhole = read.range == range || covered[read.range].contains(false)
        return !isCut && isWhole && range.upperBound <= read.range.upperBound
            && spelling(read.shape) != spelling(shape)
    }

    /// Returns the American spelling of a word's shape, without double letters.
    private static func spelling(_ shape: [UInt8]) -> String {
        let single = zip(shape, shape.dropFirst() + [0]).filter { $0 != $1 }.map(\.0)
        return spellings.reduce(String(decoding: single, as: UTF8.self)) {
            $0.replacing($1.british, with: $1.american)
        }
    }

    private static let spellings = ["grey gray", "our or", "ise ize", "tre ter", "ogue og"].map { pair in
        let words = pair.split(separator: " ").map { String(decoding: OpticalShape.of($0.utf8), as: UTF8.self) }
        return (british: words[0], american: words[1])
    }

    /// Returns whether a word of three letters is the book's with one of them misread, as "wan" is "war".
    ///
    /// Words so short are not searched for with errors, for they would be found everywhere; beside their neighbours
    /// in the title they are unique to this book. Longer misread words are found by the search.
    private static func isMisread(_ word: IndexedBook.Word, as read: MatchQuery.Word) -> Bool {
        word.shape.count == 3 && read.shape.count == 3 && Levenshtein.distance(word.shape, read.shape) == 1
    }

    private static func label(of book: IndexedBook, in query: MatchQuery) -> Bool {
        let authors = book.authors
        let starts = authors.isEmpty ? book.words.filter { $0.field == .title } : Array(authors.joined())
        return query.labels.contains { label in
            starts.contains { $0.letters.count > 3 && $0.shape.starts(with: label) }
        }
    }
}
