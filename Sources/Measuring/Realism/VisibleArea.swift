import Raster

/// The pixels of a picture that show something and lie outside given regions.
///
/// Segmenters paint what lies outside a spine black, and that is no part of the photograph: black that is connected
/// with the picture's border does not count.
struct VisibleArea: Sendable {
    let width: Int
    let height: Int
    /// A flag a pixel, row by row.
    private(set) var isVisible: [Bool]

    /// Luma up to this is black: a JPEG's painted black is not quite 0.
    private static let black: UInt8 = 8

    /// `margin`: How far the border's black is grown, in pixels: edges of the paint are no edges of the cover.
    init(of luma: RasterImage, margin: Int) {
        (width, height) = (luma.width, luma.height)
        let isBlack = Self.blackFromBorder(luma)
        isVisible = Self.grown(isBlack, width: width, height: height, by: margin).map { !$0 }
    }

    /// How many pixels are visible.
    var count: Int { isVisible.count { $0 } }

    /// Whether the 3 × 3 pixels around a pixel that is not on the picture's rim are all visible.
    func isInside(x: Int, y: Int) -> Bool {
        for row in y - 1...y + 1 {
            for column in x - 1...x + 1 where !isVisible[row * width + column] { return false }
        }
        return true
    }

    /// The area without the pixels that lie in a convex `quad` or up to `margin` pixels from it.
    func without(_ quad: Quad, margin: Double) -> VisibleArea {
        var rest = self
        let corners = quad.corners
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let columns = Self.range(xs, margin: margin, limit: width)
        let rows = Self.range(ys, margin: margin, limit: height)
        // Signed distances from the sides: all of one sign inside.
        let sides = corners.indices.map { index -> (a: Point, nx: Double, ny: Double) in
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            let length = max(a.distance(to: b), 1e-9)
            return (a, -(b.y - a.y) / length, (b.x - a.x) / length)
        }
        let centre = Point(x: xs.reduce(0, +) / 4, y: ys.reduce(0, +) / 4)
        let sign = (centre.x - sides[0].a.x) * sides[0].nx + (centre.y - sides[0].a.y) * sides[0].ny >= 0 ? 1.0 : -1.0
        for row in rows {
            for column in columns {
                let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
                let isIn = sides.allSatisfy { sign * ((x - $0.a.x) * $0.nx + (y - $0.a.y) * $0.ny) >= -margin }
                if isIn { rest.isVisible[row * width + column] = false }
            }
        }
        return rest
    }

    private static func range(_ values: [Double], margin: Double, limit: Int) -> Range<Int> {
        func clamped(_ value: Double) -> Int { Int(min(max(value, 0), Double(limit))) }
        let low = clamped(((values.min() ?? 0) - margin).rounded(.down))
        return low..<max(low, clamped(((values.max() ?? 0) + margin).rounded(.up)))
    }

    /// Black pixels that are reached from the border through black pixels, sides touching.
    private static func blackFromBorder(_ luma: RasterImage) -> [Bool] {
        let (width, height) = (luma.width, luma.height)
        var isReached = [Bool](repeating: false, count: width * height)
        var open: [Int] = []
        func reach(_ index: Int) {
            guard luma.pixels[index] <= black, !isReached[index] else { return }
            isReached[index] = true
            open.append(index)
        }
        for x in 0..<width { [x, (height - 1) * width + x].forEach(reach) }
        for y in 0..<height { [y * width, y * width + width - 1].forEach(reach) }
        while let index = open.popLast() {
            let x = index % width
            if x > 0 { reach(index - 1) }
            if x < width - 1 { reach(index + 1) }
            if index >= width { reach(index - width) }
            if index < width * (height - 1) { reach(index + width) }
        }
        return isReached
    }

    /// A square of `2 * margin + 1` pixels around each set one, along rows and then along columns.
    private static func grown(_ flags: [Bool], width: Int, height: Int, by margin: Int) -> [Bool] {
        var wide = flags
        var result = flags
        for index in flags.indices where flags[index] {
            let x = index % width
            for column in max(0, x - margin)...min(width - 1, x + margin) { wide[index - x + column] = true }
        }
        for index in wide.indices where wide[index] {
            let (x, y) = (index % width, index / width)
            for row in max(0, y - margin)...min(height - 1, y + margin) { result[row * width + x] = true }
        }
        return result
    }
}
