/// Finds a word in a text that may have it with errors.
///
/// Source: Myers, A fast bit-vector algorithm for approximate string matching based on dynamic programming (1999), in
/// the form of Hyyrö (2003).
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
        for (index, byte) in word.enumerated() { masks[Int(byte)] |= 1 << UInt64(index) }
        var best = limit + 1
        var end = 0
        var atBoundary = false
        scan(word.count, text, from: 0, to: text.count, anchored: false) { position, errors in
            guard errors <= best, errors <= limit else { return }
            let boundary = boundaries[position]
            if errors < best || boundary && !atBoundary {
                best = errors
                end = position
                atBoundary = boundary
            }
        }
        for byte in word { masks[Int(byte)] = 0 }
        guard best <= limit else { return nil }
        return Hit(range: start(of: word, in: text, boundaries: boundaries, end: end, errors: best)..<end, errors: best)
    }

    private mutating func start(
        of word: [UInt8],
        in text: [UInt8],
        boundaries: [Bool],
        end: Int,
        errors: Int
    ) -> Int {
        for (index, byte) in word.reversed().enumerated() { masks[Int(byte)] |= 1 << UInt64(index) }
        var start = max(0, end - word.count)
        var found = false
        var atBoundary = false
        scan(word.count, text, from: end, to: max(0, end - word.count - errors), anchored: true) { position, count in
            guard count <= errors else { return }
            let boundary = boundaries[position]
            if !found || boundary && !atBoundary {
                start = position
                found = true
                atBoundary = boundary
            }
        }
        for byte in word { masks[Int(byte)] = 0 }
        return start
    }

    /// Calls `report` with each place and the errors of the word's best match that ends there.
    @inline(__always)
    private func scan(
        _ count: Int,
        _ text: [UInt8],
        from first: Int,
        to last: Int,
        anchored: Bool,
        _ report: (Int, Int) -> Void
    ) {
        let top: UInt64 = 1 << UInt64(count - 1)
        var positive = ~UInt64(0)
        var negative: UInt64 = 0
        var errors = count
        let step = first <= last ? 1 : -1
        var position = first
        while position != last {
            let equal = masks[Int(text[step > 0 ? position : position - 1])]
            let diagonal = (((equal & positive) &+ positive) ^ positive) | equal | negative
            var up = negative | ~(diagonal | positive)
            var down = diagonal & positive
            if up & top != 0 { errors += 1 }
            if down & top != 0 { errors -= 1 }
            up = up << 1 | (anchored ? 1 : 0)
            down <<= 1
            positive = down | ~(diagonal | up)
            negative = up & diagonal
            position += step
            report(position, errors)
        }
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
