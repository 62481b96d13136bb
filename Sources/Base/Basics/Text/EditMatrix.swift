/// Two sequences, and the distances between all their beginnings by bit-parallel dynamic programming.
///
/// Of a column of the matrix only the differences between neighbouring entries are kept, one bit for +1 and one for −1, 64
/// entries to a word.
///
/// Sources: G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", JACM 46
/// (1999), 395–415; H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", Nordic Journal
/// of Computing 10 (2003), 29–39; for the way back, H. Hyyrö, "A note on bit-parallel alignment computation", Prague
/// Stringology Conference 2004, 79–87.
struct EditMatrix {
    /// Numbers of elements that both share at the beginning and at the end.
    private let prefix: Int
    private let suffix: Int
    /// The elements between those, as numbers; what occurs in the hypothesis alone is 0.
    private let reference: ArraySlice<Int>
    private let hypothesis: ArraySlice<Int>
    /// Above every number in either.
    private let alphabet: Int

    init<Element: Hashable>(_ reference: [Element], _ hypothesis: [Element]) {
        var numbers: [Element: Int] = [:]
        let a = reference.map { element in
            let number = numbers[element] ?? numbers.count + 1
            numbers[element] = number
            return number
        }
        let b = hypothesis.map { numbers[$0] ?? 0 }
        let shorter = min(a.count, b.count)
        let prefix = (0..<shorter).first { a[$0] != b[$0] } ?? shorter
        let suffix = (0..<shorter - prefix).first { a[a.count - 1 - $0] != b[b.count - 1 - $0] } ?? shorter - prefix
        (self.prefix, self.suffix, alphabet) = (prefix, suffix, numbers.count + 1)
        (self.reference, self.hypothesis) = (a[prefix..<a.count - suffix], b[prefix..<b.count - suffix])
    }

    /// Creates the matrix of two texts in `view`, whose elements are graphemes.
    init(_ reference: String, _ hypothesis: String, in view: TextView) {
        self.init(Array(view.apply(to: reference)), Array(view.apply(to: hypothesis)))
    }

    /// The number of elements in the longer sequence.
    var longerCount: Int { prefix + max(reference.count, hypothesis.count) + suffix }

    /// The edit distance; the time is the product of the counts, divided by 64.
    func distance() -> Int { fill { _ in } }

    /// One cheapest way as runs, in order, that cover both sequences.
    ///
    /// Needs a quarter of a byte for each pair of elements.
    func operations() -> [EditOperation] {
        var columns: [ColumnDifferences] = []
        columns.reserveCapacity(blocks * hypothesis.count)
        _ = fill { columns += $0 }
        /// By how much the entry for `i` elements of the reference and `j` of the hypothesis differs from the one above.
        func difference(_ i: Int, _ j: Int) -> Int {
            columns[(j - 1) * blocks + (i - 1) / 64].difference(at: (i - 1) % 64)
        }
        var kinds = [EditOperation.Kind](repeating: .equal, count: suffix)
        var (i, j) = (reference.count, hypothesis.count)
        while i > 0 || j > 0 {
            if j == 0 || i > 0 && difference(i, j) == 1 {
                kinds.append(.delete)
                i -= 1
            } else if i == 0 || j > 1 && difference(i, j - 1) == -1 {
                kinds.append(.insert)
                j -= 1
            } else {
                (i, j) = (i - 1, j - 1)
                kinds.append(reference[prefix + i] == hypothesis[prefix + j] ? .equal : .substitute)
            }
        }
        kinds += [EditOperation.Kind](repeating: .equal, count: prefix)
        return EditOperation.runs(of: kinds.reversed())
    }

    /// The edits of that way, by kind.
    func counts() -> EditCounts {
        func count(_ kind: EditOperation.Kind, _ side: KeyPath<EditOperation, Range<Int>>) -> Int {
            operations.reduce(0) { $1.kind == kind ? $0 + $1[keyPath: side].count : $0 }
        }
        let operations = operations()
        return EditCounts(
            substitutions: count(.substitute, \.reference),
            deletions: count(.delete, \.reference),
            insertions: count(.insert, \.hypothesis),
            referenceLength: prefix + reference.count + suffix
        )
    }

    /// Words in a column.
    private var blocks: Int { (reference.count + 63) / 64 }

    /// Shows the columns for all elements of the hypothesis to `visit`; returns the distance.
    private func fill(_ visit: ([ColumnDifferences]) -> Void) -> Int {
        let blocks = blocks
        // A bit for each place at which a number occurs in the reference.
        var matches = [UInt64](repeating: 0, count: alphabet * blocks)
        for (place, number) in reference.enumerated() { matches[number * blocks + place / 64] |= 1 << (place % 64) }
        var column = [ColumnDifferences](repeating: ColumnDifferences(), count: blocks)
        var distance = reference.count
        for number in hypothesis {
            var edge = ColumnDifferences.Edge.top()
            for block in 0..<blocks {
                let last = min(63, reference.count - 1 - block * 64)
                edge = column[block].advance(matches[number * blocks + block], from: edge, last: UInt64(last))
            }
            distance += edge.difference
            visit(column)
        }
        return distance
    }
}

/// By how much up to 64 entries of a column differ from the entry above each.
package struct ColumnDifferences: BitwiseCopyable {
    /// A bit for each entry that is 1 more than the one above.
    @usableFromInline package var rises = UInt64.max
    /// A bit for each entry that is 1 less than the one above.
    @usableFromInline package var falls: UInt64 = 0

    package init() {}

    /// 1, 0 or −1.
    func difference(at entry: Int) -> Int { Int(rises >> UInt64(entry) & 1) - Int(falls >> UInt64(entry) & 1) }

    /// By how much an entry differs from its left neighbour.
    package struct Edge {
        /// 1 when it is 1 more, otherwise 0.
        @usableFromInline var rise: UInt64
        /// 1 when it is 1 less, otherwise 0.
        @usableFromInline var fall: UInt64

        @inlinable package init(rise: UInt64, fall: UInt64) { (self.rise, self.fall) = (rise, fall) }

        /// The edge above the first entries: distances from nothing grow by 1 with each element, unless a match may begin
        /// anywhere.
        @inlinable package static func top(grows: Bool = true) -> Edge { Edge(rise: grows ? 1 : 0, fall: 0) }

        @inlinable package var difference: Int { Int(truncatingIfNeeded: rise) &- Int(truncatingIfNeeded: fall) }
    }

    /// Goes to the next column, given which entries' elements match its element and how the entry above the first one
    /// changes; returns how the entry numbered `last` changes.
    @inlinable @inline(__always)
    package mutating func advance(_ matches: UInt64, from above: Edge, last: UInt64) -> Edge {
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
