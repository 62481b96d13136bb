import Foundation
package import Imaging

/// Page, cover or card on a background.
package struct FoundPage: Sendable, Equatable {
    /// Corners in pixels of the picture, from the one that is nearest to the picture's top left, clockwise.
    var quad: Quad

    /// Returns the page from straight above, its sides as long as they are on the picture (means of opposite ones).
    ///
    /// - Returns: nil when the sides are shorter than one pixel.
    package func rectified(_ image: RasterImage) -> RasterImage? {
        let width = Int(quad.length.rounded())
        let height = Int(quad.thickness.rounded())
        guard width > 0, height > 0 else { return nil }
        return image.cropped(to: quad, width: width, height: height)
    }

    /// Returns the page as the foreground subject of its picture, without soft edges; `scale` is the mask's pixels per
    /// pixel of the picture.
    ///
    /// - Returns: nil when the page contains no pixel's centre.
    package func subject(scale: Double, width: Int, height: Int) -> SiftedSubject? {
        let corners = quad.corners.map { Point(x: $0.x * scale, y: $0.y * scale) }
        var pixels = [UInt8](repeating: 0, count: width * height)
        for row in 0..<height {
            // A convex outline has a row's middle between two of its crossings.
            let crossings = corners.crossings(at: Double(row) + 0.5)
            guard let left = crossings.min(), let right = crossings.max() else { continue }
            // A corner may be outside the picture.
            let columns = (Int((left + 0.5).rounded(.down))..<Int((right + 0.5).rounded(.down))).clamped(to: 0..<width)
            for column in columns { pixels[row * width + column] = 255 }
        }
        return SiftedSubject(mask: RasterImage(width: width, height: height, channels: 1, pixels: pixels))
    }

    /// Returns whether most of these lines are inside the page; false for none.
    package func holds(mostOf quads: [Quad]) -> Bool {
        let inside = quads.count { quad.contains($0.centre) }
        return inside * 2 > quads.count
    }
}

/// Detector of the outline of a page by its four sides.
///
/// Lines are peaks of a Hough transform in which every edge pixel votes for lines across its own gradient (Duda and
/// Hart 1972; O'Gorman and Clowes 1976). Of all quadrilaterals of two and two of them the one wins whose sides are
/// best covered by edges of their direction, larger ones first; its sides are then fitted to the strongest edge near
/// them.
package enum PageFinder {
    /// Pixels of the long side of the plane in which lines are searched.
    static let planeSide = 256

    /// Returns the page on a picture.
    ///
    /// - Returns: nil without a quadrilateral that covers a fifteenth of the picture, whose angles are between 45 and
    ///   135 degrees, and whose sides show an edge over 60 % of their length.
    package static func page(in image: RasterImage) -> FoundPage? {
        guard min(image.width, image.height) >= 32 else { return nil }
        let small = image.fitted(to: planeSide)
        guard min(small.width, small.height) >= 16 else { return nil }
        let edges = EdgePlane(small)
        guard let found = edges.bestQuad(), let exact = edges.fitted(found) else { return nil }
        let (x, y) = (Double(image.width) / Double(small.width), Double(image.height) / Double(small.height))
        return FoundPage(quad: exact.mapped { Point(x: $0.x * x, y: $0.y * y) })
    }
}

/// A straight line: x cos + y sin = distance, in pixels.
private struct Line {
    var cosine: Double
    var sine: Double
    var distance: Double
    var votes: Int

    func crossing(_ other: Line) -> Point? {
        let determinant = cosine * other.sine - sine * other.cosine
        guard abs(determinant) > 0.3 else { return nil }
        return Point(
            x: (distance * other.sine - other.distance * sine) / determinant,
            y: (cosine * other.distance - other.cosine * distance) / determinant
        )
    }
}

private struct EdgePlane {
    private let width: Int
    private let height: Int
    /// Gradient of each pixel's strongest channel, after smoothing; its centre is at halves.
    private var gradients: [SIMD2<Float>]
    private var sizes: [Float]
    /// Size from which on a gradient is an edge.
    private let least: Float

    init(_ image: RasterImage) {
        let (width, height, channels) = (image.width, image.height, image.channels)
        (self.width, self.height) = (width, height)
        gradients = [SIMD2<Float>](repeating: .zero, count: width * height)
        sizes = [Float](repeating: 0, count: width * height)
        // Sobel's weights smooth across the difference.
        for y in 1..<height - 1 {
            for x in 1..<width - 1 {
                for channel in 0..<channels {
                    func value(_ dx: Int, _ dy: Int) -> Float {
                        Float(image.pixels[((y + dy) * width + x + dx) * channels + channel])
                    }
                    let right = value(1, -1) + 2 * value(1, 0) + value(1, 1)
                    let left = value(-1, -1) + 2 * value(-1, 0) + value(-1, 1)
                    let below = value(-1, 1) + 2 * value(0, 1) + value(1, 1)
                    let above = value(-1, -1) + 2 * value(0, -1) + value(1, -1)
                    let gradient = SIMD2(right - left, below - above) / 8
                    let size = (gradient * gradient).sum().squareRoot()
                    guard size > sizes[y * width + x] else { continue }
                    gradients[y * width + x] = gradient
                    sizes[y * width + x] = size
                }
            }
        }
        // Twice the noise, which half of the picture does not exceed; a step of 12 of 255 gives 6.
        least = max(6, 2 * sizes.sorted()[sizes.count / 2])
    }

    /// Returns lines with most votes, at most 20; one of a bundle.
    private func lines() -> [Line] {
        let angles = 180
        let reach = Int((Double(width * width + height * height)).squareRoot().rounded(.up)) + 1
        let table = (0..<angles).map { Double($0) * .pi / Double(angles) }.map { (cos($0), sin($0)) }
        var votes = [Int32](repeating: 0, count: angles * 2 * reach)
        for y in 1..<height - 1 {
            for x in 1..<width - 1 where sizes[y * width + x] >= least {
                let gradient = gradients[y * width + x]
                let degrees = Int((atan2(gradient.y, gradient.x) * 180 / .pi).rounded())
                for angle in degrees - 4...degrees + 4 {
                    let index = (angle % angles + angles) % angles
                    let distance = (Double(x) + 0.5) * table[index].0 + (Double(y) + 0.5) * table[index].1
                    votes[index * 2 * reach + Int(distance.rounded()) + reach] += 1
                }
            }
        }
        let enough = Int32(min(width, height) / 8)
        let peaks = votes.indices.filter { votes[$0] >= enough }.sorted { (votes[$0], $1) > (votes[$1], $0) }
        var lines: [Line] = []
        for peak in peaks where lines.count < 20 {
            let (cosine, sine) = table[peak / (2 * reach)]
            let line = Line(
                cosine: cosine,
                sine: sine,
                distance: Double(peak % (2 * reach) - reach),
                votes: Int(votes[peak])
            )
            // The same normal may point the other way: 179 degrees and 0 are adjacent.
            let isNew = lines.allSatisfy { other in
                let turn = other.cosine * cosine + other.sine * sine
                let apart = abs(line.distance * (turn < 0 ? -1 : 1) - other.distance)
                return abs(turn) < cos(6 * .pi / 180) || apart > 5
            }
            if isNew { lines.append(line) }
        }
        return lines
    }

    func bestQuad() -> Quad? {
        let lines = lines()
        guard lines.count >= 4 else { return nil }
        // Opposite sides: within 40 degrees of each other, and apart.
        var pairs: [(Int, Int)] = []
        for a in lines.indices {
            for b in lines.indices where b > a {
                let turn = lines[a].cosine * lines[b].cosine + lines[a].sine * lines[b].sine
                if abs(turn) > cos(40 * .pi / 180) { pairs.append((a, b)) }
            }
        }
        var best: Quad?
        var bestScore = 0.0
        for (number, first) in pairs.enumerated() {
            for second in pairs[(number + 1)...] {
                guard let quad = quad(lines[first.0], lines[second.0], lines[first.1], lines[second.1]) else {
                    continue
                }
                let area = quad.area / Double(width * height)
                guard area > 1.0 / 15, bestScore < 1 + 0.15 * area else { continue }
                let covered = sides(quad).map { coverage($0, $1) }
                guard covered.allSatisfy({ $0 >= 0.6 }) else { continue }
                // The outer one of two nested frames is the page's.
                let score = covered.reduce(0, +) / 4 + 0.15 * area
                if score > bestScore { (best, bestScore) = (quad, score) }
            }
        }
        return best
    }

    /// Returns corners where neighbouring sides cross; nil where they are not those of a page within the picture.
    private func quad(_ a: Line, _ b: Line, _ c: Line, _ d: Line) -> Quad? {
        guard let ab = a.crossing(b), let bc = b.crossing(c), let cd = c.crossing(d), let da = d.crossing(a) else {
            return nil
        }
        let points = [ab, bc, cd, da]
        let isInside = points.allSatisfy {
            $0.x > -3 && $0.y > -3 && $0.x < Double(width) + 3 && $0.y < Double(height) + 3
        }
        guard isInside, let quad = Quad(cornersAround: points), quad.isStrictlyConvex else { return nil }
        for index in 0..<4 {
            let (last, here, next) = (quad.corners[(index + 3) % 4], quad.corners[index], quad.corners[(index + 1) % 4])
            let product = (last.x - here.x) * (next.x - here.x) + (last.y - here.y) * (next.y - here.y)
            let lengths = here.distance(to: last) * here.distance(to: next)
            guard lengths > 0, abs(product) < 0.7072 * lengths else { return nil }
        }
        return quad
    }

    private func sides(_ quad: Quad) -> [(Point, Point)] {
        (0..<4).map { (quad.corners[$0], quad.corners[($0 + 1) % 4]) }
    }

    /// Returns the strongest gradient across a side within a number of pixels of one of its points.
    ///
    /// - Returns: its offset along the normal, and its size across the side; nil for none.
    private func edge(at point: Point, normal: Point, reach: Double, step: Double) -> (offset: Double, size: Double)? {
        var best: (offset: Double, size: Double)?
        for offset in stride(from: -reach, through: reach, by: step) {
            let (x, y) = (
                Int((point.x + normal.x * offset).rounded(.down)), Int((point.y + normal.y * offset).rounded(.down))
            )
            guard x >= 0, y >= 0, x < width, y < height else { continue }
            let gradient = gradients[y * width + x]
            let size = abs(Double(gradient.x) * normal.x + Double(gradient.y) * normal.y)
            if size >= Double(least) * 0.8, size > best?.size ?? 0 { best = (offset, size) }
        }
        return best
    }

    private func normal(_ a: Point, _ b: Point) -> Point {
        let length = max(1e-9, a.distance(to: b))
        return Point(x: (a.y - b.y) / length, y: (b.x - a.x) / length)
    }

    /// Returns the share of a side that shows an edge along it, 0…1.
    private func coverage(_ a: Point, _ b: Point) -> Double {
        let count = 32
        let normal = normal(a, b)
        let covered = (0..<count).count { index in
            let share = (Double(index) + 0.5) / Double(count)
            return edge(at: a.towards(b, share), normal: normal, reach: 1.5, step: 1) != nil
        }
        return Double(covered) / Double(count)
    }

    /// Returns the quadrilateral with each side on the line through the edges near it; nil where that is none any
    /// more.
    func fitted(_ quad: Quad) -> Quad? {
        var lines: [Line] = []
        for (a, b) in sides(quad) {
            let normal = normal(a, b)
            var places: [(along: Double, offset: Double, weight: Double)] = []
            for index in 0..<64 {
                // The corners belong to two sides.
                let share = 0.04 + 0.92 * (Double(index) + 0.5) / 64
                guard let found = centre(at: a.towards(b, share), normal: normal) else { continue }
                places.append((share - 0.5, found, 1))
            }
            guard places.count >= 8 else { return nil }
            var (start, slope) = (0.0, 0.0)
            // Weighted least squares; a place half a pixel off counts half.
            for _ in 0..<6 {
                var (w, x, y, xx, xy) = (1e-9, 0.0, 0.0, 0.0, 0.0)
                for place in places {
                    w += place.weight
                    x += place.weight * place.along
                    y += place.weight * place.offset
                    xx += place.weight * place.along * place.along
                    xy += place.weight * place.along * place.offset
                }
                slope = (xy - x * y / w) / max(1e-9, xx - x * x / w)
                start = (y - slope * x) / w
                for index in places.indices {
                    let off = places[index].offset - start - slope * places[index].along
                    places[index].weight = 1 / (1 + 4 * off * off)
                }
            }
            let (from, to) = (start - slope / 2, start + slope / 2)
            let p = Point(x: a.x + normal.x * from, y: a.y + normal.y * from)
            let q = Point(x: b.x + normal.x * to, y: b.y + normal.y * to)
            let exact = self.normal(p, q)
            lines.append(Line(cosine: exact.x, sine: exact.y, distance: exact.x * p.x + exact.y * p.y, votes: 0))
        }
        let points = (0..<4).compactMap { lines[($0 + 3) % 4].crossing(lines[$0]) }
        guard let exact = Quad(cornersAround: points), exact.isStrictlyConvex else { return nil }
        return exact
    }

    /// Returns the offset of the edge's middle along the normal: the mean of places within two pixels of the
    /// strongest, weighted by their gradients' squares.
    private func centre(at point: Point, normal: Point) -> Double? {
        guard let peak = edge(at: point, normal: normal, reach: 3, step: 0.5)?.offset else { return nil }
        var (sum, weight) = (0.0, 0.0)
        for offset in stride(from: peak - 2, through: peak + 2, by: 0.5) {
            let (x, y) = (point.x + normal.x * offset - 0.5, point.y + normal.y * offset - 0.5)
            let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
            guard column >= 0, row >= 0, column < width - 1, row < height - 1 else { continue }
            let (u, v) = (Float(x) - Float(column), Float(y) - Float(row))
            let index = row * width + column
            let top = gradients[index] * (1 - u) + gradients[index + 1] * u
            let bottom = gradients[index + width] * (1 - u) + gradients[index + width + 1] * u
            let gradient = top * (1 - v) + bottom * v
            let size = Double(gradient.x) * normal.x + Double(gradient.y) * normal.y
            sum += size * size * offset
            weight += size * size
        }
        return weight > 0 ? sum / weight : nil
    }
}

extension Quad {
    /// Creates the quadrilateral of four corners in any order, clockwise from the one nearest to the top left; nil for
    /// another number of corners.
    init?(cornersAround points: [Point]) {
        guard points.count == 4 else { return nil }
        let x = points.map(\.x).reduce(0, +) / 4
        let y = points.map(\.y).reduce(0, +) / 4
        let sorted = points.sorted { atan2($0.y - y, $0.x - x) < atan2($1.y - y, $1.x - x) }
        guard let first = sorted.indices.min(by: { sorted[$0].x + sorted[$0].y < sorted[$1].x + sorted[$1].y }) else {
            return nil
        }
        let turned = (0..<4).map { sorted[(first + $0) % 4] }
        self.init(topLeft: turned[0], topRight: turned[1], bottomRight: turned[2], bottomLeft: turned[3])
    }
}
