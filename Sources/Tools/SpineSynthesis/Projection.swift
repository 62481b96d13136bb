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
    private let bends: [Bend]

    /// Creates the projection that fills a sensor of `width` × `height` pixels with `frame`; nil when that has no area.
    ///
    /// `photo`: Size that the sensor's picture is enlarged to. `bends`: Rounded spines, none over another.
    init?(frame: Quad, width: Int, height: Int, photo: (width: Int, height: Int), barrel: Double, bends: [Bend]) {
        guard let view = Homography(width: Double(width), height: Double(height), to: frame) else { return nil }
        (self.view, back) = (view, view.inverse)
        (self.width, self.height, self.barrel, self.bends) = (width, height, barrel, bends)
        zoom = (Double(photo.width) / Double(width), Double(photo.height) / Double(height))
    }

    func photo(of flat: Point) -> Point {
        let place = distorted(back.apply(Point(x: bends.reduce(flat.x) { $1.seen($0) }, y: flat.y)))
        return Point(x: place.x * zoom.x, y: place.y * zoom.y)
    }

    func photo(of quad: Quad) -> Quad { quad.mapped { photo(of: $0) } }

    /// Returns the flat position, from the left edge, of each visible half pixel; the last is repeated as the last
    /// step's end.
    func flatColumns(width: Int) -> [Float] {
        (0...2 * width + 1).map { step in
            Float(bends.reduce(min(Double(step) / 2, Double(width))) { $1.flat($0) })
        }
    }

    /// Fills in the flat positions of the corners along the upper edge of row `y`: one more than a row has pixels.
    func fill(_ corners: UnsafeMutablePointer<SIMD2<Float>>, y: Int, _ columns: [Float]) {
        let end = Float(columns.count - 2)
        columns.withUnsafeBufferPointer { columns in
            for x in 0...width {
                let seen = view.apply(undistorted(Point(x: Double(x), y: Double(y))))
                let place = max(0, min(end, Float(seen.x) * 2))
                let step = Int(place)
                let flat = columns[step] + (columns[step + 1] - columns[step]) * (place - Float(step))
                corners[x] = SIMD2(flat, Float(seen.y))
            }
        }
    }

    /// Returns a sensor's point where a lens without distortion would have drawn it: distances from the middle grow
    /// with their third power, the corners stay.
    func undistorted(_ point: Point) -> Point { scaled(point) { (1 + barrel * $0 * $0) / (1 + barrel) } }

    private func distorted(_ point: Point) -> Point {
        scaled(point) { reach in
            // Newton's method: the cubic is nearly straight, so that a few steps reach the last bit.
            var root = reach
            for _ in 0..<6 {
                root -= (root * (1 + barrel * root * root) - reach * (1 + barrel)) / (1 + 3 * barrel * root * root)
            }
            return root / reach
        }
    }

    /// Returns a point at `factor` times its distance from the middle, which is a share of the half diagonal.
    @inline(__always)
    private func scaled(_ point: Point, by factor: (_ reach: Double) -> Double) -> Point {
        let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
        let (x, y) = (point.x - halfWidth, point.y - halfHeight)
        let reach = ((x * x + y * y) / (halfWidth * halfWidth + halfHeight * halfHeight)).squareRoot()
        guard barrel != 0, reach > 0 else { return point }
        return Point(x: halfWidth + x * factor(reach), y: halfHeight + y * factor(reach))
    }
}
