import Foundation
import Imaging

struct SpinePainter {
    let specification: SpineSpecification
    let margin: Double

    private var thickness: Double { Double(specification.thickness) }
    private var length: Double { Double(specification.length) }

    init(_ specification: SpineSpecification) {
        self.specification = specification
        margin = (0.14 * Double(specification.thickness) + 8).rounded()
    }

    /// Returns the flat picture of the spine and its margins, and the printed lines that no sticker hides, in reading
    /// order, their quads in that picture's pixels.
    func paint(_ generator: inout SeededGenerator) throws(SynthesisError) -> (RasterImage, [RenderedSpine.Line]) {
        let canvas = try Canvas(width: Int(thickness + 2 * margin), height: Int(length + 2 * margin))
        let typesetter = Typesetter()
        var lines: [RenderedSpine.Line] = []
        drawSurroundings(on: canvas, &generator)
        canvas.translate(x: margin, y: margin)
        try canvas.clipped(to: Box(x: 0, y: 0, width: thickness, height: length)) { () throws(SynthesisError) in
            drawCover(on: canvas, &generator)
            for block in specification.blocks { lines += try draw(block, on: canvas, typesetter) }
            lines.removeAll { isHidden($0.quad) }
            for sticker in specification.stickers { lines += try draw(sticker, on: canvas, typesetter) }
        }
        drawGaps(on: canvas)
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
        let bounds = quad.corners.bounds
        let (left, right, top, bottom) = (bounds.left, bounds.right, bounds.top, bounds.bottom)
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
        let box = Box(along: sticker.along, across: sticker.across, thickness: thickness, length: length)
        let (x, y, width, height) = (box.x, box.y, box.width, box.height)
        let middle = box.centre
        var lines: [RenderedSpine.Line] = []
        try canvas.turned(aboutX: middle.x, y: middle.y, by: sticker.turn) { () throws(SynthesisError) in
            canvas.translate(x: -middle.x, y: -middle.y)
            canvas.fill(Box(x: x + 1, y: y + 1.5, width: width, height: height), .black, opacity: 0.35)
            canvas.fill(box, sticker.colour)
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

/// Surroundings of the spine: the neighbours, the wall above, the board below, and the gaps between.
extension SpinePainter {
    /// Draws everything behind the spine, whose corner is `margin` pixels from the canvas's own.
    private func drawSurroundings(on canvas: Canvas, _ generator: inout SeededGenerator) {
        var generator = generator.split()
        let camera = specification.camera
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let walls = [0.5, 0.8].map { camera.wall.mixed(with: .black, share: $0) }
        canvas.fill(Box(x: 0, y: 0, width: width, height: height), gradient: walls, down: true)
        draw(camera.leftNeighbour, x: 0, side: .left, on: canvas, &generator)
        draw(camera.rightNeighbour, x: margin + thickness, side: .right, on: canvas, &generator)
        let board = margin + length
        let strip = Box(x: 0, y: board, width: width, height: margin)
        canvas.fill(strip, gradient: [Colour(0x0C0B0B), camera.shelf, camera.shelf], down: true)
        for _ in 0..<Int(margin / 3) {
            let y = board + margin * generator.number(in: 0.2...1)
            canvas.stroke(
                from: Point(x: 0, y: y),
                to: Point(x: width, y: y + generator.number(in: -2...2)),
                camera.shelf.mixed(with: generator.chance(0.5) ? .black : .white, share: 0.4),
                lineWidth: generator.number(in: 0.4...1.2),
                opacity: 0.4
            )
        }
    }

    /// Draws the edge of the book beside: its cover turning away into the gap, bands, the border of its board.
    private func draw(
        _ neighbour: CameraSpecification.Neighbour,
        x: Double,
        side: CameraSpecification.Side,
        on canvas: Canvas,
        _ generator: inout SeededGenerator
    ) {
        let top = max(0, margin + length * (1 - neighbour.height))
        let height = margin + length - top
        let cover = Box(x: x, y: top, width: margin, height: height)
        canvas.fill(cover, neighbour.colour)
        for _ in 0..<generator.integer(in: 0...3) {
            let (place, tall) = (generator.number(in: 0...0.9), generator.number(in: 0.005...0.1))
            let band = Box(x: x, y: top + height * place, width: margin, height: height * tall)
            canvas.fill(band, neighbour.accent, opacity: generator.number(in: 0.4...1))
        }
        let inner = side == .left ? x + margin : x
        let edge = max(1, thickness * 0.015)
        let start = side == .left ? inner - 2.5 * edge : inner + 1.5 * edge
        let border = Box(x: start, y: top, width: edge, height: height)
        canvas.fill(border, neighbour.colour.mixed(with: .white, share: 0.5), opacity: 0.6)
        canvas.shade(cover, side == .left ? [0, 0.4] : [0.4, 0], down: false)
    }

    /// Draws the gaps to the neighbours, dark without light; drawn last, with the origin at the spine's corner.
    private func drawGaps(on canvas: Canvas) {
        let gap = max(1, thickness * 0.012)
        let shade = margin * 0.35
        let height = length + 2 * margin
        for side in [CameraSpecification.Side.left, .right] {
            let left = side == .left
            let fading = Box(x: left ? -shade : thickness, y: -margin, width: shade, height: height)
            canvas.shade(fading, left ? [0, 0.6] : [0.6, 0], down: false)
            canvas.fill(Box(x: left ? -gap : thickness, y: -margin, width: gap, height: height), .black, opacity: 0.7)
        }
    }
}
