import Foundation

/// Match of a book's word in a text, and its place.
struct WordMatch {
    /// 0 not at all, 1 without a fault.
    var credit = 0.0
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

    /// Finds the beginning or the end of a word that the photo, or the reader, cut off.
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
        guard shape.count <= 4, VolumeNumbers.values(of: word.letters).isEmpty, start >= 0,
            start + shape.count <= query.text.count,
            query.text[start..<start + shape.count].elementsEqual(shape)
        else { return }
        (credit, range) = (0.95, start..<start + shape.count)
    }
}

/// Numbers of books that have each word, by a hash of the word's shape.
struct WordCounts {
    private var keys: [UInt64]
    private var counts: [UInt32]
    private(set) var words = 0

    init() {
        keys = Array(repeating: 0, count: 1 << 12)
        counts = Array(repeating: 0, count: 1 << 12)
    }

    mutating func add(_ hash: UInt64) {
        if words * 2 >= keys.count { grow() }
        let slot = slot(of: hash)
        if keys[slot] == 0 {
            keys[slot] = hash
            words += 1
        }
        counts[slot] += 1
    }

    subscript(hash: UInt64) -> UInt32 { counts[slot(of: hash)] }

    var all: some Sequence<(hash: UInt64, count: UInt32)> {
        zip(keys, counts).lazy.filter { $0.0 != 0 }.map { (hash: $0.0, count: $0.1) }
    }

    /// Returns the FNV-1a with a final mix, never 0: 0 marks an empty slot.
    static func hash(_ shape: some Collection<UInt8>) -> UInt64 {
        var fnv = FNV1a()
        fnv.add(shape)
        var hash = (fnv.value ^ fnv.value >> 32) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
        return hash == 0 ? 1 : hash
    }

    private func slot(of hash: UInt64) -> Int {
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while keys[slot] != 0 && keys[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = (keys, counts)
        keys = Array(repeating: 0, count: old.0.count * 2)
        counts = Array(repeating: 0, count: old.0.count * 2)
        for (key, count) in zip(old.0, old.1) where key != 0 {
            let slot = slot(of: key)
            keys[slot] = key
            counts[slot] = count
        }
    }
}

/// The approximate number of books that have a word, in two bytes' worth of memory a word: a count-min sketch of
/// logarithms.
///
/// A word is never reported rarer than it is; one word in fifteen that no book has is taken for a rare one. Source:
/// Cormode and Muthukrishnan, An improved data stream summary: the count-min sketch and its applications (2005).
struct WordSketch: Sendable {
    private let levels: [UInt8]
    /// Levels are eighths of a factor of two; 0 is "none".
    private static let levelsPerBit = 8.0

    init(_ counts: WordCounts) {
        var size = 64
        while size < counts.words * 4 { size *= 2 }
        var levels = [UInt8](repeating: 0, count: size)
        for (hash, count) in counts.all {
            let level = UInt8(min(255, 1 + (log2(Double(count)) * Self.levelsPerBit).rounded()))
            let (first, second) = Self.slots(hash, size)
            levels[first] = max(levels[first], level)
            levels[second] = max(levels[second], level)
        }
        self.levels = levels
    }

    init?(_ data: Data) {
        guard data.count >= 64, data.count & (data.count - 1) == 0 else { return nil }
        levels = Array(data)
    }

    var data: Data { Data(levels) }

    func count(_ hash: UInt64) -> Double {
        let (first, second) = Self.slots(hash, levels.count)
        let level = min(levels[first], levels[second])
        return level == 0 ? 0 : exp2(Double(level - 1) / Self.levelsPerBit)
    }

    private static func slots(_ hash: UInt64, _ size: Int) -> (Int, Int) {
        (Int(truncatingIfNeeded: hash) & (size - 1), Int(truncatingIfNeeded: hash >> 32) & (size - 1))
    }
}
