internal import Basics

extension RasterImage {
    /// Returns the inside of `quad` straightened into a rectangle; nil when the quad is not strictly convex.
    ///
    /// The rectangle's corners are the quad's corners. Pixel (i, j) of the result has its centre at (i + ½, j + ½) of
    /// the rectangle, and takes the value of this image at that point's place in the quad, where this image's pixels
    /// have their centres at halves as well: a quad that runs along pixel borders, at its own size, is copied
    /// exactly. Values between centres come from ``CubicKernel``; beyond its edges the image repeats its border. When
    /// the quad has more than one and a half times the pixels of the rectangle along either side, several points are
    /// averaged into one pixel, so that fine detail turns grey instead of into false patterns.
    ///
    /// - Precondition: `width` and `height` are positive.
    public func cropped(to quad: Quad, width: Int, height: Int) -> RasterImage? {
        precondition(width > 0 && height > 0, "an image has at least one pixel")
        guard let map = Homography(width: Double(width), height: Double(height), to: quad) else { return nil }
        let (shrinkX, shrinkY) = (quad.length / Double(width), quad.thickness / Double(height))
        let factor = Int(min(shrinkX, shrinkY, 65_536))
        if factor >= 2 {
            let (part, x, y) = shrunk(around: quad, by: factor)
            let scale = Double(factor)
            let smaller = quad.mapped { Point(x: ($0.x - Double(x)) / scale, y: ($0.y - Double(y)) / scale) }
            return part.cropped(to: smaller, width: width, height: height)
        }
        // A quad so much longer than its rectangle is mostly outside any image: past 64 the average changes little.
        func samples(_ shrink: Double) -> Int { shrink <= 1.5 ? 1 : Int(min(shrink, 64).rounded(.up)) }
        return warped(map, width: width, height: height, across: samples(shrinkX), down: samples(shrinkY))
    }

    /// Returns a part of the image around the quad, averaged over blocks of `factor` pixels, with its corner in this
    /// image.
    private func shrunk(around quad: Quad, by factor: Int) -> (part: RasterImage, x: Int, y: Int) {
        // The cubic kernel reaches two of the smaller pixels past the quad.
        let margin = Double(2 * factor)
        func range(_ values: [Double], limit: Int) -> Range<Int> {
            let low = (values.min() ?? 0) - margin
            let high = (values.max() ?? 0) + margin
            let start = Int(min(max(low, 0), Double(limit - 1)))
            return start..<max(start + 1, Int(min(max(high, 0), Double(limit)).rounded(.up)))
        }
        let columns = range(quad.corners.map(\.x), limit: width)
        let rows = range(quad.corners.map(\.y), limit: height)
        let part = cropped(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count) ?? self
        let shrunk = part.resampled(
            columns: AxisWeights(blocksOf: factor, in: part.width),
            rows: AxisWeights(blocksOf: factor, in: part.height)
        )
        return (shrunk, columns.lowerBound, rows.lowerBound)
    }

    /// Returns the image seen through `map`, `across` × `down` points averaged into each pixel.
    private func warped(_ map: Homography, width: Int, height: Int, across: Int, down: Int) -> RasterImage {
        let channels = channels
        WorkMeter.count(.pixelsWarped, width * height)
        let warped = [UInt8](unsafeUninitializedCapacity: width * height * channels) { target, initializedCount in
            initializedCount = width * height * channels
            withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { sums in
                PixelSampler.withSampler(of: self) { sampler in
                    guard let sum = sums.baseAddress, var write = target.baseAddress else { return }
                    for y in 0..<height {
                        if across == 1 && down == 1 {
                            Self.sampleRow(sum, y, width, map, sampler)
                        } else {
                            sums.initialize(repeating: .zero)
                            Self.averageRow(sum, y, width, map, sampler, across, down)
                        }
                        for x in 0..<width {
                            let value = sum[x]
                            write[0] = CubicKernel.byte(value.x)
                            if channels == 3 {
                                write[1] = CubicKernel.byte(value.y)
                                write[2] = CubicKernel.byte(value.z)
                            }
                            write += channels
                        }
                    }
                }
            }
        }
        return RasterImage(width: width, height: height, channels: channels, pixels: warped)
    }

    /// Samples one row of the result, one point a pixel, a lane a channel.
    ///
    /// All four lanes are written to memory although no more than three count: the compiler splits a vector with an
    /// unread lane into scalars, which is half as fast.
    private static func sampleRow(
        _ row: UnsafeMutablePointer<SIMD4<Float>>,
        _ y: Int,
        _ width: Int,
        _ map: Homography,
        _ sampler: PixelSampler
    ) {
        var walk = RowWalk(map, x: 0.5, y: Double(y) + 0.5, step: 1)
        if sampler.channels == 1 {
            for column in 0..<width {
                let (x, y) = walk.next()
                row[column] = SIMD4(repeating: sampler.grey(x, y))
            }
        } else {
            for column in 0..<width {
                let (x, y) = walk.next()
                row[column] = sampler.colour(x, y)
            }
        }
    }

    /// Averages one row of the result, a grid of points a pixel, added to a row of zeros.
    ///
    /// The points are close, so linear interpolation between the source's pixels suffices.
    private static func averageRow(
        _ row: UnsafeMutablePointer<SIMD4<Float>>,
        _ y: Int,
        _ width: Int,
        _ map: Homography,
        _ sampler: PixelSampler,
        _ across: Int,
        _ down: Int
    ) {
        let share = 1 / Float(across * down)
        let step = 1 / Double(across)
        for line in 0..<down {
            var walk = RowWalk(map, x: step / 2, y: Double(y) + (Double(line) + 0.5) / Double(down), step: step)
            for column in 0..<width {
                var total = SIMD4<Float>.zero
                for _ in 0..<across {
                    let (x, y) = walk.next()
                    total += sampler.linear(x, y)
                }
                row[column] += total * share
            }
        }
    }
}

/// A walk along a row of the rectangle in even steps, with each point's place in the source, in pixel centres: 0 is
/// the middle of the first pixel.
private struct RowWalk {
    private var x: Double
    private var y: Double
    private var w: Double
    private let stepX: Double
    private let stepY: Double
    private let stepW: Double
    private let isAffine: Bool

    init(_ map: Homography, x: Double, y: Double, step: Double) {
        let m = map.elements
        // Half a pixel off every source coordinate, folded into the numerators: p/w − ½ = (p − w/2)/w.
        w = m[6] * x + m[7] * y + m[8]
        self.x = m[0] * x + m[1] * y + m[2] - w / 2
        self.y = m[3] * x + m[4] * y + m[5] - w / 2
        stepX = (m[0] - m[6] / 2) * step
        stepY = (m[3] - m[6] / 2) * step
        stepW = m[6] * step
        isAffine = map.isAffine
    }

    /// Returns this point, and moves on to the next.
    @inline(__always)
    mutating func next() -> (x: Double, y: Double) {
        defer {
            x += stepX
            y += stepY
            w += stepW
        }
        if isAffine { return (x, y) }
        let scale = 1 / w
        return (x * scale, y * scale)
    }
}
