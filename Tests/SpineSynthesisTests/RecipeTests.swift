import Basics
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Recipes and plans")
struct RecipeTests {
    private static let usual = SpinePlan.list(240, of: Book.all, SynthesisOptions(seed: 3))

    @Test("240 spines have every recipe, so every layout and treatment")
    func everythingHasItsTurn() {
        #expect(Recipe.all.allSatisfy { recipe in Self.usual.contains { $0.recipe == recipe } })
        #expect(Set(Recipe.all.map(\.layout)) == Set(Recipe.Layout.allCases))
        let stylized = Recipe.all.filter { $0.category == .stylized }
        #expect(Set(stylized.compactMap(\.treatment)) == Set(Recipe.Treatment.allCases))
    }

    @Test("there are at least five books for every recipe")
    func books() {
        for recipe in Recipe.all { #expect(Book.all.count(where: recipe.suits) >= 5, "\(recipe)") }
    }

    @Test("a column of letters goes with a short title")
    func suits() {
        let column = Spines.recipe(.stylized, .letters)
        #expect(column.suits(Book("Dune", "Frank Herbert", "Herbert")))
        #expect(!column.suits(Book("Catch-22", "Joseph Heller", "Heller")), "a hyphen has no place in a column")
        #expect(!column.suits(Book("Frankenstein", "Mary Shelley", "Shelley")))
    }

    @Test("turns are as even as their weights allow")
    func rotation() {
        var rotation = Rotation([2, 1, 0])
        #expect((0..<6).map { _ in rotation.next() } == [0, 1, 0, 0, 1, 0])
    }

    @Test("a larger count begins with the same plans", arguments: [0, 1, 17, 240])
    func prefix(_ count: Int) {
        let options = SynthesisOptions(seed: 7)
        let plans = SpinePlan.list(count, of: Book.all, options)
        #expect(plans.count == count)
        #expect(Array(SpinePlan.list(300, of: Book.all, options).prefix(count)) == plans)
    }

    @Test("the usual categories have their shares of 240, and their shares of any part by one or two")
    func shares() {
        let counts = Dictionary(grouping: Self.usual, by: \.recipe.category).mapValues(\.count)
        #expect(counts == [.vertical: 62, .inverted: 62, .stylized: 62, .horizontal: 30, .mixed: 24])
        // A quarter of 62 is 15.5, of 30 is 7.5, of 24 is 6.
        let quarter = Dictionary(grouping: Self.usual.prefix(60), by: \.recipe.category).mapValues(\.count)
        #expect((14...17).contains(quarter[.vertical] ?? 0))
        #expect((6...9).contains(quarter[.horizontal] ?? 0))
        #expect((5...7).contains(quarter[.mixed] ?? 0))
    }

    @Test("only the categories with a share are drawn")
    func oneCategory() {
        let plans = SpinePlan.list(30, of: Book.all, SynthesisOptions(categories: [.stylized: 3, .mixed: 0]))
        #expect(plans.allSatisfy { $0.recipe.category == .stylized })
    }

    @Test("no book comes twice in 240, and each suits its recipe; another seed gives other plans")
    func differentBooks() {
        #expect(Set(Self.usual.map(\.book)).count == 240 && Set(Self.usual.map(\.seed)).count == 240)
        #expect(Self.usual.allSatisfy { $0.recipe.suits($0.book) })
        #expect(SpinePlan.list(5, of: Book.all, SynthesisOptions(seed: 4)) != Array(Self.usual.prefix(5)))
    }

    @Test("a book that suits nothing is drawn all the same")
    func unsuitable() {
        let long = Book("The Curious Case of the Extraordinarily Long-Winded Librarian of Llanfairpwllgwyngyll", "", "")
        let plans = SpinePlan.list(40, of: [long], SynthesisOptions())
        #expect(plans.map(\.book) == Array(repeating: long, count: 40))
    }

    @Test(
        "rows of a title",
        arguments: [
            (TitleRows.balanced("Dune", count: 2), ["Dune"]), (TitleRows.balanced("", count: 2), [""]),
            (TitleRows.balanced("Small Gods", count: 2), ["Small", "Gods"]),
            (TitleRows.balanced("The God of Small Things", count: 2), ["The God of", "Small Things"]),
            (
                TitleRows.balanced("Zen and the Art of Motorcycle Maintenance", count: 3),
                ["Zen and the Art", "of Motorcycle", "Maintenance"]
            ),
            (TitleRows.balanced("Small Gods", count: 3), ["Small", "Gods"]),
            (TitleRows.filled("The Remains of the Day", limit: 7), ["The", "Remains", "of the", "Day"]),
            (TitleRows.filled("Frankenstein", limit: 7), ["Frankenstein"]), (TitleRows.filled("", limit: 7), []),
        ]
    )
    func rows(_ rows: [String], _ expected: [String]) { #expect(rows == expected) }

    @Test("small words get rows of half the size")
    func bySize() {
        let rows = TitleRows.bySize("One Hundred Years of Solitude")
        #expect(rows.map(\.text) == ["One Hundred Years", "of", "Solitude"] && rows.map(\.scale) == [1, 0.5, 1])
    }

    @Test("contrast runs from 1 to 21")
    func contrast() {
        #expect(abs(Colour.black.contrast(with: .white) - 21) < 1e-9)
        #expect(Colour(0x336699).contrast(with: Colour(0x336699)) == 1)
        // #767676 on white is the lightest grey that passes 4.5 : 1; WebAIM's contrast checker reports 4.54.
        #expect(abs(Colour(0x767676).contrast(with: .white) - 4.54) < 0.005)
    }
}
