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
            case .vertical, .stylized, .mixed: [.clockwise, .counterclockwise]
            case .inverted: [.clockwise, .counterclockwise, .inverted]
            case .horizontal: [.upright]
            }
        var seen: Set<SampleOrientation> = []
        for ordinal in 0..<40 {
            let brief = SpineBrief(category: category, ordinal: ordinal)
            let specification = designer.design(book, brief: brief, seed: UInt64(ordinal))
            if let orientation = specification.orientation { seen.insert(orientation) }
            #expect((60...240).contains(specification.thickness))
            #expect((500...1500).contains(specification.length))
            #expect(specification.blocks.contains { $0.role == .title })
            #expect(specification.blocks.contains { $0.role == .author })
        }
        #expect(seen.isSubset(of: allowed))
        #expect(!seen.isEmpty)
    }

    @Test("a book on its head carries the same text, turned")
    func upsideDown() {
        let standing = SpineBrief(category: .vertical, layout: .running, pose: .standing)
        let turned = SpineBrief(category: .inverted, layout: .running, pose: .upsideDown)
        let first = designer.design(book, brief: standing, seed: 3)
        let second = designer.design(book, brief: turned, seed: 3)
        #expect(first.blocks == second.blocks)
        #expect(Set([first.orientation, second.orientation]) == [.clockwise, .counterclockwise])
    }

    @Test("blocks stay on the spine and off each other", arguments: 0..<60 as Range<UInt64>)
    func room(_ seed: UInt64) {
        let brief = SpineBrief(category: .vertical, ordinal: 0)
        let blocks = designer.design(book, brief: brief, seed: seed).blocks
        for (index, block) in blocks.enumerated() {
            #expect(block.along.lowerBound >= 0 && block.along.upperBound <= 1)
            #expect(block.across.lowerBound >= 0 && block.across.upperBound <= 1)
            for other in blocks[(index + 1)...] {
                #expect(!(block.along.overlaps(other.along) && block.across.overlaps(other.across)))
            }
        }
    }

    @Test("the same seed gives the same design, another one another")
    func determinism() {
        let brief = SpineBrief(category: .stylized, ordinal: 2)
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
