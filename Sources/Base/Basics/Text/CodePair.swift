/// Two sequences of small numbers, and the distance between them by bit-parallel dynamic programming.
///
/// The matrix of distances between all beginnings of both is never kept: what is kept is by how much neighbouring entries
/// differ, one bit for +1 and one for −1, 64 entries of a column in a word.
///
/// Sources: G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", JACM 46
/// (1999), 395–415; H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", Nordic Journal
/// of Computing 10 (2003), 29–39; for the way back, H. Hyyrö, "A note on bit-parallel alignment computation", Prague
/// Stringology Conference 2004, 79–87.
struct CodePair<Code: FixedWidthInteger & UnsignedInteger> {
    /// Elements in the whole reference.
    let referenceCount: Int
    /// Elements in the whole hypothesis.
    let hypothesisCount: Int
    /// Number of elements that both share at the beginning.
    let prefix: Int
    /// Elements between those in the reference.
    let reference: UnsafeBufferPointer<Code>
    /// Elements between those in the hypothesis.
    let hypothesis: UnsafeBufferPointer<Code>
    /// Above every number in either.
    let alphabet: Int

    /// The pair is valid as long as both pointers are.
    ///
    /// - Precondition: every number is below `alphabet`.
    init(_ a: UnsafeBufferPointer<Code>, _ b: UnsafeBufferPointer<Code>, alphabet: Int) {
        let ends = SharedEnds(a, b)
        self.init(ends, reference: ends.middle(of: a), hypothesis: ends.middle(of: b), alphabet: alphabet)
    }

    /// A pair of sequences that share `ends`, of which what is between is numbered.
    init(
        _ ends: SharedEnds,
        reference: UnsafeBufferPointer<Code>,
        hypothesis: UnsafeBufferPointer<Code>,
        alphabet: Int
    ) {
        prefix = ends.prefix
        referenceCount = ends.prefix + reference.count + ends.suffix
        hypothesisCount = ends.prefix + hypothesis.count + ends.suffix
        self.reference = reference
        self.hypothesis = hypothesis
        self.alphabet = alphabet
    }

    /// The edit distance.
    ///
    /// Time is the product of the counts, divided by 64.
    func distance() -> Int {
        // The distance is the same both ways; the fewer words in a column the better.
        let (long, short) =
            reference.count < hypothesis.count ? (hypothesis, reference) : (reference, hypothesis)
        if short.isEmpty { return long.count }
        var distance = short.count
        withMatches(of: short, in: long) { matches, blocks in
            if blocks == 1 {
                var column = ColumnDifferences()
                let last = UInt64(short.count - 1)
                for code in long {
                    let edge = column.advance(matches[Int(code)], from: .top, last: last)
                    distance &+= edge.difference
                }
            } else {
                withUnsafeTemporaryAllocation(of: ColumnDifferences.self, capacity: blocks) { column in
                    column.initialize(repeating: ColumnDifferences())
                    for code in long {
                        distance &+= Self.advance(column, matches, blocks, code, count: short.count).difference
                    }
                }
            }
        }
        return distance
    }

    /// Goes one cheapest way backwards, from the ends to the beginnings, and shows every edit to `visit`: its kind, and the
    /// places before it in the whole reference and the whole hypothesis.
    ///
    /// Needs a quarter of a byte for each pair of elements.
    @inline(__always)
    func trace(_ visit: (_ kind: EditOperation.Kind, _ i: Int, _ j: Int) -> Void) {
        var (i, j) = (reference.count, hypothesis.count)
        if i > 0, j > 0 {
            withMatches(of: reference, in: hypothesis) { matches, blocks in
                withUnsafeTemporaryAllocation(of: ColumnDifferences.self, capacity: j * blocks) { columns in
                    fill(columns, matches, blocks)
                    while i > 0, j > 0 {
                        let (block, bit) = ((i - 1) >> 6, UInt64(truncatingIfNeeded: i - 1))
                        if (columns[(j - 1) * blocks + block].rises &>> bit) & 1 == 1 {
                            i -= 1
                            visit(.delete, prefix + i, prefix + j)
                        } else {
                            j -= 1
                            if j > 0, (columns[(j - 1) * blocks + block].falls &>> bit) & 1 == 1 {
                                visit(.insert, prefix + i, prefix + j)
                            } else {
                                i -= 1
                                if reference[i] != hypothesis[j] { visit(.substitute, prefix + i, prefix + j) }
                            }
                        }
                    }
                }
            }
        }
        while i > 0 {
            i -= 1
            visit(.delete, prefix + i, prefix + j)
        }
        while j > 0 {
            j -= 1
            visit(.insert, prefix + i, prefix + j)
        }
    }

    /// Puts the columns for all elements of the hypothesis into `columns`, one after the other.
    private func fill(
        _ columns: UnsafeMutableBufferPointer<ColumnDifferences>,
        _ matches: UnsafeMutableBufferPointer<UInt64>,
        _ blocks: Int
    ) {
        if blocks == 1 {
            var column = ColumnDifferences()
            let last = UInt64(reference.count - 1)
            for (j, code) in hypothesis.enumerated() {
                _ = column.advance(matches[Int(code)], from: .top, last: last)
                columns.initializeElement(at: j, to: column)
            }
            return
        }
        for (j, code) in hypothesis.enumerated() {
            let column = UnsafeMutableBufferPointer(rebasing: columns[(j * blocks)..<((j + 1) * blocks)])
            if j == 0 {
                column.initialize(repeating: ColumnDifferences())
            } else {
                _ = column.initialize(from: columns[((j - 1) * blocks)..<(j * blocks)])
            }
            _ = Self.advance(column, matches, blocks, code, count: reference.count)
        }
    }

    /// Takes a column of `count` entries in several words to the next element of the other sequence; returns how its last
    /// entry changed.
    @inline(__always)
    private static func advance(
        _ column: UnsafeMutableBufferPointer<ColumnDifferences>,
        _ matches: UnsafeMutableBufferPointer<UInt64>,
        _ blocks: Int,
        _ code: Code,
        count: Int
    ) -> ColumnDifferences.Edge {
        var edge = ColumnDifferences.Edge.top
        let row = Int(code) * blocks
        for block in 0..<(blocks - 1) {
            edge = column[block].advance(matches[row + block], from: edge, last: 63)
        }
        let last = UInt64((count - 1) & 63)
        return column[blocks - 1].advance(matches[row + blocks - 1], from: edge, last: last)
    }

    /// Hands `body` where each number occurs in `pattern`, a bit for each place, `blocks` words for each number.
    @inline(__always)
    private func withMatches(
        of pattern: UnsafeBufferPointer<Code>,
        in text: UnsafeBufferPointer<Code>,
        _ body: (_ matches: UnsafeMutableBufferPointer<UInt64>, _ blocks: Int) -> Void
    ) {
        let blocks = (pattern.count + 63) / 64
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: alphabet * blocks) { matches in
            if blocks == 1 {
                // Clearing what will be looked up takes less time than clearing all of it.
                for code in text { matches[Int(code)] = 0 }
                for code in pattern { matches[Int(code)] = 0 }
            } else {
                matches.initialize(repeating: 0)
            }
            for (place, code) in pattern.enumerated() {
                matches[Int(code) * blocks + place >> 6] |= 1 &<< UInt64(truncatingIfNeeded: place)
            }
            body(matches, blocks)
        }
    }
}

/// By how much up to 64 entries of a column differ from the entry above each.
struct ColumnDifferences: BitwiseCopyable {
    /// A bit for each entry that is 1 more than the one above.
    var rises = UInt64.max
    /// A bit for each entry that is 1 less than the one above.
    var falls: UInt64 = 0

    /// By how much an entry differs from its left neighbour.
    struct Edge {
        /// 1 when it is 1 more, otherwise 0.
        var rise: UInt64
        /// 1 when it is 1 less, otherwise 0.
        var fall: UInt64

        /// The edge above the first entries: distances from nothing grow by 1 with each element.
        static let top = Edge(rise: 1, fall: 0)

        var difference: Int { Int(truncatingIfNeeded: rise) &- Int(truncatingIfNeeded: fall) }
    }

    /// Goes to the next column, given which entries' elements match its element and how the entry above the first one
    /// changes; returns how the entry numbered `last` changes.
    @inline(__always)
    mutating func advance(_ matches: UInt64, from above: Edge, last: UInt64) -> Edge {
        let x = matches | above.fall
        let diagonal = (((x & rises) &+ rises) ^ rises) | x | falls
        let right = falls | ~(diagonal | rises)
        let left = diagonal & rises
        let edge = Edge(rise: (right &>> last) & 1, fall: (left &>> last) & 1)
        let rightBelow = (right &<< 1) | above.rise
        rises = (left &<< 1) | above.fall | ~(diagonal | rightBelow)
        falls = rightBelow & diagonal
        return edge
    }
}

/// Elements that two sequences share at their beginning and at their end: no cheapest way has to touch those.
struct SharedEnds {
    let prefix: Int
    let suffix: Int

    init<Element: Equatable>(_ a: UnsafeBufferPointer<Element>, _ b: UnsafeBufferPointer<Element>) {
        let shorter = min(a.count, b.count)
        var start = 0
        while start < shorter, a[start] == b[start] { start += 1 }
        var end = 0
        while end < shorter - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        prefix = start
        suffix = end
    }

    /// Elements between them in one of the two.
    func middle<Element>(of whole: UnsafeBufferPointer<Element>) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(rebasing: whole[prefix..<(whole.count - suffix)])
    }
}
