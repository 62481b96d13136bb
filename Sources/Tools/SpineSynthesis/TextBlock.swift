import CPangoCairo
import Imaging
import SpineDatasets

struct TextBlock: Sendable, Equatable {
    enum Direction: String, Sendable {
        case down
        case up
        case across

        /// Returns the orientation of the text in the image for a book in this pose.
        func seen(in pose: SpineSpecification.Pose) -> SampleOrientation {
            switch (self, pose) {
            case (.down, .standing), (.up, .upsideDown): .clockwise
            case (.up, .standing), (.down, .upsideDown), (.across, .lying): .counterclockwise
            case (.across, .standing), (.down, .lying): .upright
            case (.across, .upsideDown), (.up, .lying): .inverted
            }
        }
    }

    struct Row: Sendable, Equatable {
        /// Printed text, in the letter case that is drawn and labelled.
        var text: String
        var scale: Double = 1
        /// Ink of the line, if it differs from the block's; nil for the block's.
        var ink: Colour?
        /// Typeface of the line, if it differs from the block's; nil for the block's.
        var typeface: Typeface?
    }

    enum Arrangement: String, Sendable {
        case rows
        /// Upright, one below the other: each row's letters make a column, the columns one column.
        case letters
    }

    enum Effect: Sendable, Equatable {
        case plain
        /// Filled, with a line of another colour around; the width is a share of the font size.
        case outlined(Colour, width: Double)
        /// Outline of the letters alone, in the ink's colour.
        case hollow(width: Double)
        /// Letters with a copy behind them, moved right and down by a share of the font size.
        case shadowed(Colour, offset: Double)
        /// Metal foil: from the darkest through the ink to the brightest and back.
        case foil(darkest: Colour, brightest: Colour)
        /// Letters with a soft shine or shade around them.
        case glowing(Colour)
        /// Gradient from the ink at the top of the letters to another colour at their feet.
        case graded(Colour)
        /// Raised from the cover: a bright copy on one side, a dark one on the other.
        case embossed(offset: Double)
    }

    var role: LineRole
    var rows: [Row]
    var direction: Direction
    var arrangement: Arrangement = .rows
    /// Permitted range of the block, head (0) to foot (1).
    var along: ClosedRange<Double>
    /// Permitted range of the block, left edge (0) to right edge (1).
    var across: ClosedRange<Double>
    var typeface: Typeface
    var ink: Colour
    var effect: Effect = .plain
    /// Space added after each letter, as a share of the font size.
    var letterSpacing: Double = 0
    /// Small letters drawn as small capitals; the label keeps its small letters.
    var smallCapitals: Bool = false
    /// Size of each row's first letter relative to the others.
    var initialScale: Double = 1
    /// Width of the letters relative to the typeface's own, 0.5…2.
    var stretch: Double = 1
    /// Alignment of the rows in the free room in reading direction: 0 at its start, 0.5 in the middle, 1 at its end.
    var alignment: Double = 0.5
}

/// Plain text for people beside and on pictures, not on spines.
enum TextLabel {
    /// Returns a line of text of a font size in pixels as an RGB image, as large as the text and a small margin.
    static func image(
        _ text: String,
        size: Int,
        colour: Colour,
        background: Colour
    ) throws(SynthesisError) -> RasterImage {
        let probe = try Canvas(width: 1, height: 1)
        var (width, height): (Int32, Int32) = (0, 0)
        withLayout(text, size: size, on: probe) { pango_layout_get_pixel_size($0, &width, &height) }
        let margin = max(1, size / 4)
        let canvas = try Canvas(width: max(1, Int(width)) + 2 * margin, height: max(1, Int(height)))
        canvas.fill(Box(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height)), background)
        withLayout(text, size: size, on: canvas) { layout in
            canvas.setSource(colour, opacity: 1)
            cairo_move_to(canvas.context, Double(margin), 0)
            pango_cairo_show_layout(canvas.context, layout)
        }
        return canvas.image()
    }

    private static func withLayout(_ text: String, size: Int, on canvas: Canvas, _ body: (OpaquePointer?) -> Void) {
        FontLibrary.shared.use { map in
            let context = pango_font_map_create_context(map)
            defer { g_object_unref(context.map { UnsafeMutableRawPointer($0) }) }
            pango_cairo_update_context(canvas.context, context)
            let layout = pango_layout_new(context)
            defer { g_object_unref(layout.map { UnsafeMutableRawPointer($0) }) }
            let font = pango_font_description_from_string("DejaVu Sans")
            defer { pango_font_description_free(font) }
            pango_font_description_set_absolute_size(font, Double(size) * Double(PANGO_SCALE))
            pango_layout_set_font_description(layout, font)
            pango_layout_set_text(layout, text, -1)
            body(layout)
        }
    }
}
