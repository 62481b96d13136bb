import Basics
import Foundation

/// A word of a book, and its place in a text.
struct WordMatch {
    let word: IndexedBook.Word
    /// 0 not at all, 1 without a fault.
    private(set) var credit = 0.0
    private(set) var range = 0..<0

    init(_ word: IndexedBook.Word, in query: MatchQuery, search: inout ApproximateSearch) {
        self.word = word
        let shape = word.shape
        let isNumber = word.letters.allSatisfy(VolumeNumbers.isFigure)
        if shape.count <= 2 || isNumber && shape.count <= 3 {
            if let read = query.words.first(where: { $0.shape == shape }) { (credit, range) = (1, read.range) }
            return
        }
        let limit = isNumber || shape.count <= 3 ? 0 : shape.count <= 5 ? 1 : shape.count / 3
        if let hit = search.find(shape, in: query.text, boundaries: query.boundaries, limit: limit) {
            let ends = [hit.range.lowerBound, hit.range.upperBound].count { query.boundaries[$0] }
            credit = 1 - 2 * Double(hit.errors) / Double(shape.count) - Self.gluePenalty(shape.count, ends: ends)
            range = hit.range
        }
        if credit < 0.3 {
            // The photo, or the reader, cut its beginning or its end off.
            let parts = query.words.filter {
                $0.shape.count >= 4 && $0.shape.count < shape.count && shape.isCut(to: $0.shape)
            }
            let part = parts.max { $0.shape.count < $1.shape.count }
            credit = part.map { 0.9 * Double($0.shape.count) / Double(shape.count) } ?? 0
            range = part?.range ?? 0..<0
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

    /// Finds short words where their neighbours in the book were found: "IAMA STRANGE LOOP" has "I", "am" and "a".
    static func joinShortWords(_ matches: inout [WordMatch], in query: MatchQuery) {
        for (places, step) in [(Array(matches.indices), -1), (matches.indices.reversed(), 1)] {
            for place in places where matches[place].credit == 0 && matches.indices.contains(place + step) {
                let (near, word) = (matches[place + step], matches[place].word)
                let start = step < 0 ? near.range.upperBound : near.range.lowerBound - word.shape.count
                guard near.credit > 0, near.word.field == word.field, word.shape.count <= 4, start >= 0,
                    query.text.dropFirst(start).starts(with: word.shape),
                    VolumeNumbers.values(of: word.letters).isEmpty
                else { continue }
                (matches[place].credit, matches[place].range) = (0.95, start..<start + word.shape.count)
            }
        }
    }
}

extension [UInt8] {
    /// Returns whether a part is the beginning or the end.
    func isCut(to part: [UInt8]) -> Bool { starts(with: part) || suffix(part.count).elementsEqual(part) }
}

/// The approximate number of books that have a word, in two bytes' worth of memory a word: a count-min sketch of
/// logarithms.
///
/// A word is never reported rarer than it is; one word in fifteen that no book has is taken for a rare one. Source:
/// Cormode and Muthukrishnan, An improved data stream summary: the count-min sketch and its applications (2005).
struct WordSketch: Sendable {
    let levels: [UInt8]
    /// Levels are eighths of a factor of two; 0 is "none".
    private static let levelsPerBit = 8.0

    /// Creates the sketch of the numbers of books that have each word, by the ``hash(_:)`` of its shape.
    init(_ counts: [UInt64: Int]) {
        var size = 64
        while size < counts.count * 4 { size *= 2 }
        var levels = [UInt8](repeating: 0, count: size)
        for (hash, count) in counts {
            let level = UInt8(min(255, 1 + (log2(Double(count)) * Self.levelsPerBit).rounded()))
            let (first, second) = Self.slots(hash, size)
            levels[first] = max(levels[first], level)
            levels[second] = max(levels[second], level)
        }
        self.levels = levels
    }

    init?(levels: [UInt8]) {
        guard levels.count >= 64, levels.count & (levels.count - 1) == 0 else { return nil }
        self.levels = levels
    }

    /// Returns the FNV-1a of a word's shape, mixed.
    static func hash(_ shape: some Collection<UInt8>) -> UInt64 {
        var fnv = FNV1a()
        fnv.append(shape)
        let hash = (fnv.value ^ fnv.value >> 32) &* 0x9E37_79B9_7F4A_7C15
        return hash ^ hash >> 29
    }

    func count(_ hash: UInt64) -> Double {
        let (first, second) = Self.slots(hash, levels.count)
        let level = min(levels[first], levels[second])
        return level == 0 ? 0 : exp2(Double(level - 1) / Self.levelsPerBit)
    }

    private static func slots(_ hash: UInt64, _ size: Int) -> (Int, Int) {
        (Int(truncatingIfNeeded: hash) & (size - 1), Int(truncatingIfNeeded: hash >> 32) & (size - 1))
    }
}
