internal import Imaging

/// A line along which one spine may end and the next begin.
struct SpineSeparator: Sendable {
    /// Column of the photo where it crosses the top of its row.
    var top: Double
    /// Column of the photo where it crosses the bottom of its row.
    var bottom: Double
    /// Share of its length with an edge along it, 0…1.
    var support: Double

    /// Column where it crosses the row's middle.
    var middle: Double { (top + bottom) / 2 }
}

/// The lines along which the spines of a row may end: edges from its top to its bottom that cut no text.
struct SpineSeparators: Sendable {
    /// Separators from left to right.
    let all: [SpineSeparator]

    /// Number of rows of the picture in which the row is searched; also the maximum number of its columns.
    private static let rows = 96
    private static let columns = 1600
    /// A separator leans no more from the row's lean, in columns for each row.
    private static let mostLean = 0.2
    /// Share of a line's thickness, at each side, that may be cut: boxes of text are larger than the text.
    private static let marginOfText = 0.25

    init(row: ShelfRow, image: RasterImage) {
        guard
            let band = image.cropped(x: row.left, y: row.top, width: row.right - row.left, height: row.height)
        else {
            all = []
            return
        }
        let width = min(Self.columns, band.width)
        let scale = Double(width) / Double(band.width)
        let edges = EdgeMap(band.resized(width: width, height: Self.rows))
        var text = TextMask(width: width, height: Self.rows)
        for line in row.lines {
            let quad = line.quad.part(0...1, Self.marginOfText...1 - Self.marginOfText).mapped {
                Point(
                    x: ($0.x - Double(row.left)) * scale,
                    y: ($0.y - Double(row.top)) * Double(Self.rows) / Double(row.height)
                )
            }
            text.cover(quad)
        }
        // Columns of the small picture that a separator moves to the right from its top to its bottom.
        let height = Double(row.height) * scale
        let usual = row.lean * height
        // Among lines of equal support, the one with the lean of the row counts.
        let drifts = stride(from: -Self.mostLean * height, through: Self.mostLean * height, by: 2).map { usual + $0 }
            .sorted { abs($0 - usual) < abs($1 - usual) }
        var best = [SpineSeparator?](repeating: nil, count: width)
        for drift in drifts {
            for middle in 0..<width {
                let from = Double(middle) - drift / 2
                guard from >= 0, from + drift >= 0, from < Double(width), from + drift < Double(width) else { continue }
                let support = edges.support(from: from, drift: drift, avoiding: text)
                guard let support, support > best[middle]?.support ?? -1 else { continue }
                best[middle] = SpineSeparator(top: from, bottom: from + drift, support: support)
            }
        }
        all = Self.peaks(of: best, apart: max(2, width / 400)).map {
            SpineSeparator(
                top: $0.top / scale + Double(row.left),
                bottom: $0.bottom / scale + Double(row.left),
                support: $0.support
            )
        }
    }

    /// Returns those that no neighbour within some columns exceeds; of neighbours with equal support the one in their
    /// middle.
    private static func peaks(of separators: [SpineSeparator?], apart: Int) -> [SpineSeparator] {
        var peaks: [SpineSeparator] = []
        var start = 0
        while start < separators.count {
            var end = start + 1
            while end < separators.count, separators[end]?.support == separators[start]?.support { end += 1 }
            let around = max(0, start - apart)..<min(separators.count, end + apart)
            if let middle = separators[(start + end - 1) / 2],
                !around.contains(where: { separators[$0]?.support ?? 0 > middle.support })
            {
                peaks.append(middle)
            }
            start = end
        }
        return peaks
    }
}

/// The difference of each pixel from its left neighbour, 0…1: all that differ by an edge or more are 1.
private struct EdgeMap {
    /// Minimum difference in grey values of an edge.
    private static let edge: Float = 20

    var width: Int
    var height: Int
    var values: [Float]

    init(_ image: RasterImage) {
        (width, height) = (image.width, image.height)
        values = [Float](repeating: 0, count: width * height)
        let channels = image.channels
        for y in 0..<height {
            for x in 1..<max(1, width - 1) {
                var most = 0
                for channel in 0..<channels {
                    let at = (y * width + x) * channels + channel
                    most = max(most, abs(Int(image.pixels[at + channels]) - Int(image.pixels[at - channels])))
                }
                values[y * width + x] = min(1, Float(most) / Self.edge)
            }
        }
    }

    /// Returns the mean of the edges along a line from top to bottom, each row's best of three columns; nil for one
    /// that cuts text.
    ///
    /// The upper third counts half: books are of different heights.
    func support(from: Double, drift: Double, avoiding text: TextMask) -> Double? {
        var sum: Float = 0
        var weights: Float = 0
        var cut = 0
        let step = drift / Double(height)
        var x = from + step / 2
        for y in 0..<height {
            let column = min(max(1, Int(x)), width - 2)
            let at = y * width + column
            if text.isText[at] {
                cut += 1
                if cut > 2 { return nil }
            }
            let weight: Float = y * 3 < height ? 0.5 : 1
            sum += weight * max(values[at], max(values[at - 1], values[at + 1]))
            weights += weight
            x += step
        }
        return Double(sum / weights)
    }
}

/// Pixels of a picture that hold text.
private struct TextMask {
    var width: Int
    var height: Int
    var isText: [Bool]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        isText = [Bool](repeating: false, count: width * height)
    }

    mutating func cover(_ quad: Quad) {
        let corners = quad.corners
        let (low, high) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        for y in max(0, Int(low))..<max(max(0, Int(low)), min(height, Int(high) + 1)) {
            // Crossings of the sides with the row through the pixels' middle.
            let middle = min(max(Double(y) + 0.5, low), high)
            let crossings = zip(corners, corners.dropFirst() + [corners[0]]).compactMap { a, b -> Double? in
                guard (a.y <= middle) != (b.y <= middle) || a.y == middle else { return nil }
                return a.y == b.y ? a.x : a.x + (b.x - a.x) * (middle - a.y) / (b.y - a.y)
            }
            guard let left = crossings.min(), let right = crossings.max() else { continue }
            let columns = (0..<width).clamped(to: Int(left)..<max(Int(left), Int(right)) + 1)
            for x in columns { isText[y * width + x] = true }
        }
    }
}
