import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Spine plans")
struct SpinePlanTests {
    @Test("a larger count begins with the same plans", arguments: [0, 1, 17, 240])
    func prefix(_ count: Int) {
        let options = SynthesisOptions(seed: 7)
        let plans = SpinePlan.list(count, of: Book.all, options)
        #expect(plans.count == count)
        #expect(Array(SpinePlan.list(300, of: Book.all, options).prefix(count)) == plans)
    }

    @Test("the usual categories have their shares of 240, and their shares of any part by one or two")
    func shares() {
        let plans = SpinePlan.list(240, of: Book.all, SynthesisOptions())
        let counts = Dictionary(grouping: plans, by: \.brief.category).mapValues(\.count)
        #expect(counts == [.vertical: 62, .inverted: 62, .stylized: 62, .horizontal: 30, .mixed: 24])
        // A quarter of 62 is 15.5, of 30 is 7.5, of 24 is 6.
        let quarter = Dictionary(grouping: plans.prefix(60), by: \.brief.category).mapValues(\.count)
        #expect((14...17).contains(quarter[.vertical] ?? 0))
        #expect((6...9).contains(quarter[.horizontal] ?? 0))
        #expect((5...7).contains(quarter[.mixed] ?? 0))
    }

    @Test("only the categories with a share are drawn")
    func oneCategory() {
        let plans = SpinePlan.list(30, of: Book.all, SynthesisOptions(categories: [.stylized: 3, .mixed: 0]))
        #expect(plans.allSatisfy { $0.brief.category == .stylized })
    }

    @Test("no book comes twice in 240, and each suits its brief")
    func books() {
        let plans = SpinePlan.list(240, of: Book.all, SynthesisOptions(seed: 3))
        #expect(Set(plans.map(\.book)).count == 240)
        #expect(plans.allSatisfy { $0.brief.suits($0.book) })
        #expect(Set(plans.map(\.seed)).count == 240)
    }

    @Test("another seed gives other plans")
    func seeds() {
        let (one, two) = (SynthesisOptions(seed: 1), SynthesisOptions(seed: 2))
        #expect(SpinePlan.list(5, of: Book.all, one) != SpinePlan.list(5, of: Book.all, two))
    }

    @Test("a book that suits nothing is drawn all the same")
    func unsuitable() {
        let long = Book("The Curious Case of the Extraordinarily Long-Winded Librarian of Llanfairpwllgwyngyll", "", "")
        let plans = SpinePlan.list(40, of: [long], SynthesisOptions())
        #expect(plans.map(\.book) == Array(repeating: long, count: 40))
    }

    @Test("a design's width keeps its place in another range")
    func widths() {
        #expect(SpineBatchRenderer.width(30, in: 40...80) == 40)
        #expect(SpineBatchRenderer.width(300, in: 40...80) == 80)
        // The geometric mean of 30 and 300 becomes that of 40 and 80: 94.868 to 56.569.
        #expect(abs(SpineBatchRenderer.width(94.868, in: 40...80) - 56.569) < 0.001)
        #expect(abs(SpineBatchRenderer.width(120, in: 30...300) - 120) < 1e-9)
        #expect(SpineBatchRenderer.width(1_000, in: 40...80) == 80)
    }
}
