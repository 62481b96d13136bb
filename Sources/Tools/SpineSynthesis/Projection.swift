import Foundation
import Imaging

/// Mapping between points of a flat picture and its photograph.
struct Projection: Sendable {
    /// Rounded spine: the area between `left` and `right` is bent around a cylinder, its edges and its middle stay.
    struct Bend: Sendable, Equatable {
        var left: Double
        var right: Double
        /// Turn of the surface at its edges, in radians, less than a quarter turn.
        var halfAngle: Double

        func seen(_ x: Double) -> Double { moved(x) { sin($0 * halfAngle) / sin(halfAngle) } }

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
    private let zoom: (x: Double, y: Double)
    let bends: [Bend]

    /// Creates the projection that fills a sensor of `width` × `height` pixels with `frame`; nil when that has no area.
    ///
    /// `photo`: Size that the sensor's picture is enlarged to. `bends`: Rounded spines, none over another.
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

    func photo(of flat: Point) -> Point {
        let seen = Point(x: bends.reduce(flat.x) { $1.seen($0) }, y: flat.y)
        let place = distorted(back.apply(seen))
        return Point(x: place.x * zoom.x, y: place.y * zoom.y)
    }

    func flat(of photo: Point) -> Point {
        let place = undistorted(Point(x: photo.x / zoom.x, y: photo.y / zoom.y))
        let seen = view.apply(place)
        return Point(x: bends.reduce(seen.x) { $1.flat($0) }, y: seen.y)
    }

    func photo(of quad: Quad) -> Quad { quad.mapped { photo(of: $0) } }

    /// Returns a sensor's point where a lens without distortion would have drawn it: distances from the middle grow
    /// with their third power, the corners stay.
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
    /// Flat position, from the left edge, of each visible half pixel; the last is repeated as the last step's end.
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

/// The least upright box around points.
struct Bounds {
    var left = 0.0
    var top = 0.0
    var right = 0.0
    var bottom = 0.0
}

extension [Point] {
    var bounds: Bounds {
        let (xs, ys) = (map(\.x), map(\.y))
        return Bounds(left: xs.min() ?? 0, top: ys.min() ?? 0, right: xs.max() ?? 0, bottom: ys.max() ?? 0)
    }
}

extension Quad {
    /// Returns the share of the quad's bounding box inside `box`.
    func share(coveredBy box: Box) -> Double {
        let bounds = corners.bounds
        let across = max(0, min(bounds.right, box.x + box.width) - max(bounds.left, box.x))
        let down = max(0, min(bounds.bottom, box.y + box.height) - max(bounds.top, box.y))
        return across * down / max(1e-9, (bounds.right - bounds.left) * (bounds.bottom - bounds.top))
    }

    /// Coordinates rounded to tenths of a pixel, which is finer than visible.
    var rounded: Quad { mapped { Point(x: ($0.x * 10).rounded() / 10, y: ($0.y * 10).rounded() / 10) } }
}

/// Normally distributed numbers at the price of a load: a table that is walked from random places.
///
/// Twelve even numbers added up are normal to within a tenth of a percent up to three deviations, and, unlike Box and
/// Muller's method, the same to the last bit on every machine.
enum NormalTable {
    static let count = 1 << 16

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
