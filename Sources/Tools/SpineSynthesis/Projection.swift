import Foundation
package import Imaging

/// Mapping between points of a flat picture and its photograph.
package struct Projection: Sendable {
    /// Rounded spine: the flat area between `left` and `right` is bent around a cylinder.
    ///
    /// The edges and the middle stay; between them, parts turned away from the viewer look narrower.
    struct Bend: Sendable, Equatable {
        var left: Double
        var right: Double
        /// Turn of the surface at its edges, in radians, less than a quarter turn.
        var halfAngle: Double

        /// Returns the visible position of the flat column `x`.
        func seen(_ x: Double) -> Double { moved(x) { sin($0 * halfAngle) / sin(halfAngle) } }

        /// Returns the flat column that is visible at `x`.
        func flat(_ x: Double) -> Double { moved(x) { asin($0 * sin(halfAngle)) / halfAngle } }

        private func moved(_ x: Double, by bend: (Double) -> Double) -> Double {
            guard halfAngle > 0.001, x > left, x < right else { return x }
            let (middle, half) = ((left + right) / 2, (right - left) / 2)
            return middle + half * bend((x - middle) / half)
        }
    }

    /// Map from the sensor's pixels to the visible picture, before it is flattened.
    let view: Homography
    private let back: Homography
    let width: Int
    let height: Int
    private let barrel: Double
    /// The photograph's pixels for one of the sensor's.
    private let zoom: (x: Double, y: Double)
    let bends: [Bend]

    /// Creates the projection that fills a sensor of `width` × `height` pixels with `frame`; nil when its corners
    /// enclose no area.
    ///
    /// `width`: Pixels of the sensor in a row.
    /// `photo`: Width and height of the photograph that the sensor's picture is enlarged to.
    /// `bends`: The rounded spines in the flat picture, none over another.
    init?(frame: Quad, width: Int, height: Int, photo: (width: Int, height: Int), barrel: Double, bends: [Bend]) {
        guard let view = Homography(width: Double(width), height: Double(height), to: frame) else { return nil }
        self.view = view
        back = view.inverse
        self.width = width
        self.height = height
        self.barrel = barrel
        self.bends = bends
        zoom = (Double(photo.width) / Double(width), Double(photo.height) / Double(height))
    }

    /// Returns the position of a flat picture's point in the photograph.
    package func photo(of flat: Point) -> Point {
        let seen = Point(x: bends.reduce(flat.x) { $1.seen($0) }, y: flat.y)
        let place = distorted(back.apply(seen))
        return Point(x: place.x * zoom.x, y: place.y * zoom.y)
    }

    /// Returns the point of the flat picture at this point of the photograph.
    package func flat(of photo: Point) -> Point {
        let place = undistorted(Point(x: photo.x / zoom.x, y: photo.y / zoom.y))
        let seen = view.apply(place)
        return Point(x: bends.reduce(seen.x) { $1.flat($0) }, y: seen.y)
    }

    /// Returns the quad's corners in the photograph.
    package func photo(of quad: Quad) -> Quad { quad.mapped { photo(of: $0) } }

    /// Returns a point of the sensor where a lens without distortion would have drawn it.
    ///
    /// Distances from the middle grow with their third power; the corners stay where they are.
    @inline(__always)
    func undistorted(_ point: Point) -> Point {
        if barrel == 0 { return point }
        let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
        let (x, y) = (point.x - halfWidth, point.y - halfHeight)
        let reach = (x * x + y * y) / (halfWidth * halfWidth + halfHeight * halfHeight)
        let factor = (1 + barrel * reach) / (1 + barrel)
        return Point(x: halfWidth + x * factor, y: halfHeight + y * factor)
    }

    private func distorted(_ point: Point) -> Point {
        if barrel == 0 { return point }
        let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
        let (x, y) = (point.x - halfWidth, point.y - halfHeight)
        let reach = ((x * x + y * y) / (halfWidth * halfWidth + halfHeight * halfHeight)).squareRoot()
        guard reach > 0 else { return point }
        // Newton's method: the cubic is nearly straight, so that a few steps reach the last bit.
        var root = reach
        for _ in 0..<6 {
            root -= (root * (1 + barrel * root * root) - reach * (1 + barrel)) / (1 + 3 * barrel * root * root)
        }
        return Point(x: halfWidth + x * root / reach, y: halfHeight + y * root / reach)
    }
}

/// Positions of the corners of a sensor's pixels in the flat picture, row by row.
struct ProjectionGrid {
    private let projection: Projection
    /// Flat position, from the left edge, of each visible half pixel; the last is repeated, so that every step has an
    /// end.
    private let columns: [Float]

    init(_ projection: Projection, flatWidth: Int) {
        self.projection = projection
        columns = (0...2 * flatWidth + 1).map { step in
            let x = min(Double(step) / 2, Double(flatWidth))
            return Float(projection.bends.reduce(x) { $1.flat($0) })
        }
    }

    /// Fills in the corners along the upper edge of row `y`: one more than a row has pixels.
    func fill(_ corners: UnsafeMutablePointer<SIMD2<Float>>, y: Int) {
        let m = projection.view.elements
        let (a, b, c, d, e, f, g, h, i) = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
        let end = Float(columns.count - 2)
        columns.withUnsafeBufferPointer { columns in
            for x in 0...projection.width {
                let point = projection.undistorted(Point(x: Double(x), y: Double(y)))
                let scale = 1 / (g * point.x + h * point.y + i)
                let seen = Float((a * point.x + b * point.y + c) * scale)
                let place = max(0, min(end, seen * 2))
                let step = Int(place)
                let flat = columns[step] + (columns[step + 1] - columns[step]) * (place - Float(step))
                corners[x] = SIMD2(flat, Float((d * point.x + e * point.y + f) * scale))
            }
        }
    }
}

extension Quad {
    /// Returns the share of the quad's bounding box inside `box`.
    func share(coveredBy box: Box) -> Double {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return 0 }
        let across = max(0, min(right, box.x + box.width) - max(left, box.x))
        let down = max(0, min(bottom, box.y + box.height) - max(top, box.y))
        return across * down / max(1e-9, (right - left) * (bottom - top))
    }

    /// Coordinates rounded to tenths of a pixel, which is finer than visible.
    var rounded: Quad { mapped { Point(x: ($0.x * 10).rounded() / 10, y: ($0.y * 10).rounded() / 10) } }
}

/// Normally distributed numbers at the price of a load: a table that is walked from random places.
///
/// Twelve even numbers added up are normal to within a tenth of a percent up to three deviations, and, unlike Box and
/// Muller's method, the same to the last bit on every machine. A picture has more pixels than the table has numbers;
/// each row begins at another place, so that no pattern repeats where an eye or a network could see it.
enum NormalTable {
    /// A power of two.
    static let count = 1 << 16

    /// `count` numbers of mean 0 and deviation 1, and the first few again, so that a vector can begin at any place.
    static let values: [Float] = {
        var generator = SeededGenerator(seed: 0x005E_ED0F_9015_E000)
        var values = (0..<count).map { _ in
            var sum = -6.0
            for _ in 0..<12 { sum += generator.unit() }
            return Float(sum)
        }
        values += values[..<8]
        return values
    }()
}
