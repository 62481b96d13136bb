import Basics

/// The unexplained part of a text's lines: words beside a book's title, and possible names of other authors.
struct UnexplainedLines {
    /// Bits of the most specific line that is a name, and that the book does not explain.
    private(set) var nameLineBits = 0.0
    /// The title weight of words that the book does not explain, in the lines of the title.
    private(set) var titleLineRest = 0.0
    /// The title weight of words that the book does not explain, in the other lines, without those of names.
    private(set) var otherLinesRest = 0.0
    /// The most of the latter in one line of several words, as another title has.
    private(set) var otherTitleRest = 0.0
    /// Part of the rest of the other lines that is next to the title's.
    private(set) var nextLinesRest = 0.0
    /// Lines without the title that may be a person's name.
    private var names: [[MatchQuery.Word]] = []

    private struct Line {
        var (rest, names, words) = (0.0, 0.0, 0)
        var (hasTitle, isSeries, isSure) = (false, false, false)
    }

    /// Finds the part of a text that a book does not explain; `words` are the book's words.
    init(_ query: MatchQuery, covered: [Bool], title: Range<Int>, words: [IndexedBook.Word]) {
        let starts = query.words.indices.filter(query.beginsLine) + [query.words.count]
        for (start, end) in zip(starts, starts.dropFirst()) {
            add(query.words[start..<end], covered: covered, title: title)
        }
        let words = words.map { (shape: OpticalShape.of($0.letters), isOfTitle: $0.field == .title) }
        var (lines, line) = ([Line](), Line())
        var titleWords = 0
        var hasParticle = false
        for (place, word) in query.words.enumerated() {
            let (share, isInTitle) = (Self.share(of: word, covered), word.range.overlaps(title))
            if isInTitle {
                line.hasTitle = true
                if word.titleWeight > 0, share > 0 { titleWords += 1 }
            }
            // In the title a word of which a part is explained is two of its words, as "ofthe".
            if isInTitle ? share == 0 : share < 0.5, !query.labels.contains(word.shape),
                !words.contains(where: { Self.isLike($0.shape, word, isOfTitle: $0.isOfTitle) })
            {
                line.rest += word.titleWeight
                if word.titleWeight > 0 { line.words += 1 }
                if word.isParticle, Self.isBeside(place, title, query, covered) { hasParticle = true }
                if word.isTitleWord, word.titleWeight > 0, word.weight < Self.rareWord, word.shape.count > 3 {
                    line.isSure = true
                }
                line.names += word.titleWeight * word.nameShare
            }
            if word.isOfPublisher { line.isSeries = true }
            let next = place + 1
            guard next == query.words.count || query.beginsLine(next) && !query.continuesTitle[next] else { continue }
            if query.numbers.numbers.contains(where: { $0.place == place && !$0.isAlone }) { line.isSeries = true }
            lines.append(line)
            line = Line()
        }
        // "In a Heartbeat" is another title than "Heartbeat", "On Chesil Beach" than "Chesil Beach".
        if hasParticle, titleWords < 3 { titleLineRest += MatchQuery.unknownWeight }
        for index in lines.indices {
            let isName = lines[index].names * 2 > lines[index].rest
            let isBeside = [index - 1, index + 1].contains { lines.indices.contains($0) && lines[$0].hasTitle }
            // A title of one word is a part of longer ones, over several lines too, but a series' line has its number.
            let mayContinue = titleWords < 2 && isBeside && !isName && !lines[index].isSeries
            if lines[index].hasTitle || mayContinue && (lines[index].words > 1 || lines[index].isSure) {
                titleLineRest += lines[index].rest
            } else if !isName {
                otherLinesRest += lines[index].rest
                if lines[index].words > 1 { otherTitleRest = max(otherTitleRest, lines[index].rest) }
                if isBeside, !lines[index].isSeries { nextLinesRest += lines[index].rest }
            }
        }
    }

    /// Bits of a word alone on its line from which it is a publisher's or a series' name, mostly.
    private static let rareWord = 13.0

    /// Returns whether only particles and articles are between a word and the title, on one line.
    private static func isBeside(_ place: Int, _ title: Range<Int>, _ query: MatchQuery, _ covered: [Bool]) -> Bool {
        for step in [-1, 1] {
            var place = place
            while step > 0 ? !query.endsLine(place) : !query.beginsLine(place) {
                place += step
                if query.words[place].range.overlaps(title) { return true }
                guard query.words[place].isParticle || query.words[place].shape.count == 1 else { break }
            }
        }
        return false
    }

    /// Returns whether a word may be one of the book's that was misread, or that is there twice.
    private static func isLike(_ word: [UInt8], _ other: MatchQuery.Word, isOfTitle: Bool) -> Bool {
        let read = other.shape
        // The photo may cut it off.
        if read.count > 3, word.starts(with: read) || word.reversed().starts(with: read.reversed()) { return true }
        // Names have several spellings: "Anna" and "Ana".
        if isOfTitle, other.isTitleWord { return word == read }
        return abs(word.count - read.count) <= 2 && Levenshtein.distance(word, read) * 3 <= max(word.count, read.count)
    }

    private mutating func add(_ line: ArraySlice<MatchQuery.Word>, covered: [Bool], title: Range<Int>) {
        if line.contains(where: { $0.range.overlaps(title) }) { return }
        var (telling, nameBits) = (0.0, 0.0)
        for word in line where word.isTelling {
            let bits = word.weight * (1 - Self.share(of: word, covered))
            telling += bits
            // Three letters are mostly a label's.
            if word.shape.count > 3 { nameBits += bits * word.nameShare }
        }
        if line.count <= 4, nameBits * 2 > telling { nameLineBits = max(nameLineBits, nameBits) }
        if line.count <= 5, line.allSatisfy({ $0.namePart != .none && Self.share(of: $0, covered) < 0.5 }) {
            names.append(Array(line))
        }
    }

    private static func share(of word: MatchQuery.Word, _ covered: [Bool]) -> Double {
        Double(covered[word.range].count { $0 }) / Double(word.range.count)
    }

    /// Returns how surely a line is the name of an author whom the book does not have: 0 not at all, 1 where it may be
    /// another word, 2 for a surname of other books' authors, or several words.
    func otherAuthor(than book: IndexedBook) -> Int {
        let known = book.authors.map { $0.map { OpticalShape.of($0.letters) } }
            .flatMap { [Array($0.joined()), $0.last ?? []] }
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
    func likeness(toNamesOf book: IndexedBook, in query: MatchQuery, covered: [Bool]) -> Double {
        var best = 0.0
        for name in book.authors.compactMap({ $0.filter { $0.letters.count >= 5 }.max { $0.bits < $1.bits } }) {
            let shape = OpticalShape.of(name.letters)
            for word in query.words
            where Self.share(of: word, covered) < 0.5 && abs(word.shape.count - shape.count) <= 2 {
                let errors = Levenshtein.distance(shape, word.shape)
                best = max(best, 1 - 2 * Double(errors) / Double(shape.count))
            }
        }
        return best
    }
}
