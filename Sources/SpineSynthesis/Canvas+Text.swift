import CPangoCairo

/// A box in a canvas's units.
struct Box: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}

/// What a row of text measures, at `Canvas.nominalSize` pixels and before any stretching.
struct RowMeasure {
    /// The ink, relative to the layout's origin.
    var ink: Box
    /// The font family that was found.
    var family: String
}

extension Canvas {
    /// Text is measured at this font size in pixels and scaled from there.
    static let nominalSize = 100.0

    /// The extent of `text` as `block` sets it.
    ///
    /// - Throws: `SynthesisError.missingGlyphs` when the typeface lacks a character, `.specification` when nothing of the
    ///   text leaves a mark.
    func measure(_ text: String, in block: TextBlock) throws(SynthesisError) -> RowMeasure {
        let layout = try layout(text, in: block)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        guard pango_layout_get_unknown_glyphs_count(layout) == 0 else {
            throw .missingGlyphs(family: block.typeface.family, text: text)
        }
        let outlines = outlines(of: layout)
        defer { cairo_path_destroy(outlines) }
        cairo_new_path(context)
        cairo_append_path(context, outlines)
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        cairo_path_extents(context, &left, &top, &right, &bottom)
        cairo_new_path(context)
        guard right > left, bottom > top else {
            throw .specification("the text “\(text)” leaves no mark")
        }
        return RowMeasure(
            ink: Box(x: left, y: top, width: right - left, height: bottom - top),
            family: foundFamily(of: layout)
        )
    }

    /// Draws `text`, `scale` times its nominal size, its ink's top left corner at (`x`, `y`) of a frame of its own.
    ///
    /// The frame has its origin at (`originX`, `originY`) of the canvas and is turned clockwise by `angle` radians.
    func draw(
        _ text: String,
        in block: TextBlock,
        ink: Box,
        originX: Double,
        originY: Double,
        angle: Double,
        x: Double,
        y: Double,
        scale: Double
    ) throws(SynthesisError) {
        let layout = try layout(text, in: block)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let outlines = outlines(of: layout)
        defer { cairo_path_destroy(outlines) }
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_translate(context, originX, originY)
        cairo_rotate(context, angle)
        cairo_translate(context, x, y)
        cairo_scale(context, scale * block.stretch, scale)
        cairo_translate(context, -ink.x, -ink.y)
        paint(outlines, block, ink)
    }

    /// The letters' outlines at the nominal size; the caller releases them.
    private func outlines(of layout: OpaquePointer) -> UnsafeMutablePointer<cairo_path_t>? {
        cairo_new_path(typesetting)
        pango_cairo_layout_path(typesetting, layout)
        defer { cairo_new_path(typesetting) }
        return cairo_copy_path(typesetting)
    }

    private func paint(_ outlines: UnsafeMutablePointer<cairo_path_t>?, _ block: TextBlock, _ ink: Box) {
        func glyphs(_ colour: Colour, offset: Double = 0, lineWidth: Double? = nil, opacity: Double = 1) {
            let shift = offset * Self.nominalSize
            cairo_new_path(context)
            cairo_translate(context, shift, shift)
            cairo_append_path(context, outlines)
            cairo_translate(context, -shift, -shift)
            paintPath(colour, lineWidth: lineWidth.map { $0 * Self.nominalSize }, opacity: opacity)
        }
        switch block.effect {
        case .plain:
            glyphs(block.ink)
        case .outlined(let colour, let width):
            glyphs(colour, lineWidth: 2 * width)
            glyphs(block.ink)
        case .hollow(let width):
            glyphs(block.ink, lineWidth: width)
        case .shadowed(let colour, let offset):
            glyphs(colour, offset: offset, opacity: 0.85)
            glyphs(block.ink)
        case .foil(let darkest, let brightest):
            cairo_new_path(context)
            cairo_append_path(context, outlines)
            let pattern = cairo_pattern_create_linear(ink.x, ink.y, ink.x + ink.width, ink.y + ink.height)
            for (index, colour) in [darkest, block.ink, brightest, block.ink, darkest].enumerated() {
                cairo_pattern_add_color_stop_rgb(pattern, Double(index) / 4, colour.red, colour.green, colour.blue)
            }
            cairo_set_source(context, pattern)
            cairo_fill(context)
            cairo_pattern_destroy(pattern)
        case .embossed(let offset):
            glyphs(.white, offset: -offset, opacity: 0.55)
            glyphs(.black, offset: offset, opacity: 0.55)
            glyphs(block.ink)
        }
    }

    /// A layout that the caller releases.
    private func layout(_ text: String, in block: TextBlock) throws(SynthesisError) -> OpaquePointer {
        guard let layout = pango_cairo_create_layout(typesetting) else {
            throw .canvas(width: width, height: height, status: "Pango made no layout")
        }
        let font = pango_font_description_from_string("\(block.typeface.family), \(block.typeface.style)")
        pango_font_description_set_absolute_size(font, Self.nominalSize * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)

        // Hinting would make a letter's shape depend on the size of the canvas's pixels.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(pango_layout_get_context(layout), options)
        cairo_font_options_destroy(options)

        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_fallback_new(0))
        if block.letterSpacing != 0 {
            let units = Int32(block.letterSpacing * Self.nominalSize * Double(PANGO_SCALE))
            pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(units))
        }
        if block.smallCapitals {
            pango_attr_list_insert(attributes, pango_attr_variant_new(PANGO_VARIANT_SMALL_CAPS))
        }
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
        return layout
    }

    private func foundFamily(of layout: OpaquePointer) -> String {
        guard
            let font = pango_context_load_font(
                pango_layout_get_context(layout),
                pango_layout_get_font_description(layout)
            )
        else { return "" }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        let description = pango_font_describe(font)
        defer { pango_font_description_free(description) }
        return pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
    }

    /// The names of the font families on this machine.
    static func installedFamilies() -> Set<String> {
        var families: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
        var count: Int32 = 0
        pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &count)
        defer { g_free(families) }
        return Set(
            (0..<Int(count)).compactMap { families?[$0] }.map { String(cString: pango_font_family_get_name($0)) }
        )
    }
}
