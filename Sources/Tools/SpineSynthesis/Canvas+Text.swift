import CPangoCairo
import Imaging

/// A box in a canvas's units.
struct Box: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}

extension Canvas {
    /// Draws a text's outlines, `scale` times their nominal size, their ink's top left corner at (`x`, `y`) of `frame`.
    ///
    /// Letters are `stretch` times as wide as they are made.
    func draw(
        _ outline: TextOutline,
        _ effect: TextBlock.Effect,
        ink: Colour,
        stretch: Double,
        frame: ReadingFrame,
        x: Double,
        y: Double,
        scale: Double
    ) {
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_translate(context, frame.centre.x, frame.centre.y)
        cairo_rotate(context, frame.angle)
        cairo_translate(context, x, y)
        cairo_scale(context, scale * stretch, scale)
        cairo_translate(context, -outline.ink.x, -outline.ink.y)

        func glyphs(_ colour: Colour, offset: Double = 0, lineWidth: Double? = nil, opacity: Double = 1) {
            let shift = offset * Typesetter.nominalSize
            cairo_new_path(context)
            cairo_translate(context, shift, shift)
            cairo_append_path(context, outline.path)
            cairo_translate(context, -shift, -shift)
            paintPath(colour, lineWidth: lineWidth.map { $0 * Typesetter.nominalSize }, opacity: opacity)
        }
        switch effect {
        case .plain: glyphs(ink)
        case .outlined(let colour, let width):
            glyphs(colour, lineWidth: 2 * width)
            glyphs(ink)
        case .hollow(let width): glyphs(ink, lineWidth: width)
        case .shadowed(let colour, let offset):
            glyphs(colour, offset: offset, opacity: 0.85)
            glyphs(ink)
        case .glowing(let colour):
            for width in [0.24, 0.16, 0.09] { glyphs(colour, lineWidth: width, opacity: 0.3) }
            glyphs(ink)
        case .foil(let darkest, let brightest):
            fill(outline, [darkest, ink, brightest, ink, darkest], slanted: true)
        case .graded(let colour): fill(outline, [ink, colour], slanted: false)
        case .embossed(let offset):
            glyphs(.white, offset: -offset, opacity: 0.55)
            glyphs(.black, offset: offset, opacity: 0.55)
            glyphs(ink)
        }
    }

    /// Fills letters with a gradient through evenly spaced colours: from top to bottom, or from corner to corner.
    private func fill(_ outline: TextOutline, _ colours: [Colour], slanted: Bool) {
        let ink = outline.ink
        let end = Point(x: slanted ? ink.x + ink.width : ink.x, y: ink.y + ink.height)
        withGradient(from: Point(x: ink.x, y: ink.y), to: end, colours) {
            cairo_new_path(context)
            cairo_append_path(context, outline.path)
        }
    }
}
