internal import CPangoCairo
package import Raster

/// Plain type for people to read: what is written beside and on pictures, not on spines.
package enum TextLabel {
    /// One line of text as an RGB image, as large as the text and a small margin.
    ///
    /// - Parameters:
    ///   - text: Any text; letters that no installed font has become boxes.
    ///   - size: Font size in pixels.
    ///   - colour: Of the letters.
    ///   - background: Behind them.
    /// - Returns: The image.
    /// - Throws: `SynthesisError.canvas` when the text is too long to be drawn (32767 pixels).
    package static func image(
        _ text: String,
        size: Int,
        colour: Colour,
        background: Colour
    ) throws(SynthesisError) -> RasterImage {
        let (width, height) = try extent(of: text, size: size)
        let margin = max(1, size / 4)
        let canvas = try Canvas(width: width + 2 * margin, height: height)
        canvas.fill(x: 0, y: 0, width: Double(canvas.width), height: Double(height), background)
        withLayout(text, size: size, on: canvas) { layout in
            canvas.setSource(colour, opacity: 1)
            cairo_move_to(canvas.context, Double(margin), 0)
            pango_cairo_show_layout(canvas.context, layout)
        }
        return canvas.image()
    }

    private static func extent(of text: String, size: Int) throws(SynthesisError) -> (width: Int, height: Int) {
        let canvas = try Canvas(width: 1, height: 1)
        var (width, height): (Int32, Int32) = (0, 0)
        withLayout(text, size: size, on: canvas) { pango_layout_get_pixel_size($0, &width, &height) }
        return (max(1, Int(width)), max(1, Int(height)))
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
