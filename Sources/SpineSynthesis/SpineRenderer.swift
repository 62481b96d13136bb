import Raster

/// Turns a specification into a labelled picture.
///
/// The same specification and the same installed fonts give the same bytes.
package struct SpineRenderer: Sendable {
    package init() {}

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
        var generator = SeededGenerator(seed: specification.grainSeed)
        let painter = SpinePainter(specification)
        let (flat, flatLines) = try painter.paint(&generator)
        let (image, projection) = try Camera(specification: specification, margin: painter.margin)
            .photograph(flat, &generator)
        let lines = flatLines.map { line in
            var line = line
            line.quad = line.quad.mapped(by: projection)
            return line
        }
        return RenderedSpine(
            image: image,
            lines: lines,
            quad: outline(of: specification, painter.margin).mapped(by: projection),
            orientation: specification.orientation
        )
    }

    /// The spine in the flat picture, its corners in the order in which the photograph shows them.
    private func outline(of specification: SpineSpecification, _ margin: Double) -> Quad {
        let (right, bottom) = (margin + Double(specification.thickness), margin + Double(specification.length))
        let head = (Point(x: margin, y: margin), Point(x: right, y: margin))
        let foot = (Point(x: margin, y: bottom), Point(x: right, y: bottom))
        return switch specification.pose {
        case .standing: Quad(topLeft: head.0, topRight: head.1, bottomRight: foot.1, bottomLeft: foot.0)
        case .upsideDown: Quad(topLeft: foot.1, topRight: foot.0, bottomRight: head.0, bottomLeft: head.1)
        case .lying: Quad(topLeft: head.1, topRight: foot.1, bottomRight: foot.0, bottomLeft: head.0)
        }
    }
}

extension Quad {
    fileprivate func mapped(by projection: Homography) -> Quad {
        Quad(
            topLeft: projection.apply(topLeft),
            topRight: projection.apply(topRight),
            bottomRight: projection.apply(bottomRight),
            bottomLeft: projection.apply(bottomLeft)
        )
    }
}
