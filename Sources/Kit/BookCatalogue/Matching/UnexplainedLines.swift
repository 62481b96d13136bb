import Basics

/// The unexplained part of a text's lines: words beside a book's title, and possible names of other authors.
struct UnexplainedLines {
    /// Bits of the most specific line that is a name, and that the book does not explain.
    private(set) var nameLineBits = 0.0
    /// The title weight of words that the book does not explain, in the lines of the title.
    private(set) var unmatchedOnTitleLine = 0.0
    /// The title weight of words that the book does not explain, in the other lines, without those of names.
    private(set) var unmatchedElsewhere = 0.0
    /// The most of the latter in one line of several words, as another title has.
    private(set) var otherTitleRest = 0.0
    /// Part of the rest of the other lines that is next to the title's.
    private(set) var nextLinesRest = 0.0
    /// Shapes of the words that the book does not explain.
    private let unexplained: [[UInt8]]
    /// Lines without the title that may be a person's name.
    private var names: [[MatchQuery.Word]] = []

    private struct Line {
        var (rest, names, words) = (0.0, 0.0, 0)
        var (hasTitle, isSeries, isSure) = (false, false, false)
    }

    /// Finds the part of a text that a book does not explain.
    ///
    /// - Parameters:
    ///   - query: the text.
    ///   - shares: of each of the text's words, the share that the book explains, 0…1.
    ///   - title: part of the text that is the book's title.
    ///   - words: of the book.
    init(_ query: MatchQuery, shares: [Double], title: Range<Int>, words: [IndexedBook.Word]) {
        unexplained = zip(query.words, shares).filter { $1 < 0.5 }.map(\.0.shape)
        var (lines, line, printed) = ([Line](), Line(), [(word: MatchQuery.Word, share: Double)]())
        var titleWords = 0
        var hasParticle = false
        for (place, word) in query.words.enumerated() {
            let (share, isInTitle) = (shares[place], word.range.overlaps(title))
            if isInTitle {
                line.hasTitle = true
                if word.titleWeight > 0, share > 0 { titleWords += 1 }
            }
            // In the title a word of which a part is explained is two of its words, as "ofthe".
            if isInTitle ? share == 0 : share < 0.5, !query.labels.contains(word.shape),
                !words.contains(where: { Self.isLike($0.shape, word, isOfTitle: $0.field == .title) })
            {
                line.rest += word.titleWeight
                if word.titleWeight > 0 { line.words += 1 }
                if word.letters.isParticle, Self.isBeside(place, title, query) { hasParticle = true }
                if word.isTitleWord, word.titleWeight > 0, word.weight < Self.rareWord, word.shape.count > 3 {
                    line.isSure = true
                }
                line.names += word.titleWeight * word.nameShare
            }
            if word.isOfPublisher { line.isSeries = true }
            printed.append((word, share))
            guard word.endsLine else { continue }
            add(printed, title: title)
            printed = []
            if place + 1 < query.words.count, query.words[place + 1].continuesTitle { continue }
            if query.numbers.contains(where: { $0.place == place && !$0.isAlone }) { line.isSeries = true }
            lines.append(line)
            line = Line()
        }
        // "In a Heartbeat" is another title than "Heartbeat", "On Chesil Beach" than "Chesil Beach".
        if hasParticle, titleWords < 3 { unmatchedOnTitleLine += MatchQuery.unknownWeight }
        for index in lines.indices {
            let isName = lines[index].names * 2 > lines[index].rest
            let isBeside = [index - 1, index + 1].contains { lines.indices.contains($0) && lines[$0].hasTitle }
            // A title of one word is a part of longer ones, over several lines too, but a series' line has its number.
            let mayContinue = titleWords < 2 && isBeside && !isName && !lines[index].isSeries
            if lines[index].hasTitle || mayContinue && (lines[index].words > 1 || lines[index].isSure) {
                unmatchedOnTitleLine += lines[index].rest
            } else if !isName {
                unmatchedElsewhere += lines[index].rest
                if lines[index].words > 1 { otherTitleRest = max(otherTitleRest, lines[index].rest) }
                if isBeside, !lines[index].isSeries { nextLinesRest += lines[index].rest }
            }
        }
    }

    /// Bits of a word alone on its line from which it is a publisher's or a series' name, mostly.
    private static let rareWord = 13.0

    /// Returns whether only particles and articles are between a word and the title, on one line.
    private static func isBeside(_ place: Int, _ title: Range<Int>, _ query: MatchQuery) -> Bool {
        for step in [-1, 1] {
            var place = place
            while step > 0 ? !query.words[place].endsLine : !query.words[place].beginsLine {
                place += step
                if query.words[place].range.overlaps(title) { return true }
                guard query.words[place].letters.isParticle || query.words[place].shape.count == 1 else { break }
            }
        }
        return false
    }

    /// Returns whether a word may be one of the book's that was misread, or that is there twice.
    private static func isLike(_ word: [UInt8], _ other: MatchQuery.Word, isOfTitle: Bool) -> Bool {
        let read = other.shape
        // The photo may cut it off.
        if read.count > 3, word.isCut(to: read) { return true }
        // Names have several spellings: "Anna" and "Ana".
        if isOfTitle, other.isTitleWord { return word == read }
        return abs(word.count - read.count) <= 2 && Levenshtein.distance(word, read) * 3 <= max(word.count, read.count)
    }

    private mutating func add(_ line: [(word: MatchQuery.Word, share: Double)], title: Range<Int>) {
        if line.contains(where: { $0.word.range.overlaps(title) }) { return }
        var (bits, nameBits) = (0.0, 0.0)
        for (word, share) in line where word.isDistinctive {
            bits += word.weight * (1 - share)
            // Three letters are mostly a label's.
            if word.shape.count > 3 { nameBits += word.weight * (1 - share) * word.nameShare }
        }
        if line.count <= 4, nameBits * 2 > bits { nameLineBits = max(nameLineBits, nameBits) }
        if line.count <= 5, line.allSatisfy({ $0.word.namePart != .none && $0.share < 0.5 }) {
            names.append(line.map(\.word))
        }
    }

    /// Returns how surely a line is the name of an author whom the book does not have: 0 not at all, 1 where it may be
    /// another word, 2 for a surname of other books' authors, or several words.
    func otherAuthor(than book: IndexedBook) -> Int {
        let known = book.authors.map { $0.map(\.shape) }.flatMap { [Array($0.joined()), $0.last ?? []] }
        var sureness = 0
        for line in names {
            let full = line.filter { $0.namePart == .name }
            // Three letters are mostly a label's.
            guard full.contains(where: { $0.shape.count > 3 }) || full.count > 1 && line.count > 1 else { continue }
            let texts = [Array(line.map(\.shape).joined())] + full.map(\.shape)
            if texts.contains(where: { text in known.contains { Self.isMisread($0, as: text) } }) { continue }
            sureness = max(sureness, line.count > 1 || full.contains { $0.nameShare > 0.5 } ? 2 : 1)
        }
        return sureness
    }

    private static func isMisread(_ name: [UInt8], as read: [UInt8]) -> Bool {
        Levenshtein.distance(name, read) * 2 <= max(name.count, read.count)
    }

    /// Likeness to the rarest word of an author's name of the likest word that the book does not explain.
    ///
    /// - Returns: 0 where half or more of the letters differ, 1 for none.
    func likeness(toNamesOf book: IndexedBook) -> Double {
        var best = 0.0
        for name in book.authors.compactMap({ $0.filter { $0.letters.count >= 5 }.max { $0.bits < $1.bits } }) {
            for word in unexplained where abs(word.count - name.shape.count) <= 2 {
                let errors = Levenshtein.distance(name.shape, word)
                best = max(best, 1 - 2 * Double(errors) / Double(name.shape.count))
            }
        }
        return best
    }
}
