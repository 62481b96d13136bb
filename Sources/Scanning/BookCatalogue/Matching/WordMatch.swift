/// Match of a book's word in a text, and its place.
struct WordMatch {
    /// 0 not at all, 1 without a fault.
    var credit = 0.0
    /// In the query's text.
    var range = 0..<0

    init(_ shape: [UInt8], letters: ArraySlice<UInt8>, in query: MatchQuery, search: inout ApproximateSearch) {
        let isNumber = letters.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        if shape.count <= 2 || isNumber && shape.count <= 3 {
            guard let word = query.words.first(where: { $0.shape == shape }) else { return }
            (credit, range) = (1, word.range)
            return
        }
        let limit = isNumber ? 0 : shape.count <= 3 ? 0 : shape.count <= 5 ? 1 : shape.count / 3
        if let hit = search.find(shape, in: query.text, boundaries: query.boundaries, limit: limit) {
            let ends =
                (query.boundaries[hit.range.lowerBound] ? 1 : 0) + (query.boundaries[hit.range.upperBound] ? 1 : 0)
            credit = 1 - 2 * Double(hit.errors) / Double(shape.count) - Self.gluePenalty(shape.count, ends: ends)
            range = hit.range
        }
        if credit < 0.3 {
            credit = 0
            range = 0..<0
            findPart(of: shape, in: query)
        }
    }

    private static func gluePenalty(_ count: Int, ends: Int) -> Double {
        switch (count, ends) {
        case (_, 2): 0
        case (3, 1): 0.4
        case (3, 0): 1
        case (4, 1): 0.15
        case (4, 0): 0.5
        case (_, 1): 0.03
        default: 0.1
        }
    }

    /// The beginning or the end of a word that the photo, or the reader, cut off.
    private mutating func findPart(of shape: [UInt8], in query: MatchQuery) {
        for word in query.words
        where word.shape.count >= 4 && word.shape.count < shape.count
            && (shape.starts(with: word.shape) || shape.reversed().starts(with: word.shape.reversed()))
        {
            let share = 0.9 * Double(word.shape.count) / Double(shape.count)
            if share > credit { (credit, range) = (share, word.range) }
        }
    }

    /// Finds short words where their neighbours in the book were found: "IAMA STRANGE LOOP" has "I", "am" and "a".
    static func joinShortWords(_ matches: inout [(word: IndexedBook.Word, match: WordMatch)], in query: MatchQuery) {
        for index in matches.indices.dropFirst() where matches[index].match.credit == 0 {
            let previous = matches[index - 1]
            guard previous.match.credit > 0, previous.word.field == matches[index].word.field else { continue }
            matches[index].match.join(matches[index].word, from: previous.match.range.upperBound, in: query)
        }
        for index in matches.indices.dropLast().reversed() where matches[index].match.credit == 0 {
            let next = matches[index + 1]
            guard next.match.credit > 0, next.word.field == matches[index].word.field else { continue }
            let start = next.match.range.lowerBound - OpticalShape.of(matches[index].word.letters).count
            matches[index].match.join(matches[index].word, from: start, in: query)
        }
    }

    private mutating func join(_ word: IndexedBook.Word, from start: Int, in query: MatchQuery) {
        let shape = OpticalShape.of(word.letters)
        guard shape.count <= 4, start >= 0, start + shape.count <= query.text.count,
            query.text[start..<start + shape.count].elementsEqual(shape)
        else { return }
        (credit, range) = (0.95, start..<start + shape.count)
    }
}
