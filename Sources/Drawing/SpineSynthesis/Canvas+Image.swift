import CPangoCairo
import Raster

extension Canvas {
    /// Draws a part of an image, its middle at `centre`, turned clockwise by `turn` radians.
    ///
    /// - Parameters:
    ///   - image: An RGB image.
    ///   - part: What of it is drawn, in its pixels.
    ///   - centre: On this canvas.
    ///   - turn: A whole number of half turns about a centre on the pixel grid copies pixel for pixel.
    /// - Throws: `SynthesisError.canvas` when Cairo has no memory.
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
            // At its edges the part fades into what lies behind by the share of the pixel that it covers, not into black.
            cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
            cairo_rectangle(context, corner.x, corner.y, part.width, part.height)
            cairo_fill(context)
        }
    }
}
