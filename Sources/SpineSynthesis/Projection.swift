import Raster

/// A perspective mapping of the plane.
///
/// Source: Heckbert, "Fundamentals of Texture Mapping and Image Warping" (1989), section 2.2.3.
struct Projection: Equatable {
    /// The 3 × 3 matrix, row-major, that multiplies (x, y, 1).
    private var matrix: [Double]

    /// The mapping of a `width` × `height` rectangle at the origin to the quad with these corners, clockwise from the
    /// rectangle's top left.
    ///
    /// - Precondition: four corners of a convex quad with an area.
    init(rectangleOfWidth width: Double, height: Double, to corners: [Point]) {
        precondition(corners.count == 4, "a quad has four corners")
        let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
        let (sumX, sumY) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
        let (firstX, firstY) = (b.x - c.x, b.y - c.y)
        let (secondX, secondY) = (d.x - c.x, d.y - c.y)
        let area = firstX * secondY - secondX * firstY
        precondition(area != 0, "the quad has no area")
        let g = (sumX * secondY - secondX * sumY) / area
        let h = (firstX * sumY - sumX * firstY) / area
        matrix = [
            (b.x - a.x + g * b.x) / width, (d.x - a.x + h * d.x) / height, a.x,
            (b.y - a.y + g * b.y) / width, (d.y - a.y + h * d.y) / height, a.y,
            g / width, h / height, 1,
        ]
    }

    /// Where `point` goes.
    func map(_ point: Point) -> Point {
        let m = matrix
        let scale = m[6] * point.x + m[7] * point.y + m[8]
        return Point(
            x: (m[0] * point.x + m[1] * point.y + m[2]) / scale, y: (m[3] * point.x + m[4] * point.y + m[5]) / scale)
    }

    /// The mapping back.
    var inverse: Projection {
        let m = matrix
        var result = self
        // The adjugate: a homogeneous matrix needs no division by the determinant.
        result.matrix = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        return result
    }
}
