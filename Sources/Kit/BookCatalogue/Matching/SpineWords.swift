import Basics

/// UTF-8 of a folded word.
typealias Letters = ArraySlice<UInt8>

/// Kind of words that spines have beside title and author, or that make another title of one; `Resources/words.txt`
/// documents each kind, and lists its words.
enum WordKind: String, CaseIterable {
    case particle, shortParticle, article, ofAuthors, ofNames, open, continuing, ofAnyBook, remark, ofPictures, numbered
    case otherWork, reference, imprint, ofPublishers
    case designator, figureDesignator, otherThing, ordinalEnding, cardinal, plainCardinal, ordinal

    /// Lists of the kind, a line of the file each.
    var lists: [[Substring]] { Self.lines.filter { $0.kind == self }.map(\.words) }

    static let lines = String(decoding: PackageResources.words_txt, as: UTF8.self).split(separator: "\n").compactMap {
        line -> (kind: WordKind, words: [Substring])? in
        let parts = line.split(separator: ":")
        return WordKind(rawValue: String(parts[0])).map { ($0, parts[1].split(separator: " ")) }
    }

    fileprivate static let kinds = lines.reduce(into: [Letters: Set<WordKind>]()) { kinds, line in
        for word in line.words { kinds[Letters(word.replacing("_", with: " ").utf8), default: []].insert(line.kind) }
    }
}

extension Letters {
    /// Returns whether the word, or two with a space between, is of one of the kinds.
    func isAny(of kinds: WordKind...) -> Bool { WordKind.kinds[self].map { !$0.isDisjoint(with: kinds) } ?? false }

    /// Returns whether the word has just these letters.
    func isWord(_ text: StaticString) -> Bool { text.withUTF8Buffer(elementsEqual) }

    /// Whether the word is an article, a preposition, a conjunction or the like.
    var isSmallWord: Bool { isAny(of: .particle, .shortParticle, .article) }

    /// Whether the word is a preposition, a conjunction or the like; not an article, nor one before an author.
    var isParticle: Bool { isAny(of: .particle, .shortParticle) && !isAny(of: .article, .ofAuthors) }

    /// Whether there is no figure in the word.
    var isPlain: Bool { allSatisfy { $0 > UInt8(ascii: "9") } }
}

/// Words of any book's spine: editions, prizes, kinds of books, who translated them.
enum SpinePhrases {
    private static let longNames = (WordKind.imprint.lists + WordKind.ofPublishers.lists).joined()
        .filter { $0.utf8.count > 5 }.map { OpticalShape.of($0.utf8) }

    /// Returns whether a word names a publisher or a series of one; a word that no book has may be one misread.
    static func isOfPublisher(_ letters: Letters, isKnown: Bool) -> Bool {
        if letters.isAny(of: .imprint, .ofPublishers) { return true }
        guard !isKnown, letters.count > 5 else { return false }
        let shape = OpticalShape.of(letters)
        return longNames.contains { name in
            abs(name.count - shape.count) <= 2 && Levenshtein.distance(name, shape) * 4 <= max(name.count, shape.count)
        }
    }

    /// Returns whether each word is part of a phrase that any book's spine may have.
    static func contain(_ words: [MatchQuery.Word]) -> [Bool] {
        /// Words around a remark's that belong to it.
        let reach = 4
        var isContained = words.map { $0.letters.isAny(of: .ofAnyBook) }
        var start = 0
        for end in words.indices where words[end].endsLine {
            for place in start...end {
                let letters = words[place].letters
                if place > start, letters.isAny(of: .numbered) { isContained[place - 1] = true }
                guard letters.isAny(of: .remark) || place > start && words[place - 1].letters.isAny(of: .ofPictures)
                else { continue }
                for near in max(start, place - reach)...min(end, place + reach) { isContained[near] = true }
            }
            start = end + 1
        }
        return isContained
    }

    /// Returns the places of words, and of two words, of a kind.
    private static func places(of kind: WordKind, in folded: [Letters]) -> [Int] {
        folded.indices.filter {
            folded[$0].isAny(of: kind) || Letters(folded[$0...].prefix(2).joined(separator: " ".utf8)).isAny(of: kind)
        }
    }

    /// Places of words that make another work of a title anywhere on the spine.
    static func otherWorks(_ folded: [Letters]) -> [Int] { places(of: .otherWork, in: folded) }

    /// Returns the places where the title of another book begins, after "author of".
    static func references(_ folded: [Letters]) -> [Int] {
        places(of: .reference, in: folded).flatMap { place in
            let next = place + 2
            return folded.indices.contains(next) && folded[next].isAny(of: .article) ? [next, next + 1] : [next]
        }
    }
}
