import SpineDatasets

/// One spine to be drawn.
struct SpinePlan: Sendable, Equatable {
    var book: Book
    var brief: SpineBrief
    var seed: UInt64

    /// The first plans of an endless list: a larger `count` begins with the same ones.
    ///
    /// Categories are mixed evenly, and a book comes again only when none of those that have not come yet suits.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - books: At least one.
    ///   - options: The seed and the categories' shares.
    /// - Returns: The plans.
    static func list(_ count: Int, of books: [Book], _ options: SynthesisOptions) -> [SpinePlan] {
        var generator = SeededGenerator(seed: options.seed)
        var deck = BookDeck(books)
        let shares = SampleCategory.allCases.map { options.categories[$0] ?? 0 }
        let total = shares.reduce(0, +)
        var credit = [Int](repeating: 0, count: shares.count)
        var ordinals = credit
        return (0..<max(0, count)).map { _ in
            // Smooth weighted round robin: every prefix of the list has about the shares of the whole.
            for index in shares.indices { credit[index] += shares[index] }
            let turn = shares.indices.max { credit[$0] < credit[$1] } ?? 0
            credit[turn] -= total
            let brief = SpineBrief(category: SampleCategory.allCases[turn], ordinal: ordinals[turn])
            ordinals[turn] += 1
            return SpinePlan(book: deck.draw(for: brief, &generator), brief: brief, seed: generator.next())
        }
    }
}

/// Books in random order, each of them once before any comes twice, as far as they suit what they are drawn for.
struct BookDeck {
    private let books: [Book]
    private var waiting: [Book] = []

    /// - Precondition: `books` is not empty.
    init(_ books: [Book]) {
        precondition(!books.isEmpty, "no books to draw")
        self.books = books
    }

    /// The next book that suits `brief`; the next one whatever it is when none does.
    mutating func draw(for brief: SpineBrief, _ generator: inout SeededGenerator) -> Book {
        var place = waiting.firstIndex(where: brief.suits)
        // Books that wait for a brief that they suit are no reason to shuffle in ever more.
        if place == nil, waiting.count < 2 * books.count {
            waiting += generator.shuffled(books)
            place = waiting.firstIndex(where: brief.suits)
        }
        return waiting.remove(at: place ?? 0)
    }
}
