package import Imaging

/// Finds the rectangles of text lines in a probability map: the box formation of differentiable binarization.
///
/// Pixels above a threshold are joined into regions; each region's rectangle of least area is kept when the mean
/// probability inside is high enough, and grown by `area × unclip / perimeter`, because the network is trained on
/// regions shrunk by as much (Liao et al. 2020, "Real-time Scene Text Detection with Differentiable Binarization",
/// section 3.5; the thresholds are PaddleOCR's defaults but for `minimumScore` and `minimumSide`).
package struct BoxExtraction {
    /// A pixel is text above this probability, 0…1.
    var threshold: Float = 0.3
    /// A region is a line when the mean probability in its rectangle is at least this, 0…1.
    var minimumScore = 0.5
    /// Growth of a rectangle, relative to its area divided by its perimeter.
    var unclip = 1.6
    /// The shorter side of a region before it grows, in pixels of the map: small words of spines have two.
    var minimumSide = 2.0

    package init() {}

    /// Returns the lines that a map shows, in no particular order, and the mean over the map of the values that are
    /// outside of all lines and no noise, 0…1.
    ///
    /// Quads are in the map's pixels, `topLeft` to `topRight` running to the right; one at the border may reach a
    /// little beyond it.
    package func lines(in map: ProbabilityMap) -> (lines: [Quad], missed: Double) {
        let lines = map.regions(above: threshold).compactMap { region -> RotatedRectangle? in
            guard let rectangle = RotatedRectangle(around: region), rectangle.shortSide >= minimumSide,
                rectangle.mean(of: map) >= minimumScore
            else { return nil }
            let area = rectangle.width * rectangle.height
            return rectangle.grown(by: area * unclip / (2 * (rectangle.width + rectangle.height)))
        }
        var isFree = map.values.map { $0 > Self.noise }
        for line in lines { line.forEachPixel(of: map) { isFree[$0] = false } }
        let missed = isFree.indices.reduce(0) { isFree[$1] ? $0 + Double(map.values[$1]) : $0 }
        return (lines.map(\.quad), missed / Double(max(1, isFree.count)))
    }

    /// Maximum probability of a pixel that says nothing.
    private static let noise: Float = 0.05
}

/// A detector's answer: for each pixel of an image, how probable it is that the pixel belongs to text.
package struct ProbabilityMap {
    let width: Int
    let height: Int
    /// `width * height` values in 0…1, row-major.
    let values: [Float]

    /// Creates a map of one value for each pixel.
    package init(width: Int, height: Int, values: [Float]) {
        precondition(values.count == width * height, "one value for each pixel")
        (self.width, self.height, self.values) = (width, height, values)
    }
}

extension ProbabilityMap {
    /// Returns the leftmost and rightmost pixel of each row of each region, as pixel centres.
    ///
    /// A region are pixels above a threshold that touch, corners included; its convex hull is the hull of these.
    func regions(above threshold: Float) -> [[Point]] {
        var isOpen = values.map { $0 > threshold }
        var regions: [[Point]] = []
        var stack: [Int] = []
        var low = [Int](repeating: width, count: height)
        var high = [Int](repeating: -1, count: height)
        for seed in isOpen.indices where isOpen[seed] {
            var (top, bottom) = (seed / width, seed / width)
            isOpen[seed] = false
            stack.append(seed)
            while let pixel = stack.popLast() {
                let (x, y) = (pixel % width, pixel / width)
                (top, bottom) = (min(top, y), max(bottom, y))
                (low[y], high[y]) = (min(low[y], x), max(high[y], x))
                for row in max(0, y - 1)...min(height - 1, y + 1) {
                    for column in max(0, x - 1)...min(width - 1, x + 1) where isOpen[row * width + column] {
                        isOpen[row * width + column] = false
                        stack.append(row * width + column)
                    }
                }
            }
            var points: [Point] = []
            for y in top...bottom {
                points.append(Point(x: Double(low[y]) + 0.5, y: Double(y) + 0.5))
                points.append(Point(x: Double(high[y]) + 0.5, y: Double(y) + 0.5))
                (low[y], high[y]) = (width, -1)
            }
            regions.append(points)
        }
        return regions
    }
}

extension RotatedRectangle {
    /// Returns the mean of the map over the pixels with centres inside the rectangle; 0 without any.
    func mean(of map: ProbabilityMap) -> Double {
        var sum: Float = 0
        var count = 0
        forEachPixel(of: map) {
            sum += map.values[$0]
            count += 1
        }
        return count == 0 ? 0 : Double(sum) / Double(count)
    }

    /// Calls a function with the index of each pixel of a map with its centre inside the rectangle, row by row.
    fileprivate func forEachPixel(of map: ProbabilityMap, _ body: (Int) -> Void) {
        let reachX = (abs(width * axis.x) + abs(height * axis.y)) / 2
        let reachY = (abs(width * axis.y) + abs(height * axis.x)) / 2
        let columns = max(0, Int(centre.x - reachX))..<min(map.width, Int(centre.x + reachX) + 2)
        let rows = max(0, Int(centre.y - reachY))..<min(map.height, Int(centre.y + reachY) + 2)
        // Pixel centres on the border count as inside.
        let (halfWidth, halfHeight) = (width / 2 + 1e-6, height / 2 + 1e-6)
        for y in rows {
            for x in columns {
                let (dx, dy) = (Double(x) + 0.5 - centre.x, Double(y) + 0.5 - centre.y)
                guard abs(dx * axis.x + dy * axis.y) <= halfWidth, abs(dy * axis.x - dx * axis.y) <= halfHeight else {
                    continue
                }
                body(y * map.width + x)
            }
        }
    }
}
