import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Spine designer")
struct SpineDesignerTests {
    private let designer: SpineDesigner
    private let book = Book("Small Gods", "Terry Pratchett", "Pratchett")

    init() throws {
        designer = try SpineDesigner(typefaces: [Spines.typeface])
    }

    @Test("each category has the orientations that it is about", arguments: SampleCategory.allCases)
    func orientations(_ category: SampleCategory) {
        let allowed: Set<SampleOrientation> =
            switch category {
            case .vertical: [.clockwise, .counterclockwise]
            case .stylized, .mixed: [.clockwise, .counterclockwise, .upright]
            case .inverted: [.clockwise, .counterclockwise, .inverted]
            case .horizontal: [.upright]
            }
        var seen: Set<SampleOrientation> = []
        for ordinal in 0..<40 {
            let brief = SpineRequest(category: category, ordinal: ordinal)
            let specification = designer.design(book, brief: brief, seed: UInt64(ordinal))
            if let orientation = specification.orientation { seen.insert(orientation) }
            #expect((50...240).contains(specification.thickness))
            #expect((500...1500).contains(specification.length))
            #expect(specification.blocks.contains { $0.role == .title })
            #expect(specification.blocks.contains { $0.role == .author })
        }
        #expect(seen.isSubset(of: allowed))
        #expect(!seen.isEmpty)
    }

    @Test("a book on its head carries the same text, turned")
    func upsideDown() {
        let standing = SpineRequest(category: .vertical, layout: .running, pose: .standing)
        let turned = SpineRequest(category: .inverted, layout: .running, pose: .upsideDown)
        let first = designer.design(book, brief: standing, seed: 3)
        let second = designer.design(book, brief: turned, seed: 3)
        #expect(first.blocks == second.blocks)
        #expect(Set([first.orientation, second.orientation]) == [.clockwise, .counterclockwise])
    }

    @Test("blocks stay on the spine and off each other", arguments: SampleCategory.allCases)
    func room(_ category: SampleCategory) {
        for ordinal in 0..<40 {
            let brief = SpineRequest(category: category, ordinal: ordinal)
            let blocks = designer.design(book, brief: brief, seed: UInt64(ordinal)).blocks
            for (index, block) in blocks.enumerated() {
                #expect(block.along.lowerBound >= 0 && block.along.upperBound <= 1, "\(brief)")
                #expect(block.across.lowerBound >= 0 && block.across.upperBound <= 1, "\(brief)")
                for other in blocks[(index + 1)...] {
                    let apart = !block.along.overlaps(other.along) || !block.across.overlaps(other.across)
                    #expect(apart, "\(brief): \(block.rows), \(other.rows)")
                }
            }
        }
    }

    @Test("a book without an author gets a spine that names nobody", arguments: SampleCategory.allCases)
    func anonymous(_ category: SampleCategory) {
        let nameless = Book("Beowulf", "", "")
        for ordinal in 0..<40 {
            let brief = SpineRequest(category: category, ordinal: ordinal)
            let roles = designer.design(nameless, brief: brief, seed: UInt64(ordinal)).blocks.map(\.role)
            #expect(roles.contains(.title))
            #expect(!roles.contains(.author))
        }
    }

    @Test("a call number hides neither the title nor half of a line")
    func callNumber() throws {
        let brief = SpineRequest(category: .vertical, layout: .running, pose: .standing, extra: .callNumber)
        var stickers = 0
        for seed in 0..<30 as Range<UInt64> {
            let specification = designer.design(book, brief: brief, seed: seed)
            guard let sticker = specification.stickers.first else { continue }
            stickers += 1
            #expect(specification.style == "sticker")
            #expect((2...3).contains(sticker.blocks[0].rows.count))
            for block in specification.blocks where block.role == .title {
                #expect(!block.along.overlaps(sticker.along))
            }
        }
        #expect(stickers >= 25)
    }

    @Test("what is known of the difficulty comes with the design")
    func difficulty() throws {
        let brief = SpineRequest(category: .vertical, ordinal: 0)
        var specification = designer.design(book, brief: brief, seed: 1)
        specification.camera = CameraSpecification()
        let contrast = try #require(specification.difficulty["contrast"])
        let size = try #require(specification.difficulty["titleSize"])
        #expect((1...21).contains(contrast))
        #expect((0.05...1.2).contains(size))
        let printed = try SpineRenderer().render(specification).lines.filter { $0.role == .title }
        #expect(abs(size * Double(specification.thickness) - (printed.map(\.size).max() ?? 0)) < 0.1)
    }

    @Test("the same seed gives the same design, another one another")
    func determinism() {
        let brief = SpineRequest(category: .stylized, ordinal: 2)
        let first = designer.design(book, brief: brief, seed: 5)
        #expect(designer.design(book, brief: brief, seed: 5) == first)
        #expect(designer.design(book, brief: brief, seed: 6) != first)
    }

    @Test("without fonts there is nothing to design with")
    func noFonts() {
        let packages = Set(Typeface.all.map(\.package)).sorted()
        #expect(throws: SynthesisError.noFonts(packages: packages)) { try SpineDesigner(typefaces: []) }
    }
}
