import CPangoCairo
import Imaging

/// The outlines of a piece of text at `Typesetter.nominalSize` pixels.
final class TextOutline {
    /// Cairo's path, relative to the layout's origin; lent to the extensions of `Canvas` only.
    let path: UnsafeMutablePointer<cairo_path_t>?
    let ink: Box
    let family: String

    init(path: UnsafeMutablePointer<cairo_path_t>?, ink: Box, family: String) {
        (self.path, self.ink, self.family) = (path, ink, family)
    }

    deinit { cairo_path_destroy(path) }
}

/// Converter of text into outlines with Pango, cached from measuring to drawing.
final class Typesetter {
    /// Text is measured at this font size in pixels and scaled from there.
    static let nominalSize = 100.0

    /// Style of a text, which decides its shape besides its letters.
    struct Style: Hashable {
        var typeface: Typeface
        /// Space added after each letter, as a share of the font size.
        var letterSpacing: Double = 0
    }

    private struct Key: Hashable {
        var text: String
        var style: Style
    }

    /// Context for making paths, without limits: on a surface that has edges, Cairo omits the letters beyond them.
    private let drawing: OpaquePointer?
    private let context: OpaquePointer?
    private var outlines: [Key: TextOutline] = [:]

    init() {
        let unbounded = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nil)
        defer { cairo_surface_destroy(unbounded) }
        drawing = cairo_create(unbounded)
        context = FontLibrary.shared.use { pango_font_map_create_context($0) }
        // Hinting would make a letter's shape depend on the size of the canvas's pixels.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        FontLibrary.shared.use { _ in pango_cairo_update_context(drawing, context) }
    }

    deinit {
        FontLibrary.shared.use { _ in
            g_object_unref(context.map { UnsafeMutableRawPointer($0) })
            cairo_destroy(drawing)
        }
    }

    /// Returns the outlines of `text`.
    ///
    /// - Throws: `.missingGlyphs`, or `.drawing` when nothing of the text leaves a mark.
    func outline(of text: String, in style: Style) throws(SynthesisError) -> TextOutline {
        let key = Key(text: text, style: style)
        if let known = outlines[key] { return known }
        let outline = try FontLibrary.shared.use { (_) throws(SynthesisError) in try make(text, in: style) }
        outlines[key] = outline
        return outline
    }

    private func make(_ text: String, in style: Style) throws(SynthesisError) -> TextOutline {
        let layout = layout(text, in: style)
        defer { g_object_unref(layout.map { UnsafeMutableRawPointer($0) }) }
        guard pango_layout_get_unknown_glyphs_count(layout) == 0 else {
            throw .missingGlyphs(family: style.typeface.family, text: text)
        }
        cairo_new_path(drawing)
        pango_cairo_layout_path(drawing, layout)
        defer { cairo_new_path(drawing) }
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        cairo_path_extents(drawing, &left, &top, &right, &bottom)
        guard right > left, bottom > top else { throw .drawing("the text “\(text)” leaves no mark") }
        return TextOutline(
            path: cairo_copy_path(drawing),
            ink: Box(x: left, y: top, width: right - left, height: bottom - top),
            family: family(of: layout)
        )
    }

    func canWrite(_ text: String, in typeface: Typeface) -> Bool {
        FontLibrary.shared.use { _ in
            let layout = layout(String(Set(text).sorted()), in: Style(typeface: typeface))
            defer { g_object_unref(layout.map { UnsafeMutableRawPointer($0) }) }
            return pango_layout_get_unknown_glyphs_count(layout) == 0
        }
    }

    private func layout(_ text: String, in style: Style) -> OpaquePointer? {
        let layout = pango_layout_new(context)
        let font = pango_font_description_from_string("\(style.typeface.family), \(style.typeface.style)")
        pango_font_description_set_absolute_size(font, Self.nominalSize * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)

        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_fallback_new(0))
        if style.letterSpacing != 0 {
            let units = Int32(style.letterSpacing * Self.nominalSize * Double(PANGO_SCALE))
            pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(units))
        }
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
        return layout
    }

    private func family(of layout: OpaquePointer?) -> String {
        let font = pango_context_load_font(context, pango_layout_get_font_description(layout))
        defer { g_object_unref(font.map { UnsafeMutableRawPointer($0) }) }
        let description = pango_font_describe(font)
        defer { pango_font_description_free(description) }
        return pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
    }

    static func installedFamilies() -> Set<String> {
        guard SystemLibrary.pango.problem == nil else { return [] }
        return FontLibrary.shared.use { map in
            var families: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
            var count: Int32 = 0
            pango_font_map_list_families(map, &families, &count)
            defer { g_free(families) }
            return Set(
                (0..<Int(count)).compactMap { families?[$0] }.map { String(cString: pango_font_family_get_name($0)) }
            )
        }
    }
}
