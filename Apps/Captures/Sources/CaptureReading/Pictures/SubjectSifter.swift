import Foundation
package import Imaging

package struct SiftedSubject: Sendable, Equatable {
    /// Share of each pixel that belongs to the subject: grey, as large as the picture, 0 for none to 255 for all.
    package var mask: RasterImage
    /// Left edge of the bounding box: pixels of the picture, y down, axis-aligned around pixels that are at least
    /// half the subject's.
    package var minX: Int
    /// See `minX`.
    package var minY: Int
    /// See `minX`; exclusive.
    package var maxX: Int
    /// See `minX`; exclusive.
    package var maxY: Int
    /// Share of the picture that is the subject's, 0…1.
    package var share: Double

    /// Creates the subject of a mask; nil without a pixel that is at least half the subject's.
    init?(mask: RasterImage) {
        var (minX, minY, maxX, maxY, sum) = (mask.width, mask.height, 0, 0, 0)
        for y in 0..<mask.height {
            for x in 0..<mask.width {
                let value = mask.pixels[y * mask.width + x]
                sum += Int(value)
                guard value >= 128 else { continue }
                (minX, maxX) = (min(minX, x), max(maxX, x + 1))
                (minY, maxY) = (min(minY, y), y + 1)
            }
        }
        guard minX < maxX else { return nil }
        self.mask = mask
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
        share = Double(sum) / Double(255 * mask.width * mask.height)
    }

    /// Returns how much of the warm places, those of 0.5 and more, is the subject's, 0 to 1; 0 without any.
    ///
    /// `heat`: as many rows as columns of places of the whole picture, 0 to 1.
    package func cover(of heat: [Float]) -> Double {
        let side = Int(Double(heat.count).squareRoot())
        let grid = mask.resized(width: side, height: side)
        let warm = heat.indices.filter { heat[$0] >= 0.5 }
        let covered = warm.map { Int(grid.pixels[$0]) }.reduce(0, +)
        return Double(covered) / Double(255 * max(1, warm.count))
    }

    /// Share of the picture's border that the subject touches, 0 to 1.
    package var borderShare: Double {
        let (width, height) = (mask.width, mask.height)
        var border: [Int] = []
        for x in 0..<width { border += [x, (height - 1) * width + x] }
        for y in 0..<height { border += [y * width, y * width + width - 1] }
        let touched = border.count { mask.pixels[$0] >= 128 }
        return Double(touched) / Double(border.count)
    }

    /// Pixels of a cut-out's long side at most: a lossless file of a whole photo would be larger than the photo.
    static let cutOutSide = 512

    /// Returns the subject alone: an RGB PNG file with alpha, cut to its bounding box, at most ``cutOutSide`` pixels;
    /// colours to 6 bits.
    ///
    /// - Returns: the file's bytes.
    /// - Precondition: the picture is as large as the mask.
    package func cutOut(of image: RasterImage) throws -> [UInt8] {
        precondition(image.width == mask.width && image.height == mask.height, "the mask is another picture's")
        let (width, height) = (maxX - minX, maxY - minY)
        var part = image.rgb().cropped(x: minX, y: minY, width: width, height: height) ?? image.rgb()
        let alpha = (mask.cropped(x: minX, y: minY, width: width, height: height) ?? mask).fitted(to: Self.cutOutSide)
        part = part.fitted(to: Self.cutOutSide)
        // Where nothing of it is seen, one colour is smaller; so are multiples of four.
        for index in part.pixels.indices {
            part.pixels[index] = alpha.pixels[index / 3] == 0 ? 0 : part.pixels[index] & 0xFC | 2
        }
        return try ImageCodec.encodePNG(part, alpha: alpha)
    }
}

/// Separator of a picture's subject from its background.
///
/// The background is modelled from the border: a smooth trend of colour over the picture, and a mixture of colours
/// around it; soft shadows that reach it belong to it. Differing pixels are the subject's first guess; mixtures of
/// both, and a mean field between neighbours whose ties give way at edges (the energy is that of GrabCut: Rother,
/// Kolmogorov and Blake 2004), make it the mask on a small plane. At full size, a pixel of its edge is shared between
/// the colours on both sides.
package enum SubjectSifter {
    /// Pixels of the long side of the plane that the mask is found on.
    static let planeSide = 160

    /// Returns the subject of a picture.
    ///
    /// - Parameters:
    ///   - image: the picture.
    ///   - heat: how much each place of the picture belongs to it, 0 to 1, where that is known: as many rows as columns. Its
    ///     colours are then parted from those of the cold places.
    /// - Returns: nil without a subject: the border and the inside do not differ, less than 1 % or more than 85 % of
    ///   the picture differs, the differing part has no clear edge, or consists of scattered pieces none of which is
    ///   three fifths of it; with heat, also where most of a border cuts it.
    package static func subject(of image: RasterImage, heat: [Float]? = nil) -> SiftedSubject? {
        guard min(image.width, image.height) >= 16 else { return nil }
        let small = image.rgb().fitted(to: planeSide)
        guard min(small.width, small.height) >= 16 else { return nil }
        let warmth = heat.map { heat in
            let side = Int(Double(heat.count).squareRoot())
            let pixels = heat.map { UInt8(max(0, min(1, $0)) * 255) }
            let grid = RasterImage(width: side, height: side, channels: 1, pixels: pixels)
            return grid.resized(width: small.width, height: small.height).pixels.map { Float($0) / 255 }
        }
        var parting = ColourSplit(LabPlane(small))
        guard let shares = warmth.map({ parting.shares(heat: $0) }) ?? parting.shares() else { return nil }
        return EdgeRefinement(small: small, shares: shares).subject(of: image)
    }
}

/// The parting of a small plane into subject and background.
private struct ColourSplit {
    private let plane: LabPlane
    private let smooth: LabPlane
    private var width: Int { plane.width }
    private var height: Int { plane.height }
    /// Indices of the pixels along the border.
    private let ring: [Int]

    init(_ plane: LabPlane) {
        self.plane = plane
        smooth = plane.smoothed
        let (width, height) = (plane.width, plane.height)
        let depth = max(2, min(width, height) / 25)
        ring = plane.values.indices.filter { index in
            let (x, y) = (index % width, index / width)
            return min(x, y, width - 1 - x, height - 1 - y) < depth
        }
    }

    /// Returns the share of each pixel that is the subject's, 0…1; nil for no subject.
    mutating func shares() -> [Float]? {
        let trend = ColourTrend(plane, at: ring)
        let rest = plane.values.indices.map { plane.values[$0] - trend[$0] }
        let background = background(rest)
        let costs = rest.map { background.cost($0) }
        // 20: one in 5,000 of the background's pixels is farther off (chi-square of three degrees).
        let isShade = shade(rest, trend, background, costs.map { $0.distance < 20 })
        var isSubject = plane.values.indices.map { costs[$0].distance > 20 && !isShade[$0] }
        var shares: [Float] = []
        for _ in 0..<3 {
            let count = isSubject.count { $0 }
            guard count * 100 >= plane.values.count, count * 10 <= plane.values.count * 9 else { return nil }
            let own = ColourMixture(plane.values.indices.filter { isSubject[$0] }.map { plane.values[$0] }, count: 5)
            let evidence = plane.values.indices.map { index in
                let difference = min(6, max(-6, costs[index].cost - own.cost(plane.values[index]).cost))
                return isShade[index] ? min(difference, -1) : difference
            }
            shares = meanField(evidence)
            isSubject = shares.map { $0 > 0.5 }
        }
        return whole(isSubject, shares)
    }

    /// Returns the share of each pixel that is the subject's by where it is warm; nil for no clear one.
    mutating func shares(heat: [Float]) -> [Float]? {
        var isSubject = heat.map { $0 > 0.5 }
        var isGround = heat.map { $0 < 0.2 }
        var shares: [Float] = []
        for _ in 0..<4 {
            let inside = plane.values.indices.filter { isSubject[$0] }
            let outside = plane.values.indices.filter { isGround[$0] }
            guard inside.count * 50 >= heat.count, outside.count * 10 >= heat.count else { return nil }
            let own = ColourMixture(inside.map { plane.values[$0] }, count: 5)
            let ground = ColourMixture(outside.map { plane.values[$0] }, count: 7)
            let evidence = plane.values.indices.map { index in
                let difference = ground.cost(plane.values[index]).cost - own.cost(plane.values[index]).cost
                return min(4, max(-4, difference)) + Self.pull * (heat[index] - 0.35)
            }
            shares = meanField(evidence)
            isSubject = shares.map { $0 > 0.5 }
            isGround = shares.map { $0 <= 0.5 }
        }
        let cut = ring.count { isSubject[$0] }
        guard cut * 4 <= ring.count else { return nil }
        return whole(isSubject, shares)
    }

    /// How much warmth counts beside colour.
    private static let pull: Float = 8

    /// Returns the shares of the largest piece with its holes; nil where it is not most of it, or has no clear edge.
    private func whole(_ found: [Bool], _ foundShares: [Float]) -> [Float]? {
        var (isSubject, shares) = (found, foundShares)
        // Among many objects that differ from the border, the subject is ambiguous.
        guard let largest = Self.components(isSubject, width: width).max(by: { $0.count < $1.count }),
            largest.count * 5 >= isSubject.count(where: \.self) * 3
        else { return nil }
        isSubject = [Bool](repeating: false, count: shares.count)
        for index in largest { isSubject[index] = true }
        // Holes: small ones are the subject's own, through large ones the background is seen.
        for hole in Self.components(isSubject.map(!), width: width) where hole.count * 33 < largest.count {
            for index in hole { (isSubject[index], shares[index]) = (true, 1) }
        }
        for index in shares.indices where !isSubject[index] && shares[index] > 0.5 { shares[index] = 0 }
        let share = Double(isSubject.count { $0 }) / Double(shares.count)
        return (0.01...0.85).contains(share) && hasClearEdge(isSubject) ? shares : nil
    }

    /// Returns the colours of the border around their trend, but for those of something that reaches in at one place.
    private func background(_ rest: [SIMD3<Float>]) -> ColourMixture {
        var mixture = ColourMixture(ring.map { rest[$0] }, count: 5)
        var sums = [SIMD2<Float>](repeating: .zero, count: mixture.parts.count)
        var counts = [Float](repeating: 0, count: mixture.parts.count)
        for (index, part) in zip(ring, mixture.owners) {
            let place = SIMD2(Float(index % width) / Float(width), Float(index / width) / Float(height)) - 0.5
            sums[part] += place / (place * place).sum().squareRoot()
            counts[part] += 1
        }
        mixture.drop { index, part in
            let mean = sums[index] / max(1, counts[index])
            // Seen from the centre, all within about 60 degrees.
            return part.share < 0.25 && (mean * mean).sum() > 0.72
        }
        return mixture
    }

    /// Returns soft shadows: areas darker than the background in its own hue, and connected to it without a sharp
    /// step.
    private func shade(
        _ rest: [SIMD3<Float>],
        _ trend: ColourTrend,
        _ background: ColourMixture,
        _ isBackground: [Bool]
    ) -> [Bool] {
        func step(_ a: Int, _ b: Int) -> Float {
            ColourMixture.square(smooth.values[a] - smooth.values[b]).squareRoot()
        }
        let steps = ring.filter { $0 % width < width - 1 }.map { step($0, $0 + 1) }.sorted()
        let most = max(4, steps[steps.count * 19 / 20])
        var isReached = [Bool](repeating: false, count: rest.count)
        var queue = ring.filter { isBackground[$0] }
        for index in queue { isReached[index] = true }
        var next = 0
        while next < queue.count {
            let from = queue[next]
            next += 1
            for to in Self.neighbours(of: from, width: width, count: rest.count) where !isReached[to] {
                guard isBackground[to] || step(from, to) < most else { continue }
                let isDarker = background.parts.contains { part in
                    // Less light scales X, Y and Z alike, so L* + 16, a* and b* alike: down to a quarter of the light.
                    let lit = trend[to] + part.mean
                    let scale = (plane.values[to].x + 16) / (lit.x + 16)
                    let (a, b) = (plane.values[to].y - scale * lit.y, plane.values[to].z - scale * lit.z)
                    return scale > 0.6 && scale < 1.05 && abs(a) < 8 && abs(b) < 8
                }
                guard isBackground[to] || isDarker else { continue }
                isReached[to] = true
                queue.append(to)
            }
        }
        return isReached
    }

    /// Shares by the evidence at each pixel and the ties to its eight neighbours.
    private func meanField(_ evidence: [Float]) -> [Float] {
        let offsets = [(1, 0), (0, 1), (1, 1), (-1, 1)]
        var ties = [[Float]](repeating: [Float](repeating: 0, count: evidence.count), count: 4)
        var (sum, count): (Float, Float) = (0, 0)
        for (direction, (dx, dy)) in offsets.enumerated() {
            for y in 0..<height - dy {
                for x in max(0, -dx)..<width - max(0, dx) {
                    let index = y * width + x
                    let square = ColourMixture.square(plane.values[index] - plane.values[index + dy * width + dx])
                    ties[direction][index] = square
                    (sum, count) = (sum + square, count + 1)
                }
            }
        }
        // GrabCut's beta: an edge is more than twice the mean.
        let beta = 1 / max(1, 2 * sum / max(1, count))
        for (direction, (dx, dy)) in offsets.enumerated() {
            for y in 0..<height {
                for x in 0..<width {
                    let index = y * width + x
                    let isInside = y + dy < height && (0..<width).contains(x + dx)
                    let strength: Float = dx != 0 && dy != 0 ? 1.4 : 2
                    ties[direction][index] = isInside ? strength * exp(-beta * ties[direction][index]) : 0
                }
            }
        }
        var shares = evidence.map { 1 / (1 + exp(-$0)) }
        for _ in 0..<10 {
            for index in shares.indices {
                var field = evidence[index]
                for (direction, (dx, dy)) in offsets.enumerated() {
                    let offset = dy * width + dx
                    let forth = ties[direction][index]
                    if forth > 0 { field += forth * (2 * shares[index + offset] - 1) }
                    if index >= offset, ties[direction][index - offset] > 0 {
                        field += ties[direction][index - offset] * (2 * shares[index - offset] - 1)
                    }
                }
                shares[index] = 1 / (1 + exp(-field))
            }
        }
        return shares
    }

    /// Returns whether colour changes by more than 10 units within four pixels across most of the outline.
    private func hasClearEdge(_ isSubject: [Bool]) -> Bool {
        var (clear, all) = (0, 0)
        for y in 2..<height - 2 {
            for x in 2..<width - 2 {
                let index = y * width + x
                for offset in [1, width] where isSubject[index] != isSubject[index + offset] {
                    all += 1
                    let difference = smooth.values[index - offset] - smooth.values[index + 2 * offset]
                    if ColourMixture.square(difference) > 100 { clear += 1 }
                }
            }
        }
        return clear * 5 > all * 3
    }

    private static func neighbours(of index: Int, width: Int, count: Int) -> [Int] {
        var all: [Int] = []
        if index % width > 0 { all.append(index - 1) }
        if index % width < width - 1 { all.append(index + 1) }
        if index >= width { all.append(index - width) }
        if index + width < count { all.append(index + width) }
        return all
    }

    /// Returns the components of pixels that are connected by their sides.
    private static func components(_ isIn: [Bool], width: Int) -> [[Int]] {
        var isTaken = isIn.map(!)
        var all: [[Int]] = []
        for seed in isTaken.indices where !isTaken[seed] {
            isTaken[seed] = true
            var part = [seed]
            var next = 0
            while next < part.count {
                for to in neighbours(of: part[next], width: width, count: isIn.count) where !isTaken[to] {
                    isTaken[to] = true
                    part.append(to)
                }
                next += 1
            }
            all.append(part)
        }
        return all
    }
}

/// The mask at full size: a pixel near the edge is shared between the colours on both sides of it.
private struct EdgeRefinement {
    private let width: Int
    private let height: Int
    private let shares: [Float]
    /// Colours that surely belong to one side, around each pixel of the small plane: RGB, 0…255.
    private let inside: [SIMD3<Float>]
    private let outside: [SIMD3<Float>]

    init(small: RasterImage, shares: [Float]) {
        (width, height, self.shares) = (small.width, small.height, shares)
        inside = Self.means(small) { shares[$0] > 0.9 }
        outside = Self.means(small) { shares[$0] < 0.1 }
    }

    /// Means of the colours within three pixels that are in; not numbers where there are none.
    private static func means(_ small: RasterImage, of isIn: (Int) -> Bool) -> [SIMD3<Float>] {
        let (width, height) = (small.width, small.height)
        return (0..<width * height).map { index in
            let (x, y) = (index % width, index / width)
            var (sum, count) = (SIMD3<Float>.zero, Float(0))
            for row in max(0, y - 3)...min(height - 1, y + 3) {
                for column in max(0, x - 3)...min(width - 1, x + 3) where isIn(row * width + column) {
                    let start = 3 * (row * width + column)
                    sum += SIMD3(
                        Float(small.pixels[start]),
                        Float(small.pixels[start + 1]),
                        Float(small.pixels[start + 2])
                    )
                    count += 1
                }
            }
            return sum / count
        }
    }

    func subject(of image: RasterImage) -> SiftedSubject? {
        let picture = image.rgb()
        let coarse = RasterImage(width: width, height: height, channels: 1, pixels: shares.map { UInt8($0 * 255) })
        var mask = coarse.resized(width: image.width, height: image.height)
        for y in 0..<image.height {
            let line = y * height / image.height * width
            for x in 0..<image.width {
                let index = y * image.width + x
                let place = line + x * width / image.width
                let (near, far) = (inside[place], outside[place])
                let gap = near - far
                let size = ColourMixture.square(gap)
                // Only where both sides are near, and differ by more than noise.
                if size > 900 {
                    let bytes = picture.pixels[3 * index..<3 * index + 3]
                    let colour = SIMD3(bytes.map(Float.init))
                    let share = ((colour - far) * gap).sum() / size
                    // Noise and texture on either side do not count as an edge.
                    let sharp = min(1, max(0, 1.6 * share - 0.3))
                    let both = 0.5 * sharp + 0.5 * Float(mask.pixels[index]) / 255
                    mask.pixels[index] = UInt8(255 * min(1, max(0, 1.6 * both - 0.3)))
                }
            }
        }
        return SiftedSubject(mask: mask)
    }
}
