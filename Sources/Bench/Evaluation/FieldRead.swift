import Basics

/// Share of a printed field (a title, an author) that was read, independent of other read text.
///
/// A word of the field counts as found when the prediction has a word at a normalised edit similarity of 0.8 or more.
/// Recognisers also join words and split them: spaces between words are ignored, words are not. Each letter of the
/// prediction is used once, and of words in one piece each uses a part of it that resembles the word itself.
package struct FieldRead: Sendable, Equatable, Codable {
    /// Words of the field that were found.
    package var found: Int
    package var total: Int

    /// Whether every word was found; nil when the field has no letters and no digits.
    package var isRead: Bool? { total == 0 ? nil : found == total }

    /// Finds the words of `field` in `prediction`, both folded.
    package init(field: String, in prediction: String) {
        let words = FoldedText(field).words.map { Array($0) }
        var search = FieldSearch(left: FoldedText(prediction).words.map { Array($0) })
        total = words.count
        found = total - search.missing(of: words).count
    }

    /// Returns the folded words of `field` that `prediction` lacks, in their order.
    package static func missing(of field: String, in prediction: String) -> [String] {
        var search = FieldSearch(left: FoldedText(prediction).words.map { Array($0) })
        return search.missing(of: FoldedText(field).words.map { Array($0) }).map { String(decoding: $0, as: UTF8.self) }
    }
}

private struct FieldSearch {
    /// A folded word in UTF-8.
    typealias Word = [UInt8]
    /// Match: the number of the field's words, the prediction's words that it uses, and the rest of them.
    typealias Hit = (words: Int, used: Range<Int>, rest: [Word])

    var left: [Word]

    mutating func missing(of words: [Word]) -> [Word] {
        var (missing, next): ([Word], Int) = ([], 0)
        while next < words.count {
            let rest = words[next...]
            let word = words[next]
            // A piece of several words is not used up by the first one, which it may resemble.
            let hit = same(word, like: ==) ?? glued(rest) ?? same(word, like: Self.areAlike)
            if let hit = hit ?? split(word) ?? inside(word) {
                left.replaceSubrange(hit.used, with: hit.rest)
                next += hit.words
            } else {
                missing.append(word)
                next += 1
            }
        }
        return missing
    }

    private func same(_ word: Word, like: (Word, Word) -> Bool) -> Hit? {
        left.firstIndex { like(word, $0) }.map { (1, $0..<($0 + 1), []) }
    }

    /// Returns the word in two or three neighbouring pieces, at the last of several places.
    private func split(_ word: Word) -> Hit? {
        for start in left.indices.reversed() {
            for pieces in [3, 2] {
                let range = start..<min(start + pieces, left.count)
                if Self.areAlike(word, Array(left[range].joined())) { return (1, range, []) }
            }
        }
        return nil
    }

    /// Returns the first words of `rest`, two at least and as many as possible, in one piece: one after the other,
    /// each like its part of the piece, or, from 5 characters on, all of them as they are with more around them.
    private func glued(_ rest: ArraySlice<Word>) -> Hit? {
        guard rest.count > 1 else { return nil }
        for count in (2...rest.count).reversed() {
            let words = rest.prefix(count)
            let together = Array(words.joined())
            let index = left.firstIndex {
                Self.divides($0[...], into: words) || (together.count >= 5 && Self.place(of: together, in: $0) != nil)
            }
            if let index { return (count, index..<(index + 1), []) }
        }
        return nil
    }

    /// Returns the word as part of a longer piece, whose rest is kept: at either end with 3 characters or more beside
    /// it, or, from 4 characters on, anywhere.
    private func inside(_ word: Word) -> Hit? {
        guard word.count >= 3 else { return nil }
        for (index, piece) in left.enumerated() {
            let last = piece.count - word.count
            let isAtEnd = last >= 3 && piece.suffix(word.count) == word[...]
            guard let place = isAtEnd ? last : Self.place(of: word, in: piece),
                word.count >= 4 || (last >= 3 && (place == 0 || place == last))
            else { continue }
            let rest = [Array(piece[..<place]), Array(piece[(place + word.count)...])]
            return (1, index..<(index + 1), rest.filter { !$0.isEmpty })
        }
        return nil
    }

    /// Returns whether a piece consists of parts that are like the words, in their order.
    private static func divides(_ piece: Word.SubSequence, into words: ArraySlice<Word>) -> Bool {
        guard let word = words.first else { return piece.isEmpty }
        // Parts of other lengths are not alike.
        let shortest = (word.count * 4 + 4) / 5
        let longest = min(word.count * 5 / 4, piece.count)
        guard shortest <= longest else { return false }
        return (shortest...longest).contains { length in
            areAlike(word, Array(piece.prefix(length)))
                && divides(piece.dropFirst(length), into: words.dropFirst())
        }
    }

    private static func areAlike(_ a: Word, _ b: Word) -> Bool {
        let longest = max(a.count, b.count)
        func isEnough(_ distance: Int) -> Bool { 1 - Double(distance) / Double(longest) >= 0.8 }
        // The distance is at least the difference of the lengths, which is too large for most words already.
        return longest > 0 && isEnough(abs(a.count - b.count)) && isEnough(Levenshtein.distance(a, b))
    }

    private static func place(of word: Word, in piece: Word) -> Int? {
        guard word.count <= piece.count else { return nil }
        return (0...(piece.count - word.count)).first { piece[$0...].starts(with: word) }
    }
}
