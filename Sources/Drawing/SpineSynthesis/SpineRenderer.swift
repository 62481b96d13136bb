import Foundation
import Raster
import SpineDatasets

/// Turns a specification into a labelled picture.
///
/// The same specification and the same installed fonts give the same bytes.
package struct SpineRenderer: Sendable {
    package init() {}

    /// A photograph of the spine, drawn once and sampled once.
    ///
    /// - Throws: `SynthesisError.specification` when a size is out of its range or a block of text has no room,
    ///   `.missingGlyphs` when a typeface cannot write its text, `.canvas` when Cairo has no memory.
    package func render(_ specification: SpineSpecification) throws(SynthesisError) -> RenderedSpine {
        guard (20...600).contains(specification.thickness), (60...4000).contains(specification.length) else {
            throw .specification(
                "a spine of \(specification.thickness) × \(specification.length) pixels; "
                    + "20…600 by 60…4000 can be drawn"
            )
        }
        guard specification.camera.corners.count == 4 else {
            throw .specification("a picture has four corners, not \(specification.camera.corners.count)")
        }
        guard (0.05...8).contains(specification.camera.scale), (1...4).contains(specification.camera.zoom) else {
            throw .specification(
                "a scale of \(specification.camera.scale) with a zoom of \(specification.camera.zoom); "
                    + "0.05…8 and 1…4 can be photographed"
            )
        }
        // Letters are shapes: a spine seen from nearby is drawn as large as it is seen, not enlarged afterwards.
        let nearer = min(
            max(1, specification.camera.scale),
            600 / Double(specification.thickness),
            4000 / Double(specification.length)
        )
        var drawn = specification.enlarged(by: nearer)
        drawn.camera.scale = specification.camera.scale / nearer
        var generator = SeededGenerator(seed: specification.grainSeed)
        let painter = SpinePainter(drawn)
        let (flat, flatLines) = try painter.paint(&generator)
        let letters = flatLines.filter { $0.role == .title || $0.role == .author }.map(\.size).min() ?? .infinity
        drawn.camera.scale = max(drawn.camera.scale, drawn.camera.smallestLetters / letters)

        let (photograph, projection) = try Camera(drawn.camera).photograph(
            flat,
            frame: drawn.frame(margin: painter.margin),
            surfaces: [drawn.surface(margin: painter.margin)],
            &generator
        )
        let quad = projection.photo(of: drawn.outline(margin: painter.margin))
        var image = photograph
        if let mask = drawn.camera.mask {
            let width = Double(drawn.thickness) * drawn.camera.scale
            CropMask(outline: quad, stray: mask * width).apply(to: &image, &generator)
        }
        let lines = flatLines.map { line in
            var line = line
            line.quad = projection.photo(of: line.quad)
            line.size *= drawn.camera.scale
            return line
        }
        return RenderedSpine(
            image: image,
            lines: lines,
            quad: quad,
            orientation: specification.orientation,
            difficulty: difficulty(of: drawn, quad)
        )
    }

    private func difficulty(of specification: SpineSpecification, _ quad: Quad) -> [String: Double] {
        let lies = specification.pose == .lying
        let sides = lies ? (quad.topLeft, quad.topRight) : (quad.topLeft, quad.bottomLeft)
        let lean = lies ? sides.1.y - sides.0.y : sides.0.x - sides.1.x
        return specification.camera.difficulty(
            width: lies
                ? quad.topLeft.distance(to: quad.bottomLeft) : quad.topLeft.distance(to: quad.topRight),
            tilt: asin(lean / max(1, sides.0.distance(to: sides.1))) * 180 / .pi
        )
    }
}
