import Basics
import Foundation
import Imaging
import Testing

@testable import SpineDatasets
@testable import SpineSynthesis

@Suite("Spine designs")
struct SpineDesignTests {
    private let designer: SpineDesigner
    private let book = Book("Small Gods", "Terry Pratchett", "Pratchett")

    init() throws {
        designer = try SpineDesigner(typefaces: [Spines.typeface])
    }

    private func designs(_ category: SampleCategory, of book: Book) -> [SpineDesign] {
        Recipe.all.filter { $0.category == category }.flatMap { recipe in
            (0..<8).map { designer.design(SpinePlan(book: book, recipe: recipe, seed: $0)) }
        }
    }

    @Test("each category has the orientations that it is about", arguments: SampleCategory.allCases)
    func orientations(_ category: SampleCategory) throws {
        let allowed: Set<SampleOrientation> =
            switch category {
            case .vertical: [.clockwise, .counterclockwise]
            case .stylized, .mixed: [.clockwise, .counterclockwise, .upright]
            case .inverted: [.clockwise, .counterclockwise, .inverted]
            case .horizontal: [.upright]
            }
        for design in designs(category, of: book) {
            #expect(allowed.contains(try #require(design.orientation)))
            #expect((52...210).contains(design.cover.width) && (500...1500).contains(design.cover.height))
            #expect((1...21).contains(design.contrast))
            #expect(Set(design.blocks.map(\.role)).isSuperset(of: [.title, .author]))
        }
    }

    @Test("the title is printed whole, in its own letters or in capitals", arguments: SampleCategory.allCases)
    func transcripts(_ category: SampleCategory) throws {
        let plans = SpinePlan.list(20, of: Book.all, SynthesisOptions(seed: 2, categories: [category: 1]))
        for plan in plans {
            let title = try #require(designer.design(plan).blocks.first { $0.role == .title })
            let printed = title.rows.map(\.text).joined(separator: " ")
            #expect([plan.book.title, plan.book.title.uppercased()].contains(printed))
        }
    }

    @Test("a book on its head carries the same text, turned")
    func upsideDown() throws {
        let standing = SpinePlan(book: book, recipe: Spines.recipe(), seed: 3)
        let turned = SpinePlan(book: book, recipe: Spines.recipe(.inverted, .along, .upsideDown), seed: 3)
        let (first, second) = (designer.design(standing), designer.design(turned))
        #expect(first.blocks == second.blocks)
        #expect(Set([first.orientation, second.orientation]) == [.clockwise, .counterclockwise])
    }

    @Test("blocks stay on the spine and off each other", arguments: SampleCategory.allCases)
    func room(_ category: SampleCategory) throws {
        for design in designs(category, of: book) {
            for (index, block) in design.blocks.enumerated() {
                #expect(design.cover.box.contains(block.room), "\(design.style): \(block.rows)")
                for other in design.blocks[(index + 1)...] {
                    #expect(!block.room.overlaps(other.room), "\(design.style): \(block.rows), \(other.rows)")
                }
            }
        }
    }

    @Test("a book without an author gets a spine that names nobody", arguments: SampleCategory.allCases)
    func anonymous(_ category: SampleCategory) throws {
        for design in designs(category, of: Book("Beowulf", "", "")) {
            let roles = design.blocks.map(\.role)
            #expect(roles.contains(.title) && !roles.contains(.author))
        }
    }

    @Test("a call number is on a label that hides no other text")
    func callNumber() throws {
        let plans = (0..<120).map { SpinePlan(book: book, recipe: Spines.recipe(), seed: $0) }
        let labelled = plans.map(designer.design).filter { $0.blocks.contains { $0.role == .sticker } }
        // A quarter of 120, and three standard deviations of it.
        #expect((16...44).contains(labelled.count))
        for design in labelled {
            #expect(design.style == "sticker")
            let text = try #require(design.blocks.first { $0.role == .sticker })
            let label = try #require(design.cover.marks.first { $0.lineWidth == nil && $0.box.contains(text.room) })
            #expect(text.ink.contrast(with: label.colour) > 10)
            #expect(design.blocks.allSatisfy { $0 == text || !$0.room.overlaps(label.box) })
        }
    }

    @Test("the style is the treatment's name, unless no typeface of its kind has the letters")
    func style() throws {
        func style(_ recipe: Recipe) -> String {
            designer.design(SpinePlan(book: book, recipe: recipe, seed: 4)).style
        }
        #expect(style(Spines.recipe(.stylized, .along, .standing, .hollow)) == "hollow")
        #expect(style(Spines.recipe(.stylized, .along, .standing, .script)) != "script")
        #expect(style(Spines.recipe(.stylized, .letters)) == "letters")
    }

    @Test("the same seed gives the same design, another one another")
    func determinism() throws {
        let plan = SpinePlan(book: book, recipe: Spines.recipe(), seed: 5)
        #expect(designer.design(plan) == designer.design(plan))
        #expect(designer.design(SpinePlan(book: book, recipe: Spines.recipe(), seed: 6)) != designer.design(plan))
    }

    @Test("without fonts there is nothing to design with")
    func noFonts() {
        let packages = Set(Typeface.all.map(\.package)).sorted()
        #expect(throws: SynthesisError.noFonts(packages: packages)) { try SpineDesigner(typefaces: []) }
    }

    @Test("text on a panel is on the panel's colour alone, beside it on both")
    func grounds() {
        var cover = Cover(width: 100, height: 1000, colours: [.white])
        let red = Colour(0xFF0000)
        cover.marks = [Mark(box: Box(x: 0, y: 400, width: 100, height: 200), colour: red)]
        func grounds(_ y: Double, _ height: Double) -> Set<Colour> {
            Set(cover.grounds(Box(x: 10, y: y, width: 80, height: height)))
        }
        #expect(grounds(450, 100) == [red] && grounds(550, 150) == [.white, red] && grounds(700, 100) == [.white])
        cover.colours.append(.black)
        // A quarter down from white to black.
        #expect(cover.grounds(Box(x: 0, y: 250, width: 1, height: 0))[0].red == 0.75)
    }

    /// Two of some thirty drawings on two threads without the lock ended inside FreeType, by a signal.
    @Test("threads may set text in all typefaces at once")
    func threads() {
        let typefaces = Typeface.installed()
        let widths = concurrentMap(24) { _ in
            let typesetter = Typesetter()
            return typefaces.reduce(0.0) { sum, typeface in
                let outline = try? typesetter.outline(of: "Spine", in: Typesetter.Style(typeface: typeface))
                return sum + (outline?.ink.width ?? 0)
            }
        }
        #expect(widths.count == 24 && Set(widths).count == 1, "every thread measures the same")
    }
}
