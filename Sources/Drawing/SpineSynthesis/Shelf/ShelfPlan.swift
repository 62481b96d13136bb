import SpineDatasets

/// One shelf to be drawn.
struct ShelfPlan: Sendable, Equatable {
    var books: [SpinePlan]
    var seed: UInt64

    /// Fullness of the shelves, in turn: from nothing to all that the options allow, and much between.
    private static let fullness = [0, 0.04, 0.2, 0.32, 0.4, 0.6, 0.8, 1]

    /// Frequency of each category: on shelves, most books stand head up.
    private static let categories: [SampleCategory] =
        Array(repeating: .vertical, count: 12) + Array(repeating: .stylized, count: 6)
        + [.inverted, .inverted, .mixed, .mixed, .horizontal]

    /// The first plans of an endless list: a larger `count` begins with the same ones.
    ///
    /// No book stands twice on one shelf as long as there are enough of them.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - books: At least one.
    ///   - options: The seed and the number of books on a shelf.
    /// - Returns: The plans.
    static func list(_ count: Int, of books: [Book], _ options: SynthesisOptions) -> [ShelfPlan] {
        // Another sequence than that of the spines, which have the seed itself.
        var generator = SeededGenerator(seed: options.seed ^ 0x5348_454C_5645_5321)
        return (0..<max(0, count)).map { index in
            var own = generator.split()
            let range = options.booksPerShelf
            let fill = fullness[index % fullness.count] * Double(range.upperBound - range.lowerBound)
            var deck = BookDeck(books)
            let plans = (0..<range.lowerBound + Int(fill.rounded())).map { _ in
                let brief = standingBrief(&own)
                return SpinePlan(book: deck.draw(for: brief, &own), brief: brief, seed: own.next())
            }
            return ShelfPlan(books: plans, seed: own.next())
        }
    }

    /// A brief for a book that stands, whichever end up.
    private static func standingBrief(_ generator: inout SeededGenerator) -> SpineBrief {
        let category = generator.element(of: categories)
        while true {
            let brief = SpineBrief(category: category, ordinal: generator.integer(in: 0...999))
            if brief.pose != .lying { return brief }
        }
    }
}
