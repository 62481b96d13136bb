import CPangoCairo
import Imaging

struct Box: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}

extension Box {
    var centre: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// Creates the box of a part of a spine: head (0) to foot (1), left edge (0) to right edge (1).
    init(along: ClosedRange<Double>, across: ClosedRange<Double>, thickness: Double, length: Double) {
        x = across.lowerBound * thickness
        y = along.lowerBound * length
        width = across.span * thickness
        height = along.span * length
    }

    func inset(by border: Double) -> Box {
        Box(x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border)
    }
}

extension ClosedRange<Double> {
    var span: Double { upperBound - lowerBound }
    var middle: Double { (lowerBound + upperBound) / 2 }

    static func / (range: Self, divisor: Double) -> Self { range.lowerBound / divisor...range.upperBound / divisor }
    static func * (range: Self, factor: Double) -> Self { range.lowerBound * factor...range.upperBound * factor }
    static func + (range: Self, distance: Double) -> Self { range.lowerBound + distance...range.upperBound + distance }
}

/// An RGB drawing surface in pixels, origin top left, y down: Cairo's image surface behind a safe interface.
final class Canvas {
    let width: Int
    let height: Int
    private let surface: OpaquePointer
    /// Lent to the extensions of this type only.
    let context: OpaquePointer

    /// Creates a black canvas.
    init(width: Int, height: Int) throws(SynthesisError) {
        let size = (Int32(clamping: width), Int32(clamping: height))
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.0, size.1) else {
            throw .canvas(width: width, height: height, status: "out of memory")
        }
        guard let context = cairo_create(surface), cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            let status = String(cString: cairo_status_to_string(cairo_surface_status(surface)))
            cairo_surface_destroy(surface)
            throw .canvas(width: width, height: height, status: status)
        }
        (self.width, self.height, self.surface, self.context) = (width, height, surface, context)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    func translate(x: Double, y: Double) { cairo_translate(context, x, y) }

    func fill(_ box: Box, _ colour: Colour, opacity: Double = 1) {
        setSource(colour, opacity: opacity)
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_fill(context)
    }

    /// Fills a box with a gradient that runs down, or to the right, through evenly spaced colours.
    func fill(_ box: Box, gradient colours: [Colour], opacities: [Double]? = nil, down: Bool) {
        let end = down ? Point(x: box.x, y: box.y + box.height) : Point(x: box.x + box.width, y: box.y)
        withGradient(from: Point(x: box.x, y: box.y), to: end, colours, opacities: opacities) {
            cairo_rectangle(context, box.x, box.y, box.width, box.height)
        }
    }

    /// Draws a shadow: black of evenly spaced opacities, down or to the right.
    func shade(_ box: Box, _ opacities: [Double], down: Bool) {
        fill(box, gradient: opacities.map { _ in .black }, opacities: opacities, down: down)
    }

    /// Fills the path that `path` makes with a gradient through evenly spaced colours.
    func withGradient(
        from start: Point,
        to end: Point,
        _ colours: [Colour],
        opacities: [Double]? = nil,
        _ path: () -> Void
    ) {
        let pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
        defer { cairo_pattern_destroy(pattern) }
        for (index, colour) in colours.enumerated() {
            let (position, opacity) = (Double(index) / Double(max(colours.count - 1, 1)), opacities?[index] ?? 1)
            cairo_pattern_add_color_stop_rgba(pattern, position, colour.red, colour.green, colour.blue, opacity)
        }
        cairo_set_source(context, pattern)
        path()
        cairo_fill(context)
    }

    func softDisc(x: Double, y: Double, radius: Double, _ colour: Colour, opacity: Double, softness: Double) {
        let pattern = cairo_pattern_create_radial(x, y, radius * (1 - softness), x, y, radius)
        cairo_pattern_add_color_stop_rgba(pattern, 0, colour.red, colour.green, colour.blue, opacity)
        cairo_pattern_add_color_stop_rgba(pattern, 1, colour.red, colour.green, colour.blue, 0)
        cairo_set_source(context, pattern)
        cairo_arc(context, x, y, radius, 0, 2 * .pi)
        cairo_fill(context)
        cairo_pattern_destroy(pattern)
    }

    func turned<Failure: Error>(
        aboutX x: Double,
        y: Double,
        by turn: Double,
        _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_translate(context, x, y)
        cairo_rotate(context, turn)
        try body()
    }

    func clipped<Failure: Error>(to box: Box, _ body: () throws(Failure) -> Void) throws(Failure) {
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_clip(context)
        try body()
    }

    /// Draws a path, filled by the even-odd rule, or as a line of `lineWidth` pixels.
    func draw(_ path: [PathStep], _ colour: Colour, lineWidth: Double? = nil, opacity: Double = 1) {
        cairo_new_path(context)
        for step in path {
            switch step {
            case .move(let point): cairo_move_to(context, point.x, point.y)
            case .line(let point): cairo_line_to(context, point.x, point.y)
            case .curve(let first, let second, let end):
                cairo_curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
            case .ellipse(let box):
                cairo_save(context)
                cairo_translate(context, box.x + box.width / 2, box.y + box.height / 2)
                cairo_scale(context, max(box.width, 0.01) / 2, max(box.height, 0.01) / 2)
                cairo_new_sub_path(context)
                cairo_arc(context, 0, 0, 1, 0, 2 * .pi)
                cairo_close_path(context)
                cairo_restore(context)
            case .close: cairo_close_path(context)
            }
        }
        cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
        paintPath(colour, lineWidth: lineWidth, opacity: opacity)
        cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
    }

    func stroke(from start: Point, to end: Point, _ colour: Colour, lineWidth: Double, opacity: Double) {
        cairo_move_to(context, start.x, start.y)
        cairo_line_to(context, end.x, end.y)
        paintPath(colour, lineWidth: lineWidth, opacity: opacity)
    }

    func image() -> RasterImage {
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = cairo_image_surface_get_data(surface)
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { bytes, count in
            count = width * height * 3
            guard let data else { return bytes.initialize(repeating: 0) }
            var target = 0
            for y in 0..<height {
                let row = UnsafeRawPointer(data + y * stride)
                for x in 0..<width {
                    // A pixel is one 32-bit word in the machine's byte order: 0x00RRGGBB.
                    let word = row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                    bytes[target] = UInt8(truncatingIfNeeded: word >> 16)
                    bytes[target + 1] = UInt8(truncatingIfNeeded: word >> 8)
                    bytes[target + 2] = UInt8(truncatingIfNeeded: word)
                    target += 3
                }
            }
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: pixels)
    }

    func setSource(_ colour: Colour, opacity: Double) {
        cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, opacity)
    }

    /// Fills the current path, or draws it as a line, and forgets it.
    func paintPath(_ colour: Colour, lineWidth: Double?, opacity: Double) {
        setSource(colour, opacity: opacity)
        if let lineWidth {
            cairo_set_line_width(context, lineWidth)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke(context)
        } else {
            cairo_fill(context)
        }
    }
}

extension Canvas {
    /// Draws a part of an image, its middle at `centre`, turned clockwise by `turn` radians; half turns about a centre
    /// on the pixel grid copy pixel for pixel.
    func draw(_ image: RasterImage, part: Box, centre: Point, turn: Double) throws(SynthesisError) {
        let size = (Int32(clamping: image.width), Int32(clamping: image.height))
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.0, size.1),
            let data = cairo_image_surface_get_data(surface)
        else { throw .canvas(width: image.width, height: image.height, status: "out of memory") }
        defer { cairo_surface_destroy(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        image.pixels.withUnsafeBufferPointer { pixels in
            var pixel = 0
            for y in 0..<image.height {
                let row = UnsafeMutableRawPointer(data + y * stride)
                for x in 0..<image.width {
                    let word = UInt32(pixels[pixel]) << 16 | UInt32(pixels[pixel + 1]) << 8 | UInt32(pixels[pixel + 2])
                    row.storeBytes(of: word, toByteOffset: x * 4, as: UInt32.self)
                    pixel += 3
                }
            }
        }
        cairo_surface_mark_dirty(surface)
        turned(aboutX: centre.x, y: centre.y, by: turn) {
            let corner = (x: -part.width / 2, y: -part.height / 2)
            cairo_set_source_surface(context, surface, corner.x - part.x, corner.y - part.y)
            let pattern = cairo_get_source(context)
            cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
            // The edges of the part fade into its background by the share of the pixel that it covers, not into
            // black.
            cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
            cairo_rectangle(context, corner.x, corner.y, part.width, part.height)
            cairo_fill(context)
        }
    }
}

extension Canvas {
    /// Draws a text's outlines, `scale` times their nominal size and `stretch` times as wide, their ink's top left
    /// corner at (`x`, `y`) of `frame`.
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
