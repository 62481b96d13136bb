import Foundation
import Imaging

/// Colours of a picture in CIE L\*a\*b\* (D65), row by row.
struct LabPlane {
    let width: Int
    let height: Int
    var values: [SIMD3<Float>]

    /// Creates the colours of an RGB picture, interpreted as sRGB (IEC 61966-2-1).
    init(_ image: RasterImage) {
        (width, height) = (image.width, image.height)
        let linear = (0...255).map { byte in
            let value = Float(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        func root(_ t: Float) -> Float { t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116 }
        values = (0..<width * height).map { index in
            let r = linear[Int(image.pixels[3 * index])]
            let g = linear[Int(image.pixels[3 * index + 1])]
            let b = linear[Int(image.pixels[3 * index + 2])]
            // Conversion to XYZ by the standard's matrix, as shares of its white.
            let x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
            let y = root(0.2126 * r + 0.7152 * g + 0.0722 * b)
            let z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
            return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
        }
    }

    /// Means of 3 × 3 pixels, edges repeated.
    var smoothed: LabPlane {
        var copy = self
        for y in 0..<height {
            for x in 0..<width {
                var sum = SIMD3<Float>.zero
                for row in y - 1...y + 1 {
                    let line = min(max(row, 0), height - 1) * width
                    sum += values[line + max(x - 1, 0)] + values[line + x] + values[line + min(x + 1, width - 1)]
                }
                copy.values[y * width + x] = sum / 9
            }
        }
        return copy
    }
}

/// A mixture of normal distributions of colour, each with its own variance in every channel.
///
/// Every colour belongs to the nearest one alone, as in GrabCut (Rother, Kolmogorov and Blake 2004, section 3.2).
struct ColourMixture {
    struct Part {
        var mean: SIMD3<Float>
        var variance: SIMD3<Float>
        var share: Float
        /// Part of the −log likelihood that does not depend on a colour.
        var constant: Float
    }

    private(set) var parts: [Part] = []
    /// Component of each colour of the model.
    private(set) var owners: [Int] = []

    /// Minimum variance: noise of 2.5 units.
    static let leastVariance: Float = 6

    init(_ colours: [SIMD3<Float>], count: Int) {
        guard !colours.isEmpty else { return }
        var means = [colours.reduce(.zero, +) / Float(colours.count)]
        var nearest = colours.map { Self.square($0 - means[0]) }
        while means.count < count, let far = nearest.indices.max(by: { nearest[$0] < nearest[$1] }), nearest[far] > 100
        {
            means.append(colours[far])
            for index in colours.indices {
                nearest[index] = min(nearest[index], Self.square(colours[index] - colours[far]))
            }
        }
        owners = [Int](repeating: 0, count: colours.count)
        for _ in 0..<8 {
            var sums = [SIMD3<Float>](repeating: .zero, count: means.count)
            var counts = [Float](repeating: 0, count: means.count)
            for (index, colour) in colours.enumerated() {
                var best = Float.infinity
                for (part, mean) in means.enumerated() {
                    let distance = Self.square(colour - mean)
                    if distance < best { (best, owners[index]) = (distance, part) }
                }
                sums[owners[index]] += colour
                counts[owners[index]] += 1
            }
            for part in means.indices where counts[part] > 0 { means[part] = sums[part] / counts[part] }
        }
        var squares = [SIMD3<Float>](repeating: .zero, count: means.count)
        var counts = [Float](repeating: 0, count: means.count)
        for (index, colour) in colours.enumerated() {
            let away = colour - means[owners[index]]
            squares[owners[index]] += away * away
            counts[owners[index]] += 1
        }
        parts = means.indices.map { part in
            let variance = pointwiseMax(squares[part] / max(1, counts[part]), SIMD3(repeating: Self.leastVariance))
            let share = counts[part] / Float(colours.count)
            let logs = log(variance.x) + log(variance.y) + log(variance.z)
            return Part(mean: means[part], variance: variance, share: share, constant: logs / 2 - log(max(share, 1e-4)))
        }
    }

    /// Takes parts out, but never all of them.
    mutating func drop(_ isOut: (Int, Part) -> Bool) {
        let left = parts.enumerated().filter { !isOut($0.offset, $0.element) }.map(\.element)
        if !left.isEmpty { parts = left }
    }

    /// Returns the −log likelihood of a colour, and its squared Mahalanobis distance from the nearest component.
    func cost(_ colour: SIMD3<Float>) -> (cost: Float, distance: Float) {
        var best = (cost: Float.infinity, distance: Float.infinity)
        for part in parts {
            let away = colour - part.mean
            let distance = (away * away / part.variance).sum()
            if part.constant + distance / 2 < best.cost { best = (part.constant + distance / 2, distance) }
        }
        return best
    }

    static func square(_ vector: SIMD3<Float>) -> Float { (vector * vector).sum() }
}

/// Colour as a polynomial of the place, of second degree at most: the effect of light on a plain background.
struct ColourTrend {
    private var factors: [SIMD3<Float>] = []
    private let width: Int
    private let height: Int

    /// Creates the trend of the pixels: a higher degree only where it removes two fifths of the squares and leaves no
    /// more than twice what a few even colours do (of noise, they take some too), for of a pattern it would take
    /// some, and be wrong where there are no pixels to go by.
    init(_ plane: LabPlane, at places: [Int]) {
        (width, height) = (plane.width, plane.height)
        let colours = places.map { plane.values[$0] }
        let even = ColourMixture(colours, count: 5)
        let pattern = Self.error(zip(colours, even.owners).map { ColourMixture.square($0 - even.parts[$1].mean) })
        var least = Float.infinity
        for count in [1, 3, 6] {
            let (trend, error) = fitted(plane, at: places, count: count)
            guard count == 1 || error < min(0.6 * least, 2 * pattern) else { continue }
            (factors, least) = (trend, error)
        }
    }

    /// Returns the mean of squares without the largest fifth; 1 for less.
    private static func error(_ squares: [Float]) -> Float {
        let kept = squares.sorted().prefix(max(1, squares.count * 4 / 5))
        return max(1, kept.reduce(0, +) / Float(kept.count))
    }

    /// Returns factors of a number of terms, and their residuals.
    private func fitted(_ plane: LabPlane, at places: [Int], count: Int) -> (factors: [SIMD3<Float>], error: Float) {
        var weights = [Float](repeating: 1, count: places.count)
        var copy = self
        var error: Float = 0
        for _ in 0..<4 {
            // Normal equations, with a little regularisation.
            var rows = (0..<count).map { row in (0..<count).map { $0 == row ? Float(1e-3) : 0 } }
            var right = [SIMD3<Float>](repeating: .zero, count: count)
            for (place, weight) in zip(places, weights) {
                let terms = terms(place)
                for row in 0..<count {
                    for column in 0..<count { rows[row][column] += weight * terms[row] * terms[column] }
                    right[row] += plane.values[place] * (weight * terms[row])
                }
            }
            copy.factors = Self.solve(rows, right)
            let away = places.map { ColourMixture.square(plane.values[$0] - copy[$0]) }
            error = Self.error(away)
            let typical = max(9, 2 * away.sorted()[away.count / 2])
            weights = away.map { 1 / (1 + $0 / typical) }
        }
        return (copy.factors, error)
    }

    /// Colour at the pixel with that index.
    subscript(index: Int) -> SIMD3<Float> {
        let terms = terms(index)
        return factors.indices.reduce(.zero) { $0 + factors[$1] * terms[$1] }
    }

    private func terms(_ index: Int) -> [Float] {
        let u = 2 * Float(index % width) / Float(width) - 1
        let v = 2 * Float(index / width) / Float(height) - 1
        return [1, u, v, u * u, u * v, v * v]
    }

    /// Solves linear equations by Gauss's elimination; the matrix is positive definite, so no rows are exchanged.
    private static func solve(_ matrix: [[Float]], _ right: [SIMD3<Float>]) -> [SIMD3<Float>] {
        var (rows, right) = (matrix, right)
        for pivot in rows.indices {
            for row in rows.indices where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in rows.indices { rows[row][column] -= factor * rows[pivot][column] }
                right[row] -= right[pivot] * factor
            }
        }
        return right.indices.map { right[$0] / rows[$0][$0] }
    }
}
