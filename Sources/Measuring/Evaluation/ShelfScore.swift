package import Raster

/// What was found on a photo of shelves, against what stands on it.
package struct ShelfScore: Sendable, Equatable {
    /// Books that somebody labelled, and that count.
    package var books: Int
    /// Spines that were found.
    package var spines: Int
    /// Of these, the ones that were given a name.
    package var named: Int
    /// Books that were named rightly: pairs of a book and a spine with its name, each in one pair at most.
    package var right: Int
    /// Of the books that were named rightly, the least number that would have to be moved for the order to be right.
    package var moved: Int
    /// Spines that hold the middles of two labelled outlines or more.
    package var merged: Int
    /// Spines that lie in a labelled outline for the most part, and cover less than half of it.
    package var slivers: Int
    /// For each labelled outline, the best overlap of a spine's outline: intersection over union, 0…1.
    package var overlaps: [Double]

    /// Compares; all arrays are in the order of the shelf.
    ///
    /// - Parameters:
    ///   - books: The outlines of the books that stand there; nil for one that nobody outlined.
    ///   - spines: What was found.
    ///   - isNamed: Whether a spine has a name.
    ///   - isRight: Whether the name of a spine is a book's.
    package init(
        books: [Quad?],
        spines: [Quad],
        isNamed: (_ spine: Int) -> Bool,
        isRight: (_ book: Int, _ spine: Int) -> Bool
    ) {
        (self.books, self.spines) = (books.count, spines.count)
        named = spines.indices.count(where: isNamed)
        let choices = books.indices.map { book in
            spines.indices.filter { isNamed($0) && isRight(book, $0) }.sorted { one, other in
                // Of two copies, the one that stands there.
                let outline = books[book]
                return (outline.map { $0.overlap(with: spines[other]) } ?? 0, one)
                    < (outline.map { $0.overlap(with: spines[one]) } ?? 0, other)
            }
        }
        let pairs = Self.pairs(choices)
        right = pairs.count
        moved = pairs.count - Self.longestAscent(pairs.map(\.spine))
        let outlines = books.compactMap(\.self)
        merged = spines.count { spine in outlines.count { spine.holds($0.centre) } >= 2 }
        slivers = spines.count { spine in
            outlines.contains { outline in
                let shared = outline.intersectionArea(with: spine)
                return shared > 0.5 * spine.area && shared < 0.5 * outline.area
            }
        }
        overlaps = outlines.map { outline in spines.map { outline.overlap(with: $0) }.max() ?? 0 }
    }

    /// As many pairs as can be made when each book has a choice of spines, by book (Kuhn 1955).
    private static func pairs(_ choices: [[Int]]) -> [(book: Int, spine: Int)] {
        var owner: [Int: Int] = [:]
        func place(_ book: Int, _ tried: inout Set<Int>) -> Bool {
            if let free = choices[book].first(where: { owner[$0] == nil }) {
                owner[free] = book
                return true
            }
            for spine in choices[book] where tried.insert(spine).inserted {
                if let other = owner[spine], place(other, &tried) {
                    owner[spine] = book
                    return true
                }
            }
            return false
        }
        for book in choices.indices {
            var tried: Set<Int> = []
            _ = place(book, &tried)
        }
        return owner.map { (book: $0.value, spine: $0.key) }.sorted { $0.book < $1.book }
    }

    /// Length of the longest strictly ascending subsequence (Fredman 1975).
    private static func longestAscent(_ numbers: [Int]) -> Int {
        var ends: [Int] = []
        for number in numbers {
            if let at = ends.firstIndex(where: { $0 >= number }) { ends[at] = number } else { ends.append(number) }
        }
        return ends.count
    }
}

extension ShelfScore {
    /// The sum of two photos' scores.
    package static func + (a: ShelfScore, b: ShelfScore) -> ShelfScore {
        var sum = a
        for part in [\ShelfScore.books, \.spines, \.named, \.right, \.moved, \.merged, \.slivers]
            as [WritableKeyPath<ShelfScore, Int>]
        {
            sum[keyPath: part] += b[keyPath: part]
        }
        sum.overlaps += b.overlaps
        return sum
    }
}

extension Quad {
    /// Whether a point lies inside.
    ///
    /// - Precondition: it is convex.
    fileprivate func holds(_ point: Point) -> Bool {
        let sides = zip(corners, corners.dropFirst() + [corners[0]]).map { a, b in
            (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
        }
        return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
    }
}
