extension RasterImage {
    /// The inside of `quad` straightened into a rectangle; nil when the quad is not strictly convex.
    ///
    /// The rectangle's corners are the quad's corners. Pixel (i, j) of the result has its centre at (i + ½, j + ½) of the
    /// rectangle, and takes the value of this image at that point's place in the quad, where this image's pixels have
    /// their centres at halves as well: a quad that runs along pixel borders, at its own size, is copied exactly. Values
    /// between centres come from ``CubicKernel``; beyond its edges the image repeats its border. When the quad has more
    /// than one and a half times the pixels of the rectangle along either side, several points are averaged into one
    /// pixel, so that fine detail turns grey instead of into false patterns.
    ///
    /// - Precondition: `width` and `height` are positive.
    public func cropped(to quad: Quad, width: Int, height: Int) -> RasterImage? {
        precondition(width > 0 && height > 0, "an image has at least one pixel")
        guard let map = Homography(width: Double(width), height: Double(height), to: quad) else { return nil }
        let across = (quad.topLeft.distance(to: quad.topRight) + quad.bottomLeft.distance(to: quad.bottomRight)) / 2
        let down = (quad.topLeft.distance(to: quad.bottomLeft) + quad.topRight.distance(to: quad.bottomRight)) / 2
        let (shrinkX, shrinkY) = (across / Double(width), down / Double(height))
        let factor = Int(min(shrinkX, shrinkY, 65_536))
        if factor >= 2 {
            let (part, x, y) = shrunk(around: quad, by: factor)
            let scale = Double(factor)
            let smaller = quad.mapped { Point(x: ($0.x - Double(x)) / scale, y: ($0.y - Double(y)) / scale) }
            return part.cropped(to: smaller, width: width, height: height)
        }
        // A quad so much longer than its rectangle lies mostly outside any image: past 64 the average changes little.
        func samples(_ shrink: Double) -> Int { shrink <= 1.5 ? 1 : Int(min(shrink, 64).rounded(.up)) }
        return warped(map, width: width, height: height, across: samples(shrinkX), down: samples(shrinkY))
    }

    /// What lies around the quad, averaged over blocks of `factor` pixels, and where its corner is in this image.
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

    /// The image seen through `map`, `across` × `down` points averaged into each pixel.
    private func warped(_ map: Homography, width: Int, height: Int, across: Int, down: Int) -> RasterImage {
        let channels = channels
        let warped = [UInt8](unsafeUninitializedCapacity: width * height * channels) { target, initializedCount in
            initializedCount = width * height * channels
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 * channels) { patch in
                pixels.withUnsafeBufferPointer { source in
                    guard let from = source.baseAddress, let edge = patch.baseAddress, let to = target.baseAddress
                    else {
                        return
                    }
                    let sampler = PixelSampler(
                        pixels: from,
                        width: self.width,
                        height: self.height,
                        channels: channels,
                        patch: edge
                    )
                    var write = to
                    for y in 0..<height {
                        if across == 1 && down == 1 {
                            Self.fillRow(&write, y, width, map, sampler)
                        } else {
                            Self.averageRow(&write, y, width, map, sampler, across, down)
                        }
                    }
                }
            }
        }
        return RasterImage(width: width, height: height, channels: channels, pixels: warped)
    }

    /// One row of the result, one point a pixel.
    private static func fillRow(
        _ write: inout UnsafeMutablePointer<UInt8>,
        _ y: Int,
        _ width: Int,
        _ map: Homography,
        _ sampler: PixelSampler
    ) {
        var walk = RowWalk(map, x: 0.5, y: Double(y) + 0.5, step: 1)
        for _ in 0..<width {
            let (x, y) = walk.next()
            if sampler.channels == 1 {
                write[0] = CubicKernel.byte(sampler.grey(x, y))
                write += 1
            } else {
                let colour = sampler.colour(x, y)
                write[0] = CubicKernel.byte(colour.x)
                write[1] = CubicKernel.byte(colour.y)
                write[2] = CubicKernel.byte(colour.z)
                write += 3
            }
        }
    }

    /// One row of the result, a grid of points a pixel. Straight lines between pixels will do, as the points lie close.
    private static func averageRow(
        _ write: inout UnsafeMutablePointer<UInt8>,
        _ y: Int,
        _ width: Int,
        _ map: Homography,
        _ sampler: PixelSampler,
        _ across: Int,
        _ down: Int
    ) {
        let share = 1 / Float(across * down)
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { sums in
            sums.initialize(repeating: .zero)
            guard let sum = sums.baseAddress else { return }
            for line in 0..<down {
                let step = 1 / Double(across)
                var walk = RowWalk(map, x: step / 2, y: Double(y) + (Double(line) + 0.5) / Double(down), step: step)
                for column in 0..<width {
                    var total = sum[column]
                    for _ in 0..<across {
                        let (x, y) = walk.next()
                        total += sampler.linear(x, y)
                    }
                    sum[column] = total
                }
            }
            for column in 0..<width {
                for channel in 0..<sampler.channels { write[channel] = CubicKernel.byte(sum[column][channel] * share) }
                write += sampler.channels
            }
        }
    }
}

/// Walks a row of the rectangle in even steps and gives each point's place in the source, in pixel centres: 0 is the
/// middle of the first pixel.
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

    /// This point, and on to the next.
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
