import Foundation
import Raster

/// Draws a spine flat and evenly lit, standing, with a margin of its surroundings.
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

    /// The flat picture, its size that of the spine and its margins; and the printed lines in reading order, their quads in
    /// that picture's pixels.
    func paint(_ generator: inout SeededGenerator) throws(SynthesisError) -> (RasterImage, [RenderedSpine.Line]) {
        let canvas = try Canvas(width: Int(thickness + 2 * margin), height: Int(length + 2 * margin))
        drawSurroundings(on: canvas)
        canvas.translate(x: margin, y: margin)
        drawCover(on: canvas, &generator)
        for ornament in specification.cover.ornaments { draw(ornament, on: canvas) }
        var lines: [RenderedSpine.Line] = []
        for block in specification.blocks {
            lines += try TextSetter(block: block, thickness: thickness, length: length, margin: margin).set(on: canvas)
        }
        drawWear(on: canvas, &generator)
        drawEdges(on: canvas)
        var picture = Picture(canvas.image())
        CoverGrain(cover: specification.cover, thickness: thickness, length: length, margin: margin)
            .apply(to: &picture, &generator)
        return (picture.image, lines)
    }

    private func drawSurroundings(on canvas: Canvas) {
        let camera = specification.camera
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let dark = Colour(0x0C0B0B)
        canvas.fill(x: 0, y: 0, width: width, height: height, dark)
        canvas.fill(x: 0, y: 0, width: margin, height: height, camera.leftNeighbour)
        canvas.fill(x: margin + thickness, y: 0, width: margin, height: height, camera.rightNeighbour)
        canvas.fill(
            x: 0,
            y: margin + length,
            width: width,
            height: margin,
            gradient: [dark, camera.shelf],
            down: true
        )
    }

    private func drawCover(on canvas: Canvas, _ generator: inout SeededGenerator) {
        let cover = specification.cover
        canvas.fill(
            x: 0,
            y: 0,
            width: thickness,
            height: length,
            gradient: [cover.colour, cover.footColour],
            down: true
        )
        if cover.material == .picture {
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
        for band in cover.bands {
            canvas.fill(
                x: 0,
                y: band.along.lowerBound * length,
                width: thickness,
                height: (band.along.upperBound - band.along.lowerBound) * length,
                band.colour
            )
        }
    }

    private func draw(_ ornament: Cover.Ornament, on canvas: Canvas) {
        let (x, y) = (thickness / 2, ornament.along * length)
        let half = ornament.size * thickness / 2
        let colour = ornament.colour
        switch ornament.shape {
        case .disc:
            canvas.circle(x: x, y: y, radius: half, colour)
        case .ring:
            canvas.circle(x: x, y: y, radius: half, colour, lineWidth: half * 0.25)
            canvas.circle(x: x, y: y, radius: half * 0.4, colour)
        case .lozenge:
            canvas.polygon(
                [
                    Point(x: x, y: y - half), Point(x: x + half * 0.7, y: y), Point(x: x, y: y + half),
                    Point(x: x - half * 0.7, y: y),
                ],
                colour
            )
        case .block:
            canvas.polygon(rectangle(x: x - half, y: y - half, width: 2 * half, height: 2 * half), colour)
            canvas.polygon(
                [
                    Point(x: x - half * 0.5, y: y + half * 0.5), Point(x: x, y: y - half * 0.6),
                    Point(x: x + half * 0.5, y: y + half * 0.5),
                ],
                colour.luminance > 0.3 ? .black : .white
            )
        case .rule:
            canvas.fill(x: 0, y: y - half, width: thickness, height: 2 * half, colour)
        case .frame:
            let inset = ornament.size * thickness
            canvas.polygon(
                rectangle(x: inset, y: inset, width: thickness - 2 * inset, height: length - 2 * inset),
                colour,
                lineWidth: max(1, thickness / 70)
            )
        }
    }

    private func drawWear(on canvas: Canvas, _ generator: inout SeededGenerator) {
        let wear = specification.cover.wear
        let light = specification.cover.colour.mixed(with: .white, share: 0.6)
        // Creases: paperbacks fold along the spine where they were opened.
        for _ in 0..<Int((wear * 4).rounded()) {
            let x = generator.unit() * thickness
            let start = generator.unit() * length * 0.6
            canvas.stroke(
                from: Point(x: x, y: start),
                to: Point(
                    x: x + generator.number(in: -2...2),
                    y: start + generator.number(in: 0.15...0.6) * length
                ),
                light,
                lineWidth: generator.number(in: 0.6...1.4),
                opacity: 0.3 * wear
            )
        }
        // Rubbed edges, head and foot.
        for _ in 0..<Int(wear * 60) {
            let atEdge = generator.chance(0.7)
            let x = atEdge ? (generator.chance(0.5) ? 0 : thickness) : generator.unit() * thickness
            let y = atEdge ? generator.unit() * length : (generator.chance(0.5) ? 0 : length)
            canvas.softDisc(
                x: x,
                y: y,
                radius: thickness * generator.number(in: 0.01...0.06),
                light,
                opacity: 0.55 * wear,
                softness: 0.9
            )
        }
    }

    /// The gaps to the neighbours, dark where no light gets in.
    private func drawEdges(on canvas: Canvas) {
        let gap = max(1.5, thickness * 0.02)
        let shade = margin * 0.7
        let (top, height) = (-margin, length + 2 * margin)
        canvas.fill(
            x: -shade,
            y: top,
            width: shade,
            height: height,
            gradient: [.black, .black],
            opacities: [0, 0.75],
            down: false
        )
        canvas.fill(
            x: thickness,
            y: top,
            width: shade,
            height: height,
            gradient: [.black, .black],
            opacities: [0.75, 0],
            down: false
        )
        canvas.fill(x: -gap, y: top, width: gap, height: height, .black, opacity: 0.8)
        canvas.fill(x: thickness, y: top, width: gap, height: height, .black, opacity: 0.8)
    }

    private func rectangle(x: Double, y: Double, width: Double, height: Double) -> [Point] {
        [
            Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
            Point(x: x, y: y + height),
        ]
    }
}
