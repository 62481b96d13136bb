import Basics
import Foundation
import Imaging
import SpineDatasets

/// Everything that decides how one spine looks: resolved, so that drawing it twice gives the same bytes.
struct SpineDesign: Sendable, Equatable {
    /// Surface, whose size is the spine's in the design's pixels.
    var cover: Cover
    var pose: Pose
    /// Blocks that are printed, in reading order.
    var blocks: [TextBlock]
    var style = "plain"
    /// Least contrast of the title's ink with its background, 1…21 (WCAG 2.2).
    var contrast = 21.0
    var seed: UInt64 = 0

    /// The direction that the title runs in the image, or the first text when there is no title; nil without any text.
    var orientation: SampleOrientation? {
        let leading = blocks.first { $0.role == .title } ?? blocks.first
        return leading?.direction.seen(in: pose)
    }
}

/// Designer of spines in the typefaces of this machine.
struct SpineDesigner: Sendable {
    private let typefaces: [Typeface]

    init(typefaces: [Typeface]) throws(SynthesisError) {
        guard !typefaces.isEmpty else { throw .noFonts(packages: Set(Typeface.all.map(\.package)).sorted()) }
        self.typefaces = typefaces
    }

    func design(_ plan: SpinePlan) -> SpineDesign {
        var generator = SplitMix64(state: plan.seed)
        let (recipe, book) = (plan.recipe, plan.book)
        let thickness = generator.number(in: recipe.thickness)
        // 17 pixels for each letter of the title and the author keep the smallest letters that are drawn above 12
        // pixels.
        let isAlong = recipe.layout == .along || recipe.layout == .sideBySide
        let needed = isAlong ? 17 * Double(book.title.count + book.author.count / 2) : 0
        let length = max(500, min(1500, max(thickness * generator.number(in: recipe.slenderness), needed)))
        let cover = Cover(width: thickness, height: length, for: recipe, &generator)
        let layout = SpineLayout(
            book: book,
            recipe: recipe,
            typefaces: typefaces,
            cover: cover,
            Typesetter(),
            generator.split()
        )
        return SpineDesign(
            cover: layout.cover,
            pose: recipe.pose,
            blocks: layout.blocks,
            style: layout.style,
            contrast: layout.contrast,
            seed: generator.next()
        )
    }

    /// Returns titles and authors among `books` that none of the typefaces can write.
    func unwritable(_ books: [Book]) -> [String] {
        let typesetter = Typesetter()
        return books.flatMap { [$0.title, $0.author] }.filter { text in
            !text.isEmpty && !typefaces.contains { typesetter.canWrite(text, in: $0) }
        }
    }
}

/// Line of text in a picture.
struct DrawnLine: Sendable, Equatable {
    var text: String
    var role: LineRole
    /// The box around the ink, in the picture's pixels; corners as a reader of the text sees them.
    var quad: Quad
    /// The family that the text was drawn with, which is another than asked for when that is not installed.
    var font: String
    /// The font size in pixels.
    var size: Double

    /// Returns the line with its corners elsewhere, and its letters `scale` times as large.
    func moved(scale: Double, _ move: (Point) -> Point) -> DrawnLine {
        DrawnLine(text: text, role: role, quad: quad.mapped(move), font: font, size: size * scale)
    }
}

/// Spine in a flat picture, head up but for its turn.
struct PlacedSpine: Sendable, Equatable {
    var design: SpineDesign
    var centre: Point
    /// Clockwise turn in radians, relative to a spine with its head up.
    var turn = 0.0
    /// Pixels of the picture for each of the design.
    var scale = 1.0

    /// Returns the picture's point for one of the design.
    func onPicture(_ point: Point) -> Point {
        let (x, y) = ((point.x - design.cover.width / 2) * scale, (point.y - design.cover.height / 2) * scale)
        return Point(x: centre.x + x * cos(turn) - y * sin(turn), y: centre.y + x * sin(turn) + y * cos(turn))
    }

    /// Corners of the spine, clockwise from its head's left one.
    var corners: [Point] { design.cover.box.quad.corners.map(onPicture) }

    /// The outline, clockwise from the corner that is nearest to the picture's top left.
    var outline: Quad {
        let quarters = ((Int((turn / (.pi / 2)).rounded()) % 4) + 4) % 4
        return Quad(corners: corners, from: (4 - quarters) % 4)
    }

    /// Draws the spine in its light, and returns its printed lines in reading order, in the picture's pixels.
    func paint(on canvas: Canvas, _ light: SpineLight) throws(SynthesisError) -> [DrawnLine] {
        var lines: [DrawnLine] = []
        let box = design.cover.box
        try canvas.placed(box, at: centre, turn: turn, scale: scale) { () throws(SynthesisError) in
            try paintCover(on: canvas)
            let typesetter = Typesetter()
            for block in design.blocks { lines += try paint(block, on: canvas, typesetter) }
            light.paint(over: box, on: canvas)
        }
        return lines.map { $0.moved(scale: scale, onPicture) }
    }

    private func paintCover(on canvas: Canvas) throws(SynthesisError) {
        let cover = design.cover
        var generator = SplitMix64(state: design.seed)
        canvas.fill(cover.box, gradient: cover.colours, down: true)
        if cover.isPicture {
            let side = generator.number(in: 0.15...0.5) * cover.width
            try canvas.noise(in: cover.box, cellWidth: side, cellHeight: side) {
                (generator.chance(0.5) ? .white : .black, 1.6 * Cover.blobs * generator.nextDouble())
            }
        }
        for mark in cover.marks { canvas.draw(mark.shape, in: mark.box, mark.colour, lineWidth: mark.lineWidth) }
        guard cover.grain > 0 else { return }
        for side in [2.5, 9] {
            try canvas.noise(in: cover.box, cellWidth: side, cellHeight: side) {
                (generator.chance(0.5) ? .white : .black, 0.2 * cover.grain * generator.nextDouble())
            }
        }
    }

    private func paint(
        _ block: TextBlock,
        on canvas: Canvas,
        _ typesetter: Typesetter
    ) throws(SynthesisError) -> [DrawnLine] {
        let (frame, lines) = try block.set(typesetter)
        return lines.map { line in
            for (outline, corner) in line.pieces {
                canvas.draw(outline, block.effect, ink: block.ink, frame: frame, corner: corner, scale: line.scale)
            }
            return DrawnLine(
                text: line.text,
                role: block.role,
                quad: line.box.quad.mapped(frame.onSpine),
                font: line.pieces.first?.outline.family ?? "",
                size: line.scale * Typesetter.nominalSize
            )
        }
    }
}
