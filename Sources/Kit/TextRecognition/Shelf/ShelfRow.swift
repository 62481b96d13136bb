internal import Imaging

/// A row of upright books side by side, found by its text.
struct ShelfRow: Sendable {
    /// Lines of its books, in the photo's pixels.
    var lines: [ReadLine]
    /// Rows of pixels that its text reaches over, and a little more.
    var top: Int
    var bottom: Int
    /// Columns of pixels that its text reaches over, and a book's width more.
    var left: Int
    var right: Int
    /// Mean lean of upright lines: columns to the right for each row downwards.
    var lean: Double

    var height: Int { bottom - top }
}

extension ShelfRow {
    /// Share of the maximum number of upright lines, below which a row's height is cut.
    private static let leastCoverage = 0.12

    /// Returns the rows of a photo's lines, from the top.
    ///
    /// Text that runs down or up is on an upright book; a stretch of the photo's height without such text ends one
    /// row and begins the next.
    ///
    /// - Returns: The rows, without lines of horizontal books, of signs, and other text.
    static func rows(of lines: [ReadLine], width: Int, height: Int) -> [ShelfRow] {
        let standing = lines.filter(\.stands)
        guard !standing.isEmpty else { return [] }
        let lean = standing.map { (lean: $0.quad.lean, weight: $0.quad.length) }.median
        var coverage = [Double](repeating: 0, count: height)
        for line in standing {
            let span = line.quad.rows(lean: lean, height: height)
            for y in span { coverage[y] += 1 }
        }
        let least = max(0.5, leastCoverage * (coverage.max() ?? 0))
        var bands: [Range<Int>] = []
        for y in 0..<height where coverage[y] >= least {
            if let last = bands.last, last.upperBound == y {
                bands[bands.count - 1] = last.lowerBound..<y + 1
            } else {
                bands.append(y..<y + 1)
            }
        }
        bands = joined(bands)
        var members = [[ReadLine]](repeating: [], count: bands.count)
        for line in lines {
            let span = line.quad.rows(lean: lean, height: height)
            let middle = (span.lowerBound + span.upperBound) / 2
            let shared = bands.indices.max { bands[$0].shared(with: span) < bands[$1].shared(with: span) }
            if let shared, bands[shared].shared(with: span) > 0, line.stands || bands[shared].contains(middle) {
                members[shared].append(line)
            }
        }
        return members.map { ShelfRow($0, lean: lean, width: width, height: height) }
    }

    /// Returns the bands, merged if they are nearer to each other than a tenth of their height.
    private static func joined(_ bands: [Range<Int>]) -> [Range<Int>] {
        bands.reduce(into: []) { joined, band in
            guard let last = joined.last, band.lowerBound - last.upperBound < max(last.count, band.count) / 10 else {
                joined.append(band)
                return
            }
            joined[joined.count - 1] = last.lowerBound..<band.upperBound
        }
    }

    /// Creates the row of lines that all belong to it, on a photo of a size in pixels.
    init(_ lines: [ReadLine], lean: Double? = nil, width: Int, height: Int) {
        let leans = lines.filter(\.stands).map { (lean: $0.quad.lean, weight: $0.quad.length) }
        let points = lines.flatMap(\.quad.corners)
        let thickness = lines.map(\.quad.thickness).max() ?? 0
        let (tops, bottoms) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 0)
        let slack = (bottoms - tops) / 12
        self.init(
            lines: lines,
            top: max(0, Int(tops - slack)),
            bottom: min(height, Int(bottoms + slack)),
            left: max(0, Int((points.map(\.x).min() ?? 0) - 2 * thickness)),
            right: min(width, Int((points.map(\.x).max() ?? 0) + 2 * thickness)),
            lean: lean ?? leans.median
        )
    }
}

extension ShelfRow {
    /// Returns the row without the lines of its horizontal stacks.
    func without(_ stacks: [SpineStack]) -> ShelfRow {
        let taken = Set(stacks.flatMap { $0.lines.map(\.quad) })
        var row = self
        row.lines.removeAll { taken.contains($0.quad) }
        return row
    }

    /// Returns the spines of its books from the left, from one visible end to the other.
    func parts(
        on image: RasterImage,
        line: (ReadLine) -> RecognizedLine,
        judge: ShelfReader.Judge?
    ) throws -> [SpineDivision.Part] {
        let separators = SpineSeparators(row: self, image: image)
        let ends = SpineEnds(image: image)
        return try SpineDivision(row: self, separators: separators, line: line, judge: judge).best().map {
            var part = $0
            part.outline = ends.trimmed(part.outline, around: part.reading.lines.map(\.quad))
            return part
        }
    }
}

extension ReadLine {
    /// Whether its text runs down or up, and is long enough for its direction to be sure.
    var stands: Bool {
        let orientation = quad.orientation
        return (orientation == .clockwise || orientation == .counterclockwise) && quad.length > 1.5 * quad.thickness
    }
}

extension Quad {
    /// Columns to the right for each row downwards, of text that runs down or up.
    var lean: Double {
        let down = topRight.y - topLeft.y + bottomRight.y - bottomLeft.y
        return down == 0 ? 0 : (topRight.x - topLeft.x + bottomRight.x - bottomLeft.x) / down
    }

    /// Rows of pixels that it reaches over on a photo turned back by its lean.
    func rows(lean: Double, height: Int) -> Range<Int> {
        let ys = corners.map { $0.y + lean * $0.x }
        let low = min(max(0, Int(ys.min() ?? 0)), height - 1)
        return low..<min(height, max(low + 1, Int(ys.max() ?? 0)))
    }
}

extension Range<Int> {
    func shared(with other: Range<Int>) -> Int { clamped(to: other).count }
}

extension [(lean: Double, weight: Double)] {
    /// Weighted median of the lean; 0 of none.
    var median: Double {
        let sorted = sorted { $0.lean < $1.lean }
        var left = sorted.reduce(0) { $0 + $1.weight } / 2
        return sorted.first {
            left -= $0.weight
            return left <= 0
        }?.lean ?? 0
    }
}
