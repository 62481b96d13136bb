package import Imaging

/// Comparison of the spines found on a photo of shelves with its labelled books.
package struct ShelfScore: Sendable, Equatable, Codable {
    /// A labelled book whose title a person can read.
    package struct Book: Sendable, Equatable, Codable {
        /// Place among the labelled books of the photo, counted from 0.
        package var number: Int
        /// Whether a spine at its place has its name, each spine naming one book; nil when the catalogue has not the
        /// book.
        package var isNamed: Bool?
        /// Whether the spine that fits its outline best has a name although the catalogue has not the book, and not a
        /// neighbour's right one; nil for others.
        package var hasFalseName: Bool?
        /// Whether the text of a spine at its place has its title.
        package var isRead: Bool
        /// Whether the book's outline contains two or more spines.
        package var isSplit: Bool
        /// Best overlap of a spine's outline: intersection over union, 0…1; nil for a book without an outline.
        package var overlap: Double?
    }

    package struct Spine: Sendable, Equatable, Codable {
        package enum Outcome: String, Sendable, Codable, CaseIterable {
            /// The spine has the name of the book at its place.
            case right
            case wrong
            case unnamed
            /// The spine is at a labelled book with an illegible title, or has that book's name: neither right nor
            /// wrong.
            case uncounted
            /// The spine has a name, and is at a book that the catalogue does not contain: a false match.
            case falseMatch
        }

        package var outcome: Outcome
        /// Whether it holds the middles of two labelled outlines or more.
        package var isMerged: Bool
        /// Whether most of the spine is inside a labelled outline, covers less than half of it and is not its best
        /// fit: a piece of a book beside another piece.
        package var isSliver: Bool
    }

    package var books: [Book]
    package var spines: [Spine]
    /// Number of labelled books, including those with an illegible title.
    package var labelled: Int
    /// Minimum number of named books that would have to be moved to correct the order.
    package var moved: Int
    /// ``ScoringRule`` of the titles; nil for the first one.
    package var rule: Int? = ScoringRule.current

    /// A spine is at a book's place that shares so much of the smaller one's area.
    private static let leastShare = 0.3

    /// Compares; arrays are in the order of the shelf, and a book without an outline (nil) matches everywhere.
    ///
    /// Closures say whether a person can read a book's title (`counts`), whether the catalogue has it (`isCatalogued`),
    /// whether a spine has a name (`isNamed`) or a book's (`isRight`), and whether its text has a book's title
    /// (`isRead`).
    package init(
        books: [Quad?],
        counts: (_ book: Int) -> Bool = { _ in true },
        isCatalogued: (_ book: Int) -> Bool = { _ in true },
        spines: [Quad],
        isNamed: (_ spine: Int) -> Bool,
        isRight: (_ book: Int, _ spine: Int) -> Bool,
        isRead: (_ book: Int, _ spine: Int) -> Bool = { _, _ in false }
    ) {
        let outlines = books.compactMap(\.self)
        let near = books.map { Self.near($0, spines) }
        let counted = books.indices.filter(counts)
        let choices = counted.map { book in
            near[book].filter { isCatalogued(book) && isNamed($0) && isRight(book, $0) }.sorted { one, other in
                // The copy at this place is preferred.
                let outline = books[book]
                return (outline.map { $0.overlap(with: spines[other]) } ?? 0, one)
                    < (outline.map { $0.overlap(with: spines[one]) } ?? 0, other)
            }
        }
        let pairs = Self.pairs(choices)
        moved = pairs.count - Self.longestAscent(pairs.map(\.spine))
        labelled = books.count
        let named = Set(pairs.map(\.book))
        // The spine that fits an outline best, by book.
        let best = books.enumerated().map { book, outline in
            outline.flatMap { outline in
                near[book].max { outline.overlap(with: spines[$0]) < outline.overlap(with: spines[$1]) }
            }
        }
        let right = Set(pairs.map(\.spine))
        // Spines at books with an illegible title count for nothing, and so do those books' names.
        let isUncounted = spines.indices.map { spine in
            let fitting = books.indices.max { one, other in
                (books[one]?.overlap(with: spines[spine]) ?? 0) < (books[other]?.overlap(with: spines[spine]) ?? 0)
            }
            let isThere = fitting.map { books[$0].map { $0.overlap(with: spines[spine]) > 0 } ?? false } ?? false
            return isThere && !counts(fitting ?? 0) || books.indices.contains { !counts($0) && isRight($0, spine) }
        }
        let falsely = Set(
            counted.filter { !isCatalogued($0) }.compactMap { best[$0] }
                .filter { isNamed($0) && !right.contains($0) && !isUncounted[$0] }
        )
        self.books = counted.enumerated().map { place, book in
            let outline = books[book]
            return Book(
                number: book,
                isNamed: isCatalogued(book) ? named.contains(place) : nil,
                hasFalseName: isCatalogued(book) ? nil : best[book].map { falsely.contains($0) },
                isRead: near[book].contains { isRead(book, $0) },
                isSplit: outline.map { outline in spines.count { outline.holds($0.centre) } > 1 } ?? false,
                overlap: outline.map { outline in spines.map { outline.overlap(with: $0) }.max() ?? 0 }
            )
        }
        let fitting = Set(best.compactMap(\.self))
        self.spines = spines.indices.map { spine in
            Spine(
                outcome: right.contains(spine)
                    ? .right
                    : !isNamed(spine)
                        ? .unnamed
                        : isUncounted[spine] ? .uncounted : falsely.contains(spine) ? .falseMatch : .wrong,
                isMerged: outlines.count { spines[spine].holds($0.centre) } > 1,
                isSliver: !fitting.contains(spine)
                    && outlines.contains { outline in
                        let shared = outline.intersectionArea(with: spines[spine])
                        return shared > 0.5 * spines[spine].area && shared < 0.5 * outline.area
                    }
            )
        }
    }

    /// Spines at a book's place.
    private static func near(_ outline: Quad?, _ spines: [Quad]) -> [Int] {
        guard let outline else { return Array(spines.indices) }
        return spines.indices.filter { spines[$0].lies(at: outline, share: leastShare) }
    }

    /// Finds the titles again; `spines` are nil for one text of the whole photo.
    package mutating func read(books: [Quad?], spines: [Quad]?, isRead: (_ book: Int, _ spine: Int) -> Bool) {
        for place in self.books.indices where books.indices.contains(self.books[place].number) {
            let book = self.books[place].number
            let near = spines.map { Self.near(books[book], $0) } ?? [0]
            self.books[place].isRead = near.contains { isRead(book, $0) }
        }
        rule = ScoringRule.current
    }

    /// Returns a maximum matching of books with spines, by book (Kuhn 1955).
    static func pairs(_ choices: [[Int]]) -> [(book: Int, spine: Int)] {
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

    /// Returns the length of the longest strictly ascending subsequence (Fredman 1975).
    private static func longestAscent(_ numbers: [Int]) -> Int {
        var ends: [Int] = []
        for number in numbers {
            if let at = ends.firstIndex(where: { $0 >= number }) { ends[at] = number } else { ends.append(number) }
        }
        return ends.count
    }
}

extension Quad {
    /// Returns whether it shares so much of the smaller area with a place.
    fileprivate func lies(at place: Quad, share: Double) -> Bool {
        intersectionArea(with: place) > share * min(area, place.area)
    }

    /// Returns whether the outline, which is convex, contains a point.
    fileprivate func holds(_ point: Point) -> Bool {
        let sides = corners.indices.map { corners[$0].cross(corners[($0 + 1) % 4], point) }
        return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
    }
}
