import Foundation
import Imaging

/// A picture in linear light, so that light, blur and noise add up as they do in a camera.
///
/// `height` rows of `width` pixels, row-major: red, green and blue, 1 is white, values may leave 0…1. The fourth lane
/// is unused.
struct Picture {
    typealias Pixel = SIMD4<Float>

    let width: Int
    let height: Int
    var pixels: [Pixel]

    init(width: Int, height: Int, pixels: [Pixel]) {
        precondition(pixels.count == width * height, "the buffer does not fit the size")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Creates the linear light of an image.
    init(_ image: RasterImage) {
        precondition(image.channels == 3, "a picture is RGB")
        let count = image.width * image.height
        let pixels = [Pixel](unsafeUninitializedCapacity: count) { target, initializedCount in
            initializedCount = count
            image.pixels.withUnsafeBufferPointer { bytes in
                ToneCurve.linear.withUnsafeBufferPointer { linear in
                    guard var read = bytes.baseAddress, let light = linear.baseAddress, let to = target.baseAddress
                    else { return }
                    for index in 0..<count {
                        to[index] = Pixel(light[Int(read[0])], light[Int(read[1])], light[Int(read[2])], 0)
                        read += 3
                    }
                }
            }
        }
        self.init(width: image.width, height: image.height, pixels: pixels)
    }

    /// Returns the picture that a sensor sees through `projection`: each pixel the mean of its area, sampled as a grid
    /// of two by two points or more that are at most a pixel apart; the border is repeated.
    func seen(through projection: Projection) -> Picture {
        let (across, down) = (projection.width, projection.height)
        let middle = Point(x: Double(across) / 2, y: Double(down) / 2)
        let here = projection.view.apply(middle)
        func points(_ dx: Double, _ dy: Double) -> Int {
            let there = projection.view.apply(Point(x: middle.x + dx, y: middle.y + dy))
            return max(2, min(16, Int(here.distance(to: there).rounded(.up))))
        }
        let (pointsX, pointsY) = (points(1, 0), points(0, 1))
        let share = 1 / Float(pointsX * pointsY)
        let (stepX, stepY) = (1 / Float(pointsX), 1 / Float(pointsY))
        let grid = ProjectionGrid(projection, flatWidth: width)
        let result = [Pixel](unsafeUninitializedCapacity: across * down) { target, initializedCount in
            initializedCount = across * down
            withUnsafeTemporaryAllocation(of: SIMD2<Float>.self, capacity: 2 * (across + 1)) { corners in
                pixels.withUnsafeBufferPointer { source in
                    guard let to = target.baseAddress, let from = source.baseAddress, var above = corners.baseAddress
                    else { return }
                    let sampler = LinearSampler(pixels: from, width: width, height: height)
                    var below = above + across + 1
                    grid.fill(below, y: 0)
                    for y in 0..<down {
                        swap(&above, &below)
                        grid.fill(below, y: y + 1)
                        for x in 0..<across {
                            // Within a pixel the projection is as good as straight.
                            let right = (above[x + 1] - above[x]) * stepX
                            let down = (below[x] - above[x]) * stepY
                            var line = above[x] + (right + down) * 0.5
                            var sum = Pixel.zero
                            for _ in 0..<pointsY {
                                var place = line
                                for _ in 0..<pointsX {
                                    sum += sampler.light(at: place)
                                    place += right
                                }
                                line += down
                            }
                            to[y * across + x] = sum * share
                        }
                    }
                }
            }
        }
        return Picture(width: across, height: down, pixels: result)
    }
}

/// Sampler of a picture between its pixels, by linear interpolation; used inside one call.
private struct LinearSampler {
    let pixels: UnsafePointer<Picture.Pixel>
    let width: Int
    let height: Int

    @inline(__always)
    func light(at place: SIMD2<Float>) -> Picture.Pixel {
        let column = max(0, min(Float(width - 1), place.x - 0.5))
        let row = max(0, min(Float(height - 1), place.y - 0.5))
        let (left, top) = (Int(column), Int(row))
        let right = left &+ (left &+ 1 < width ? 1 : 0)
        let upper = pixels + top &* width
        let lower = top &+ 1 < height ? upper + width : upper
        let (shareX, shareY) = (column - Float(left), row - Float(top))
        let above = upper[left] + (upper[right] - upper[left]) * shareX
        let below = lower[left] + (lower[right] - lower[left]) * shareX
        return above + (below - above) * shareY
    }
}

extension Picture {
    /// Returns the picture blurred by a Gaussian of `sigma` pixels, cut off at three of them; 0 changes nothing.
    func blurred(sigma: Double) -> Picture {
        guard sigma > 0 else { return self }
        let radius = max(1, Int((3 * sigma).rounded(.up)))
        let weights = (0...radius).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let total = weights[0] + 2 * weights[1...].reduce(0, +)
        return blurred(halfKernel: weights.map { $0 / total })
    }

    /// Returns the picture blurred along both axes by a symmetric kernel, given from its middle to its end.
    func blurred(halfKernel: [Float]) -> Picture {
        var taps: [(offset: Int, weight: Float)] = []
        for (offset, weight) in halfKernel.enumerated() where weight != 0 {
            taps.append((offset, weight))
            if offset > 0 { taps.append((-offset, weight)) }
        }
        return blurred(taps: taps.map { PointSpread.Tap(x: $0.offset, y: 0, weight: $0.weight) })
            .blurred(taps: taps.map { PointSpread.Tap(x: 0, y: $0.offset, weight: $0.weight) })
    }

    func blurred(by spread: PointSpread) -> Picture { blurred(taps: spread.taps) }

    /// Returns the picture with every pixel replaced by the weighted sum of the pixels at the taps' offsets from it.
    private func blurred(taps: [PointSpread.Tap]) -> Picture {
        let reach = taps.map { abs($0.x) }.max() ?? 0
        let (width, height) = (width, height)
        let result = [Pixel](unsafeUninitializedCapacity: width * height) { target, initializedCount in
            initializedCount = width * height
            withUnsafeTemporaryAllocation(of: Pixel.self, capacity: width + 2 * reach) { padded in
                pixels.withUnsafeBufferPointer { source in
                    guard let to = target.baseAddress, let from = source.baseAddress, let row = padded.baseAddress
                    else { return }
                    for y in 0..<height {
                        let sums = to + y * width
                        sums.initialize(repeating: .zero, count: width)
                        for tap in taps {
                            var read = from + max(0, min(height - 1, y + tap.y)) * width
                            if tap.x != 0 {
                                let edges = (read[0], read[width - 1])
                                row.initialize(repeating: edges.0, count: reach)
                                (row + reach).initialize(from: read, count: width)
                                (row + reach + width).initialize(repeating: edges.1, count: reach)
                                read = UnsafePointer(row + reach + tap.x)
                            }
                            for x in 0..<width { sums[x] += read[x] * tap.weight }
                        }
                    }
                }
            }
        }
        return Picture(width: width, height: height, pixels: result)
    }
}

struct PointSpread {
    struct Tap: Equatable {
        var x: Int
        var y: Int
        var weight: Float
    }

    /// Offsets with the share of the light that each gets, row by row; the shares add up to 1.
    let taps: [Tap]

    /// Creates a disc of a radius in pixels, drawn along a line of a length in pixels, in degrees clockwise from the
    /// right.
    init(radius: Double, length: Double, angle: Double) {
        // A point falls on the four pixels around it in proportion, so that the spread moves smoothly with its figures.
        let reach = Int((radius + length / 2).rounded(.up)) + 1
        let side = 2 * reach + 1
        var weights = [Double](repeating: 0, count: side * side)
        func add(_ x: Double, _ y: Double) {
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            let start = (Int(top) + reach) * side + Int(left) + reach
            let (shareX, shareY) = (x - left, y - top)
            weights[start] += (1 - shareX) * (1 - shareY)
            if shareX > 0 { weights[start + 1] += shareX * (1 - shareY) }
            if shareY > 0 { weights[start + side] += (1 - shareX) * shareY }
            if shareX > 0, shareY > 0 { weights[start + side + 1] += shareX * shareY }
        }
        let steps = length > 0 ? Int((4 * length).rounded(.up)) : 0
        let direction = (x: cos(angle * .pi / 180), y: sin(angle * .pi / 180))
        let rings = radius > 0 ? 6 : 0
        for step in 0...steps {
            let along = steps == 0 ? 0 : (Double(step) / Double(steps) - 0.5) * length
            for row in -rings...rings {
                for column in -rings...rings where row * row + column * column <= rings * rings {
                    let scale = rings == 0 ? 0 : radius / Double(rings)
                    add(along * direction.x + Double(column) * scale, along * direction.y + Double(row) * scale)
                }
            }
        }
        let total = weights.reduce(0, +)
        // Weights below a byte's resolution are omitted, and their share given to the others.
        let kept = weights.indices.filter { weights[$0] > total / 2000 }
        let rest = kept.reduce(0) { $0 + weights[$1] }
        taps = kept.map { index in
            Tap(x: index % side - reach, y: index / side - reach, weight: Float(weights[index] / rest))
        }
    }
}
