import CPangoCairo
import Imaging
import SpineDatasets

/// Upright box, origin top left, y down.
struct Box: Sendable, Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var right: Double { x + width }
    var bottom: Double { y + height }
    var centre: Point { Point(x: x + width / 2, y: y + height / 2) }
    var quad: Quad { Quad(left: x, top: y, right: right, bottom: bottom) }

    func inset(by border: Double) -> Box {
        Box(x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border)
    }

    func overlaps(_ other: Box) -> Bool { x < other.right && right > other.x && y < other.bottom && bottom > other.y }

    func contains(_ other: Box) -> Bool {
        x <= other.x && right >= other.right && y <= other.y && bottom >= other.bottom
    }
}

extension [Point] {
    /// The least upright box around the points.
    var bounds: Box {
        let (xs, ys) = (map(\.x), map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return Box(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}

extension ClosedRange<Double> {
    var span: Double { upperBound - lowerBound }
    var middle: Double { (lowerBound + upperBound) / 2 }
}

/// An RGB drawing surface in pixels, origin top left, y down: Cairo's image surface behind a safe interface.
final class Canvas {
    let width: Int
    let height: Int
    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// Creates a black canvas.
    init(width: Int, height: Int) throws(SynthesisError) {
        let size = (Int32(clamping: width), Int32(clamping: height))
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.0, size.1),
            let context = cairo_create(surface)
        else { throw .drawing("Cairo is out of memory for \(width) × \(height) pixels") }
        (self.width, self.height, self.surface, self.context) = (width, height, surface, context)
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            let status = String(cString: cairo_status_to_string(cairo_surface_status(surface)))
            throw .drawing("Cairo cannot make a canvas of \(width) × \(height) pixels: \(status)")
        }
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Draws what `body` draws in a box, with the box's centre at `centre`, enlarged and then turned clockwise.
    func placed<Failure: Error>(
        _ box: Box,
        at centre: Point,
        turn: Double = 0,
        scale: Double = 1,
        _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_translate(context, centre.x, centre.y)
        cairo_rotate(context, turn)
        cairo_scale(context, scale, scale)
        cairo_translate(context, -box.centre.x, -box.centre.y)
        clip(to: box)
        try body()
    }

    private func clip(to box: Box) {
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_clip(context)
    }

    func fill(_ box: Box, _ colour: Colour, opacity: Double = 1) {
        setSource(colour, opacity: opacity)
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_fill(context)
    }

    /// Fills a box with a gradient that runs down, or to the right, through evenly spaced colours.
    func fill(_ box: Box, gradient colours: [Colour], opacities: [Double]? = nil, down: Bool) {
        let end = down ? Point(x: box.x, y: box.bottom) : Point(x: box.right, y: box.y)
        let pattern = cairo_pattern_create_linear(box.x, box.y, end.x, end.y)
        defer { cairo_pattern_destroy(pattern) }
        for (index, colour) in colours.enumerated() {
            let (position, opacity) = (Double(index) / Double(max(colours.count - 1, 1)), opacities?[index] ?? 1)
            cairo_pattern_add_color_stop_rgba(pattern, position, colour.red, colour.green, colour.blue, opacity)
        }
        cairo_set_source(context, pattern)
        cairo_rectangle(context, box.x, box.y, box.width, box.height)
        cairo_fill(context)
    }

    /// Multiplies all that is drawn by a gradient.
    func multiply(by colours: [Colour], down: Bool) {
        cairo_set_operator(context, CAIRO_OPERATOR_MULTIPLY)
        fill(Box(x: 0, y: 0, width: Double(width), height: Double(height)), gradient: colours, down: down)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }

    /// Draws a shadow: black of evenly spaced opacities, down or to the right.
    func shade(_ box: Box, _ opacities: [Double], down: Bool) {
        fill(box, gradient: opacities.map { _ in .black }, opacities: opacities, down: down)
    }

    /// Draws smooth noise over a box: a colour and an opacity for each cell of this size, blended from middle to
    /// middle.
    func noise(
        in box: Box,
        cellWidth: Double,
        cellHeight: Double,
        _ cell: () -> (colour: Colour, opacity: Double)
    ) throws(SynthesisError) {
        let columns = Int32(max(1, (box.width / cellWidth).rounded(.up))) + 1
        let rows = Int32(max(1, (box.height / cellHeight).rounded(.up))) + 1
        guard let cells = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows),
            let data = cairo_image_surface_get_data(cells)
        else { throw .drawing("Cairo is out of memory for noise of \(columns) × \(rows) cells") }
        defer { cairo_surface_destroy(cells) }
        let stride = Int(cairo_image_surface_get_stride(cells))
        for row in 0..<Int(rows) {
            for column in 0..<Int(columns) {
                let (colour, opacity) = cell()
                // A pixel is one 32-bit word in the machine's byte order: 0xAARRGGBB, colours times opacity.
                func byte(_ value: Double) -> UInt32 { UInt32((255 * value * opacity).rounded()) }
                let word = byte(1) << 24 | byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue)
                UnsafeMutableRawPointer(data + row * stride).storeBytes(
                    of: word,
                    toByteOffset: 4 * column,
                    as: UInt32.self
                )
            }
        }
        cairo_surface_mark_dirty(cells)
        cairo_save(context)
        defer { cairo_restore(context) }
        clip(to: box)
        cairo_translate(context, box.x - cellWidth / 2, box.y - cellHeight / 2)
        cairo_scale(context, cellWidth, cellHeight)
        cairo_set_source_surface(context, cells, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BILINEAR)
        cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
        cairo_paint(context)
    }

    /// Draws a shape filled, or as a line of `lineWidth` pixels.
    func draw(_ shape: Mark.Shape, in box: Box, _ colour: Colour, lineWidth: Double? = nil) {
        cairo_new_path(context)
        let centre = box.centre
        switch shape {
        case .box: cairo_rectangle(context, box.x, box.y, box.width, box.height)
        case .ellipse:
            cairo_save(context)
            cairo_translate(context, centre.x, centre.y)
            cairo_scale(context, max(box.width, 0.01) / 2, max(box.height, 0.01) / 2)
            cairo_arc(context, 0, 0, 1, 0, 2 * .pi)
            cairo_restore(context)
        case .star:
            for corner in Mark.star {
                cairo_line_to(context, centre.x + corner.x * box.width / 2, centre.y + corner.y * box.height / 2)
            }
            cairo_close_path(context)
        }
        paintPath(colour, lineWidth: lineWidth)
    }

    /// Draws a text's outlines, `scale` times their nominal size, their ink's top left corner at `corner` of `frame`.
    func draw(
        _ outline: TextOutline,
        _ effect: TextBlock.Effect,
        ink: Colour,
        frame: ReadingFrame,
        corner: Point,
        scale: Double
    ) {
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_translate(context, frame.centre.x, frame.centre.y)
        cairo_rotate(context, frame.angle)
        cairo_translate(context, corner.x, corner.y)
        cairo_scale(context, scale, scale)
        cairo_translate(context, -outline.ink.x, -outline.ink.y)
        func glyphs(_ colour: Colour, lineWidth: Double? = nil, opacity: Double = 1) {
            cairo_new_path(context)
            cairo_append_path(context, outline.path)
            paintPath(colour, lineWidth: lineWidth.map { $0 * Typesetter.nominalSize }, opacity: opacity)
        }
        switch effect {
        case .plain: break
        case .hollow(let width): return glyphs(ink, lineWidth: width)
        case .shaded(let colour): for width in [0.24, 0.16, 0.09] { glyphs(colour, lineWidth: width, opacity: 0.3) }
        }
        glyphs(ink)
    }

    private func setSource(_ colour: Colour, opacity: Double) {
        cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, opacity)
    }

    /// Fills the current path, or draws it as a line, and forgets it.
    private func paintPath(_ colour: Colour, lineWidth: Double?, opacity: Double = 1) {
        setSource(colour, opacity: opacity)
        if let lineWidth {
            cairo_set_line_width(context, lineWidth)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke(context)
        } else {
            cairo_fill(context)
        }
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
                    // 0x00RRGGBB.
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
}
