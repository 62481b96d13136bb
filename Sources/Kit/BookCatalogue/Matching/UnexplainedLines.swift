import Basics

/// The unexplained part of a text's lines: words beside a book's title, and possible names of other authors.
struct UnexplainedLines {
    /// Bits of the most specific line that is a name, and that the book does not explain.
    private(set) var nameLineBits = 0.0
    /// The title weight of words that the book does not explain, in the lines of the title.
    private(set) var titleLineRest = 0.0
    /// The title weight of words that the book does not explain, in the other lines, without those of names.
    private(set) var otherLinesRest = 0.0

    /// Finds the part of a text that a book does not explain; `words` are the shapes of the book's words.
    init(_ query: MatchQuery, covered: [Bool], title: Range<Int>, words: [[UInt8]]) {
        addRests(query, covered: covered, title: title, words: words)
        var line: [MatchQuery.Word] = []
        for word in query.words {
            if query.lineBoundaries[word.range.lowerBound] { add(&line, covered: covered, title: title) }
            line.append(word)
        }
        add(&line, covered: covered, title: title)
    }

    private mutating func addRests(_ query: MatchQuery, covered: [Bool], title: Range<Int>, words: [[UInt8]]) {
        var (lines, line) = (
            [(rest: Double, names: Double, words: Int, hasTitle: Bool)](),
            (rest: 0.0, names: 0.0, words: 0, hasTitle: false)
        )
        var titleWords = 0
        for (place, word) in query.words.enumerated() {
            if word.range.overlaps(title) {
                line.hasTitle = true
                if word.titleWeight > 0 { titleWords += 1 }
            } else if Self.share(of: word, covered) < 0.5, !query.labels.contains(word.shape),
                !words.contains(where: { Self.isLike($0, word.shape) })
            {
                line.rest += word.titleWeight
                if word.titleWeight > 0 { line.words += 1 }
                line.names += word.titleWeight * word.nameShare
            }
            let next = place + 1
            guard next == query.words.count || query.beginsLine(next) && !query.continuesTitle[next] else { continue }
            lines.append(line)
            line = (0, 0, 0, false)
        }
        for index in lines.indices {
            let isName = lines[index].names * 2 > lines[index].rest
            let isBeside = [index - 1, index + 1].contains { lines.indices.contains($0) && lines[$0].hasTitle }
            // A title of one word is a part of longer ones, over several lines too.
            if lines[index].hasTitle || titleWords < 2 && isBeside && !isName && lines[index].words > 1 {
                titleLineRest += lines[index].rest
            } else if !isName {
                otherLinesRest += lines[index].rest
            }
        }
    }

    /// Returns whether a word may be one of the book's that was misread, or that is there twice.
    private static func isLike(_ word: [UInt8], _ read: [UInt8]) -> Bool {
        // The photo may cut it off.
        if read.count > 3, word.starts(with: read) || word.reversed().starts(with: read.reversed()) { return true }
        return abs(word.count - read.count) <= 2 && Levenshtein.distance(word, read) * 3 <= max(word.count, read.count)
    }

    private mutating func add(_ line: inout [MatchQuery.Word], covered: [Bool], title: Range<Int>) {
        defer { line = [] }
        var telling = 0.0
        var names = 0.0
        for word in line where word.isTelling {
            let bits = word.weight * (1 - Self.share(of: word, covered))
            telling += bits
            // Three letters are mostly a label's.
            if word.shape.count > 3 { names += bits * word.nameShare }
        }
        let hasTitle = line.contains { $0.range.overlaps(title) }
        if !hasTitle, line.count <= 4, names * 2 > telling { nameLineBits = max(nameLineBits, names) }
    }

    private static func share(of word: MatchQuery.Word, _ covered: [Bool]) -> Double {
        Double(covered[word.range].count { $0 }) / Double(word.range.count)
    }

    /// Likeness to the rarest word of an author's name of the likest word that the book does not explain.
    ///
    /// - Returns: 0 where half or more of the letters differ, 1 for none.
    func likeness(toNamesOf book: IndexedBook, in query: MatchQuery, covered: [Bool]) -> Double {
        var rarest: [Int: IndexedBook.Word] = [:]
        for word in book.words where word.letters.count >= 5 {
            guard case .author(let number) = word.field else { continue }
            if word.bits > rarest[number]?.bits ?? -1 { rarest[number] = word }
        }
        var best = 0.0
        for name in rarest.values {
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
