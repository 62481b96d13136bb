/// Edit distance between sequences: the least number of substitutions, deletions and insertions that turn one into the
/// other, each at a cost of 1.
package enum Levenshtein {
    /// The distance between `a` and `b`, in 0…max(a.count, b.count).
    ///
    /// Time is their product, memory the shorter one.
    package static func distance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
        let (a, b) = trimmed(a, b)
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        let (long, short) = a.count < b.count ? (b, a) : (a, b)
        var row = Array(0...short.count)
        for (i, x) in long.enumerated() {
            var diagonal = i
            row[0] = i + 1
            for (j, y) in short.enumerated() {
                let substituted = x == y ? diagonal : diagonal + 1
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, min(diagonal, row[j]) + 1)
            }
        }
        return row[short.count]
    }

    /// The edits of one cheapest way to turn `reference` into `hypothesis`.
    ///
    /// Their sum is the distance; how they divide among the kinds is not unique, and substitutions are preferred here.
    package static func edits<Element: Hashable>(from reference: [Element], to hypothesis: [Element]) -> EditCounts {
        let whole = interned(reference, hypothesis)
        let (a, b) = trimmed(whole.0, whole.1)
        var counts = EditCounts(referenceLength: reference.count)
        let width = b.count + 1
        var cost = [Int](repeating: 0, count: (a.count + 1) * width)
        for j in 0...b.count { cost[j] = j }
        for i in 0..<a.count {
            cost[(i + 1) * width] = i + 1
            for j in 0..<b.count {
                let above = i * width + j
                let below = above + width
                cost[below + 1] = min(cost[above] + (a[i] == b[j] ? 0 : 1), min(cost[above + 1], cost[below]) + 1)
            }
        }
        var (i, j) = (a.count, b.count)
        while i > 0 || j > 0 {
            let here = cost[i * width + j]
            if i > 0, j > 0, here == cost[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1) {
                if a[i - 1] != b[j - 1] { counts.substitutions += 1 }
                (i, j) = (i - 1, j - 1)
            } else if i > 0, here == cost[(i - 1) * width + j] + 1 {
                counts.deletions += 1
                i -= 1
            } else {
                counts.insertions += 1
                j -= 1
            }
        }
        return counts
    }

    /// Both sequences without the beginning and the end that they share: no cheapest way touches those.
    private static func trimmed<Element: Equatable>(_ a: [Element], _ b: [Element]) -> ([Element], [Element]) {
        var start = 0
        while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
        var (endA, endB) = (a.count, b.count)
        while endA > start, endB > start, a[endA - 1] == b[endB - 1] { (endA, endB) = (endA - 1, endB - 1) }
        return (Array(a[start..<endA]), Array(b[start..<endB]))
    }

    /// Both sequences with small numbers for their elements: comparing two characters costs far more than two integers.
    private static func interned<Element: Hashable>(_ a: [Element], _ b: [Element]) -> ([Int], [Int]) {
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            let new = numbers.count
            numbers[element] = new
            return new
        }
        return (a.map(number), b.map(number))
    }
}
