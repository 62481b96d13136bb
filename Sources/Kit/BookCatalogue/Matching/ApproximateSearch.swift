import Basics

/// Finds a word in a text that may have it with errors, by the columns of the edit distance (``ColumnDifferences``).
struct ApproximateSearch {
    /// The position of a found word.
    struct Hit: Equatable {
        var range: Range<Int>
        /// Characters to replace, insert or omit.
        var errors: Int
    }

    private var masks = [UInt64](repeating: 0, count: 256)

    /// Returns the place in `text` with the fewest errors, no more than `limit`; of several the first that ends where
    /// a word does.
    ///
    /// - Parameters:
    ///   - word: of 1 to 64 bytes.
    ///   - text: to search.
    ///   - boundaries: for each index of the text, and for its end, whether a word begins there.
    ///   - limit: of errors.
    /// - Returns: nil when every place has more errors.
    mutating func find(_ word: [UInt8], in text: [UInt8], boundaries: [Bool], limit: Int) -> Hit? {
        guard let (end, errors) = end(of: word, in: text, isAnchored: false, limit: limit, at: { boundaries[$0] })
        else { return nil }
        // Back from there, a match with the same errors ends where the word begins.
        let before = text[max(0, end - word.count - errors)..<end].reversed()
        let back = self.end(of: word.reversed(), in: before, isAnchored: true, limit: errors) { boundaries[end - $0] }
        return Hit(range: end - (back?.place ?? min(end, word.count))..<end, errors: errors)
    }

    /// Returns the end of the word's best match, and its errors; an anchored match begins where the text does.
    @inline(__always)
    private mutating func end(
        of word: [UInt8],
        in text: some Sequence<UInt8>,
        isAnchored: Bool,
        limit: Int,
        at isBoundary: (Int) -> Bool
    ) -> (place: Int, errors: Int)? {
        for (index, byte) in word.enumerated() { masks[Int(byte)] |= 1 << UInt64(index) }
        defer { for byte in word { masks[Int(byte)] = 0 } }
        var column = ColumnDifferences()
        var (errors, place) = (word.count, 0)
        var best: (place: Int, errors: Int, isBoundary: Bool)?
        for byte in text {
            let edge = column.advance(masks[Int(byte)], from: .top(grows: isAnchored), last: UInt64(word.count - 1))
            errors += edge.difference
            place += 1
            guard errors <= best?.errors ?? limit else { continue }
            let boundary = isBoundary(place)
            if errors < best?.errors ?? .max || boundary && best?.isBoundary == false {
                best = (place, errors, boundary)
            }
        }
        return best.map { ($0.place, $0.errors) }
    }
}

/// The numbers with the highest scores out of many.
struct TopList {
    private let count: Int
    private var entries: [(score: Float, number: Int)] = []
    private var threshold = -Float.infinity

    init(count: Int) {
        self.count = count
        entries.reserveCapacity(count * 4)
    }

    @inline(__always)
    mutating func add(_ number: Int, _ score: Float) {
        guard score > threshold else { return }
        entries.append((score, number))
        if entries.count == count * 4 { shrink() }
    }

    /// Numbers of the highest scores, highest first; the lower number first for equal scores.
    var numbers: [Int] {
        entries.sorted { ($1.score, $0.number) < ($0.score, $1.number) }.prefix(count).map(\.number)
    }

    private mutating func shrink() {
        entries.sort { ($1.score, $0.number) < ($0.score, $1.number) }
        entries.removeLast(entries.count - count)
        threshold = entries[count - 1].score
    }
}
