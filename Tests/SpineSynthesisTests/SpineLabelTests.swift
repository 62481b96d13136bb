import Imaging
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Spine labels")
struct SpineLabelTests {
    @Test("lines lie on the spine and off each other", arguments: SampleCategory.allCases)
    func lines(_ category: SampleCategory) throws {
        let designer = try SpineDesigner(typefaces: Typeface.installed())
        for ordinal in 0..<12 {
            let brief = SpineRequest(category: category, ordinal: ordinal)
            let book = try #require(Book.all.shuffledBy(ordinal).first(where: brief.suits))
            var specification = designer.design(book, brief: brief, seed: UInt64(ordinal))
            specification.camera = CameraSpecification()
            let spine = try SpineRenderer().render(specification)
            let outline = bounds(of: spine.quad)
            var boxes: [Box] = []
            for line in spine.lines {
                let box = bounds(of: line.quad)
                // Labels are stuck on by hand and may be turned beyond an edge by a pixel or two.
                let slack = line.role == .sticker ? 4.0 : 1
                #expect(box.x >= outline.x - slack && box.y >= outline.y - slack, "\(book.title): \(line.text)")
                #expect(box.x + box.width <= outline.x + outline.width + slack, "\(book.title): \(line.text)")
                #expect(box.y + box.height <= outline.y + outline.height + slack, "\(book.title): \(line.text)")
                if line.role != .sticker { boxes.append(box) }
            }
            for (index, box) in boxes.enumerated() {
                for other in boxes[(index + 1)...] {
                    let wide = min(box.x + box.width, other.x + other.width) - max(box.x, other.x)
                    let tall = min(box.y + box.height, other.y + other.height) - max(box.y, other.y)
                    #expect(wide < 1 || tall < 1, "\(book.title) has overlapping lines")
                }
            }
            let title = spine.lines.filter { $0.role == .title }.map(\.text).joined(separator: " ")
            #expect(title.lowercased() == book.title.lowercased() || title == book.title.uppercased())
        }
    }

    @Test("what a sticker hides is not labelled, what it carries is")
    func hidden() throws {
        var specification = Spines.plain("HIDDEN", direction: .down)
        var label = specification.blocks[0]
        label.role = .sticker
        label.rows = [TextBlock.Row(text: "FIC")]
        label.direction = .across
        (label.along, label.across) = (0.45...0.55, 0.2...0.8)
        // The line's ink fills its room, 0.1 to 0.9 of the length; the label covers all of it but a sixteenth.
        var sticker = Sticker(
            along: 0.05...0.85,
            across: 0...1,
            colour: .white,
            turn: 0,
            taped: true,
            marks: [],
            blocks: [label]
        )
        specification.stickers = [sticker]
        let covered = try SpineRenderer().render(specification)
        #expect(covered.lines.map(\.text) == ["FIC"])
        #expect(covered.lines.map(\.role) == [.sticker])
        // An eighth of the line is hidden: less than 0.3 of it.
        sticker.along = 0.8...0.95
        specification.stickers = [sticker]
        #expect(try SpineRenderer().render(specification).lines.map(\.text) == ["HIDDEN", "FIC"])
    }

    @Test("a turned sticker turns its lines' corners")
    func turned() throws {
        var specification = Spines.plain("A", direction: .across)
        var label = specification.blocks[0]
        label.role = .sticker
        specification.blocks = []
        let sticker = Sticker(
            along: 0.1...0.9,
            across: 0.1...0.9,
            colour: .white,
            turn: 0.1,
            taped: false,
            marks: [],
            blocks: [label]
        )
        specification.stickers = [sticker]
        let quad = try #require(try SpineRenderer().render(specification).lines.first).quad
        // Clockwise by 0.1: along its upper edge y grows by tan 0.1 = 0.1003 a pixel.
        let slope = (quad.topRight.y - quad.topLeft.y) / (quad.topRight.x - quad.topLeft.x)
        #expect(abs(slope - 0.1003) < 0.001)
    }

    @Test("a column of letters is one line, its quad the column's outline as for upright text")
    func column() throws {
        var specification = Spines.plain("DUNE", direction: .across)
        specification.blocks[0].arrangement = .letters
        let spine = try SpineRenderer().render(specification)
        #expect(spine.lines.map(\.text) == ["DUNE"])
        #expect(spine.orientation == .upright)
        let quad = try #require(spine.lines.first).quad
        let ink = spine.darkPixels()
        #expect(abs(quad.topLeft.x - (ink.map(\.x).min() ?? 0)) < 2)
        #expect(abs(quad.topLeft.y - (ink.map(\.y).min() ?? 0)) < 2)
        #expect(abs(quad.bottomRight.x - (ink.map(\.x).max() ?? 0)) < 2)
        #expect(abs(quad.bottomRight.y - (ink.map(\.y).max() ?? 0)) < 2)
        // Four letters high and one wide.
        #expect(quad.bottomLeft.y - quad.topLeft.y > 3 * (quad.topRight.x - quad.topLeft.x))
    }

    @Test("two words are two columns, one below the other")
    func columns() throws {
        var specification = Spines.plain("", direction: .across)
        specification.blocks[0].arrangement = .letters
        specification.blocks[0].rows = ["IT", "IS"].map { TextBlock.Row(text: $0) }
        let lines = try SpineRenderer().render(specification).lines
        #expect(lines.map(\.text) == ["IT", "IS"])
        #expect(lines[0].quad.bottomLeft.y < lines[1].quad.topLeft.y)
    }

    private func bounds(of quad: Quad) -> Box {
        let (xs, ys) = (quad.corners.map(\.x), quad.corners.map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return Box(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}

extension [Book] {
    /// Returns the elements in an order decided by `seed`.
    fileprivate func shuffledBy(_ seed: Int) -> [Book] {
        var generator = SeededGenerator(seed: UInt64(seed))
        return generator.shuffled(self)
    }
}
