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
