import Foundation
import Imaging

/// Painter of a flat, evenly lit, upright spine, with a margin of its surroundings.
struct SpinePainter {
    let specification: SpineSpecification
    /// Pixels around the spine on each side.
    let margin: Double

    private var thickness: Double { Double(specification.thickness) }
    private var length: Double { Double(specification.length) }

    init(_ specification: SpineSpecification) {
        self.specification = specification
        margin = (0.14 * Double(specification.thickness) + 8).rounded()
    }

    /// Returns the flat picture, its size that of the spine and its margins; and the printed lines in reading order,
    /// their quads in that picture's pixels.
    ///
    /// Lines that a sticker hides are omitted.
    func paint(_ generator: inout SeededGenerator) throws(SynthesisError) -> (RasterImage, [RenderedSpine.Line]) {
        let canvas = try Canvas(width: Int(thickness + 2 * margin), height: Int(length + 2 * margin))
        let surroundings = SpineSurroundings(specification: specification, margin: margin)
        let typesetter = Typesetter()
        var lines: [RenderedSpine.Line] = []
        surroundings.draw(on: canvas, &generator)
        canvas.translate(x: margin, y: margin)
        try canvas.clipped(to: Box(x: 0, y: 0, width: thickness, height: length)) { () throws(SynthesisError) in
            drawCover(on: canvas, &generator)
            for block in specification.blocks { lines += try draw(block, on: canvas, typesetter) }
            lines.removeAll { isHidden($0.quad) }
            for sticker in specification.stickers { lines += try draw(sticker, on: canvas, typesetter) }
        }
        surroundings.drawGaps(on: canvas)
        var image = canvas.image()
        let area = CoverArea(left: Int(margin), top: Int(margin), width: Int(thickness), height: Int(length))
        CoverGrain(cover: specification.cover, area: area).apply(to: &image, &generator)
        CoverWear(cover: specification.cover, area: area).apply(to: &image, &generator)
        return (image, lines.map { $0.moved { Point(x: $0.x + margin, y: $0.y + margin) } })
    }

    // MARK: Cover

    private func drawCover(on canvas: Canvas, _ generator: inout SeededGenerator) {
        let cover = specification.cover
        canvas.fill(Box(x: 0, y: 0, width: thickness, height: length), gradient: cover.stops, down: !cover.runsAcross)
        if cover.material == .picture { drawBlobs(on: canvas, &generator) }
        for mark in cover.marks { draw(mark, on: canvas) }
        for rib in cover.ribs { drawRib(at: rib * length, on: canvas) }
    }

    private func drawBlobs(on canvas: Canvas, _ generator: inout SeededGenerator) {
        let cover = specification.cover
        for _ in 0..<Int(12 + 4 * length / thickness) {
            let tint: Colour = generator.chance(0.5) ? .white : .black
            canvas.softDisc(
                x: generator.unit() * thickness,
                y: generator.unit() * length,
                radius: thickness * generator.number(in: 0.1...0.6),
                cover.colour.mixed(with: tint, share: generator.number(in: 0.1...0.55)),
                opacity: 0.45 + 0.35 * cover.grain,
                softness: generator.number(in: 0.15...0.9)
            )
        }
    }

    private func draw(_ mark: Mark, on canvas: Canvas) {
        canvas.turned(aboutX: mark.across * thickness, y: mark.along * length, by: mark.turn) {
            canvas.draw(
                Mark.outline(of: mark.shape, width: mark.width * thickness, height: mark.height * thickness),
                mark.colour,
                lineWidth: mark.lineWidth.map { max(1, $0 * thickness) },
                opacity: mark.opacity
            )
        }
    }

    /// Draws a cord under the leather: lit from the head, in shade towards the foot.
    private func drawRib(at y: Double, on canvas: Canvas) {
        let height = 0.09 * thickness
        canvas.fill(
            Box(x: 0, y: y - height / 2, width: thickness, height: height),
            gradient: [.white, .white, .black, .black],
            opacities: [0, 0.28, 0.1, 0.45],
            down: true
        )
        canvas.shade(Box(x: 0, y: y + height / 2, width: thickness, height: height * 0.6), [0.4, 0], down: true)
    }

    // MARK: Text

    /// Draws a block, and returns its lines with their quads on the spine.
    private func draw(
        _ block: TextBlock,
        on canvas: Canvas,
        _ typesetter: Typesetter
    ) throws(SynthesisError) -> [RenderedSpine.Line] {
        let (frame, lines) = try TextSetter(block: block, thickness: thickness, length: length).set(with: typesetter)
        return lines.map { line in
            for piece in line.pieces {
                canvas.draw(
                    piece.outline,
                    block.effect,
                    ink: line.row.ink ?? block.ink,
                    stretch: block.stretch,
                    frame: frame,
                    x: piece.x,
                    y: piece.y,
                    scale: line.scale
                )
            }
            return RenderedSpine.Line(
                text: line.row.text,
                role: block.role,
                quad: frame.onSpine(line.box),
                font: line.pieces.first?.outline.family ?? "",
                size: line.scale * Typesetter.nominalSize
            )
        }
    }

    private func isHidden(_ quad: Quad) -> Bool {
        let bounds = (quad.corners.map(\.x), quad.corners.map(\.y))
        let (left, right) = (bounds.0.min() ?? 0, bounds.0.max() ?? 0)
        let (top, bottom) = (bounds.1.min() ?? 0, bounds.1.max() ?? 0)
        let hidden = specification.stickers.map { sticker in
            let wide =
                min(right, sticker.across.upperBound * thickness) - max(left, sticker.across.lowerBound * thickness)
            let tall = min(bottom, sticker.along.upperBound * length) - max(top, sticker.along.lowerBound * length)
            return max(0, wide) * max(0, tall)
        }
        return hidden.reduce(0, +) > Sticker.hidingShare * (right - left) * (bottom - top)
    }

    private func draw(
        _ sticker: Sticker,
        on canvas: Canvas,
        _ typesetter: Typesetter
    ) throws(SynthesisError) -> [RenderedSpine.Line] {
        let (x, y) = (sticker.across.lowerBound * thickness, sticker.along.lowerBound * length)
        let width = (sticker.across.upperBound - sticker.across.lowerBound) * thickness
        let height = (sticker.along.upperBound - sticker.along.lowerBound) * length
        let middle = Point(x: x + width / 2, y: y + height / 2)
        var lines: [RenderedSpine.Line] = []
        try canvas.turned(aboutX: middle.x, y: middle.y, by: sticker.turn) { () throws(SynthesisError) in
            canvas.translate(x: -middle.x, y: -middle.y)
            canvas.fill(Box(x: x + 1, y: y + 1.5, width: width, height: height), .black, opacity: 0.35)
            canvas.fill(Box(x: x, y: y, width: width, height: height), sticker.colour)
            for mark in sticker.marks { draw(mark, on: canvas) }
            for block in sticker.blocks { lines += try draw(block, on: canvas, typesetter) }
            if sticker.taped {
                let reach = 0.09 * thickness
                let tape = Box(x: -9, y: y - reach, width: thickness + 18, height: height + 2 * reach)
                canvas.fill(tape, .white, opacity: 0.1)
                canvas.fill(Box(x: -9, y: y - reach, width: thickness + 18, height: 1), .white, opacity: 0.35)
                canvas.fill(Box(x: -9, y: y + height + reach, width: thickness + 18, height: 1), .black, opacity: 0.3)
                canvas.fill(
                    Box(x: 0.12 * thickness, y: y - reach, width: 0.22 * thickness, height: height + 2 * reach),
                    gradient: [.white, .white, .white],
                    opacities: [0, 0.16, 0],
                    down: false
                )
            }
        }
        let (cosine, sine) = (cos(sticker.turn), sin(sticker.turn))
        return lines.map { line in
            line.moved { point in
                let (dx, dy) = (point.x - middle.x, point.y - middle.y)
                return Point(x: middle.x + dx * cosine - dy * sine, y: middle.y + dx * sine + dy * cosine)
            }
        }
    }
}
