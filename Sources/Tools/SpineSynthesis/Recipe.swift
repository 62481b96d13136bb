import Basics
import Foundation
import SpineDatasets

/// Tables among the resources: a record a line, `|` between its columns, `;` between the members of a list.
enum ResourceTable {
    static func rows(_ bytes: [UInt8]) -> [[String]] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { fields($0, "|") }
    }

    static func list(_ column: String) -> [String] { fields(column, ";") }

    /// Returns the range of text such as "0.2...1".
    static func range(_ column: String) -> ClosedRange<Double> {
        let ends = column.split(separator: "...").compactMap { Double($0) }
        precondition(ends.count == 2 && ends[0] <= ends[1], "not a range: \(column)")
        return ends[0]...ends[1]
    }

    private static func fields(_ text: some StringProtocol, _ separator: Character) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}

/// Kind of spine: what it shows of a category, and how.
struct Recipe: Sendable, Equatable {
    enum Layout: String, Sendable, CaseIterable {
        /// Title and author one after the other along the spine.
        case along
        /// Title and author side by side along the spine.
        case sideBySide
        /// Words across the spine, one above the other.
        case across
        /// The title one upright letter below the other.
        case letters
        /// One of title and author across the spine, the other along it.
        case mixed
    }

    /// Treatment that makes lettering or a surface hard to read.
    enum Treatment: String, Sendable, CaseIterable {
        case script, handLettered, display, blackletter, hollow, letterSpaced, toneOnTone, picture, smallWords

        /// Genre of its lettering; nil when it is not a matter of the typeface.
        var genre: Typeface.Genre? { Typeface.Genre(rawValue: rawValue) }
    }

    var category: SampleCategory
    var layout: Layout
    var pose: Pose
    /// Frequency, relative to the category's other recipes.
    var weight = 1
    var treatment: Treatment?
    /// Thickness of the spine in pixels of the design, and its length as a multiple of that.
    var thickness: ClosedRange<Double>
    var slenderness: ClosedRange<Double>
}

extension Recipe {
    /// Recipes in a row of `Resources/recipes.txt`: category, layout, pose, weight of each, treatments, thickness,
    /// slenderness.
    static let all: [Recipe] = ResourceTable.rows(PackageResources.recipes_txt).flatMap { row in
        guard row.count == 7, let category = SampleCategory(rawValue: row[0]), let layout = Layout(rawValue: row[1]),
            let pose = Pose(rawValue: row[2]), let weight = Int(row[3])
        else { preconditionFailure("not a recipe: \(row)") }
        return ResourceTable.list(row[4]).map { name in
            let treatment = Treatment(rawValue: name)
            precondition(treatment != nil || name == "plain", "not a treatment: \(name)")
            return Recipe(
                category: category,
                layout: layout,
                pose: pose,
                weight: weight,
                treatment: treatment,
                thickness: ResourceTable.range(row[5]),
                slenderness: ResourceTable.range(row[6])
            )
        }
    }

    /// Returns whether `book` has words that the layout can hold in letters of a readable size.
    func suits(_ book: Book) -> Bool {
        let words = book.title.split(separator: " ")
        let longest = words.map(\.count).max() ?? 0
        let fits =
            switch layout {
            case .along: true
            case .sideBySide: book.title.count <= 45
            case .across: words.count <= 5 && longest <= 10 && book.author.count <= 18
            case .letters: words.count <= 2 && book.title.count <= 11 && book.title.allSatisfy(\.stacks)
            case .mixed: Self.fitsAcross(title: book) || Self.fitsAcross(author: book)
            }
        guard fits else { return false }
        switch treatment {
        case nil: return true
        case .smallWords: return (2...3).contains(TitleRows.bySize(book.title).count)
        case .letterSpaced: return book.title.count <= 20
        default: return book.title.count <= 30
        }
    }

    /// Returns whether the title can be across a spine of the mixed layout.
    static func fitsAcross(title book: Book) -> Bool {
        let words = book.title.split(separator: " ")
        return words.count <= 4 && words.allSatisfy { $0.count <= 9 } && !book.author.isEmpty
    }

    static func fitsAcross(author book: Book) -> Bool {
        (1...11).contains(book.surname.count) && book.title.count <= 34
    }
}

extension Character {
    /// Whether the character has its own row in a column of letters; a hyphen or an apostrophe does not.
    fileprivate var stacks: Bool { isLetter || isNumber || self == " " }
}

/// Smooth weighted round robin: each beginning of its turns has about the shares of the whole.
struct Rotation {
    private let weights: [Int]
    private var credit: [Int]

    init(_ weights: [Int]) { (self.weights, credit) = (weights, weights.map { _ in 0 }) }

    /// Returns the index of the next turn.
    mutating func next() -> Int {
        for index in weights.indices { credit[index] += weights[index] }
        let turn = weights.indices.max { credit[$0] < credit[$1] } ?? 0
        credit[turn] -= weights.reduce(0, +)
        return turn
    }
}

/// Books in a random order, none again while another that has not come yet suits.
struct BookSampler {
    private let books: [Book]
    private var waiting: [Book] = []

    init(_ books: [Book]) {
        precondition(!books.isEmpty, "no books to draw")
        self.books = books
    }

    /// Returns the next book that suits `recipe`; the next one of any kind when none does.
    mutating func draw(for recipe: Recipe, _ generator: inout SplitMix64) -> Book {
        var place = waiting.firstIndex(where: recipe.suits)
        // Books that wait for a suitable recipe do not require shuffling in more.
        if place == nil, waiting.count < 2 * books.count {
            waiting += generator.shuffled(books)
            place = waiting.firstIndex(where: recipe.suits)
        }
        return waiting.remove(at: place ?? 0)
    }
}

/// Spine to draw: the book, the kind of its design, and the chance.
struct SpinePlan: Sendable, Equatable {
    var book: Book
    var recipe: Recipe
    var seed: UInt64

    /// Returns the first plans of an endless list: a larger `count` begins with the same ones.
    static func list(_ count: Int, of books: [Book], _ options: SynthesisOptions) -> [SpinePlan] {
        var generator = SplitMix64(state: options.seed)
        var sampler = BookSampler(books)
        let categories = SampleCategory.allCases
        let recipes = categories.map { category in Recipe.all.filter { $0.category == category } }
        var turns = Rotation(categories.map { options.categories[$0] ?? 0 })
        var ownTurns = recipes.map { Rotation($0.map(\.weight)) }
        return (0..<max(0, count)).map { _ in
            let category = turns.next()
            let recipe = recipes[category][ownTurns[category].next()]
            return SpinePlan(book: sampler.draw(for: recipe, &generator), recipe: recipe, seed: generator.next())
        }
    }
}
