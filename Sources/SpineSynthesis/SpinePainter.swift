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
        let surroundings = SpineSurroundings(specification: specification, margin: margin)
        surroundings.draw(on: canvas, &generator)
        canvas.translate(x: margin, y: margin)
        drawCover(on: canvas, &generator)
        for ornament in specification.cover.ornaments { draw(ornament, on: canvas) }
        var lines: [RenderedSpine.Line] = []
        for block in specification.blocks {
            lines += try TextSetter(block: block, thickness: thickness, length: length, margin: margin).set(on: canvas)
        }
        surroundings.drawGaps(on: canvas)
        var image = canvas.image()
        let area = CoverArea(left: Int(margin), top: Int(margin), width: Int(thickness), height: Int(length))
        CoverGrain(cover: specification.cover, area: area).apply(to: &image, &generator)
        CoverWear(cover: specification.cover, area: area).apply(to: &image, &generator)
        return (image, lines)
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

    private func rectangle(x: Double, y: Double, width: Double, height: Double) -> [Point] {
        [
            Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
            Point(x: x, y: y + height),
        ]
    }
}
