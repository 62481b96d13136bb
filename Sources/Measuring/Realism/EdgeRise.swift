import Raster

/// How many pixels edges take to rise: what a picture's sharpness comes to at its own resolution.
///
/// An edge reaches from one turning point of a row or column to the next; its rise is the distance between the places
/// where 10 % and 90 % of the way are passed, between pixels by straight lines: 0.8 pixels for a perfect edge, 2.56 σ for
/// one that a Gaussian has blurred, and up to 0.15 pixels more where σ is small.
///
/// Source: edges from turning point to turning point after Marziliano et al., "A no-reference perceptual blur metric",
/// ICIP 2002; 10 % to 90 % as ISO 12233 has it.
enum EdgeRise {
    /// The rise of every edge that is `atLeast` 8-bit steps high, rows first, then columns.
    static func rises(in luma: RasterImage, atLeast height: Double) -> [Double] {
        // Smaller reversals are noise and end no edge.
        let tolerance = max(2, 0.3 * height)
        var rises: [Double] = []
        for y in 0..<luma.height {
            let row = luma.pixels[y * luma.width..<(y + 1) * luma.width].map(Double.init)
            rises += self.rises(along: row, atLeast: height, tolerance: tolerance)
        }
        for x in 0..<luma.width {
            let column = (0..<luma.height).map { Double(luma.pixels[$0 * luma.width + x]) }
            rises += self.rises(along: column, atLeast: height, tolerance: tolerance)
        }
        return rises
    }

    /// The same along one line of values; `tolerance` is how far values must turn back to end an edge.
    static func rises(along values: [Double], atLeast height: Double, tolerance: Double) -> [Double] {
        let turns = turningPoints(of: values, tolerance: tolerance)
        return zip(turns, turns.dropFirst()).compactMap { start, end in
            abs(values[end] - values[start]) >= height ? rise(of: values, from: start, to: end) : nil
        }
    }

    /// Where values stop rising or falling for good, ends included; empty when they do neither.
    private static func turningPoints(of values: [Double], tolerance: Double) -> [Int] {
        var turns: [Int] = []
        /// The lowest and the highest so far, until it is known which way the values go.
        var (lowest, highest) = (0, 0)
        /// 1 while values rise, −1 while they fall, and the furthest that they have come.
        var (direction, furthest) = (0.0, 0)
        for index in values.indices {
            if direction == 0 {
                if values[index] < values[lowest] { lowest = index }
                if values[index] > values[highest] { highest = index }
                guard values[highest] - values[lowest] > tolerance else { continue }
                direction = highest > lowest ? 1 : -1
                turns.append(min(lowest, highest))
                furthest = index
            } else {
                let progress = direction * (values[index] - values[furthest])
                if progress > 0 {
                    furthest = index
                } else if progress < -tolerance {
                    turns.append(furthest)
                    (direction, furthest) = (-direction, index)
                }
            }
        }
        return direction == 0 ? [] : turns + [furthest]
    }

    private static func rise(of values: [Double], from start: Int, to end: Int) -> Double {
        let (first, whole) = (values[start], values[end] - values[start])
        func share(_ index: Int) -> Double { (values[index] - first) / whole }
        func place(_ level: Double, after index: Int) -> Double {
            Double(index) + (level - share(index)) / (share(index + 1) - share(index))
        }
        // The first time that 90 % is passed, and the last time before it that 10 % is.
        let top = (start..<end).first { share($0 + 1) >= 0.9 } ?? end - 1
        let bottom = (start...top).last { share($0) <= 0.1 } ?? start
        return place(0.9, after: top) - place(0.1, after: bottom)
    }
}
