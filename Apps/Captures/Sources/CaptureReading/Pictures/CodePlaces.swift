import Foundation

/// Places of a picture where a code may be, by the gradients of cells of 8 × 8 pixels.
///
/// Bars give gradients of one direction (the structure tensor of Bigün and Granlund, 1987); modules of a QR code give
/// strong ones of all.
struct CodePlaces {
    /// Groups of strong gradients of one direction, the largest first; at most 8.
    var stripes: [Stripes] = []
    /// Whether there are no strong gradients.
    var isBlank = true
    private var columns: Int
    private var rows: Int
    private var isThick: [Bool] = []

    static let cell = 8

    /// Sums over a cell of the products of the horizontal and vertical differences.
    private struct Tensor {
        var xx: Float = 0
        var yy: Float = 0
        var xy: Float = 0
        var energy: Float { xx + yy }
    }

    init(_ plane: GreyPlane) {
        (columns, rows) = (plane.width / Self.cell, plane.height / Self.cell)
        let (columns, rows) = (columns, rows)
        guard columns > 0, rows > 0 else { return }
        let cells = Self.tensors(plane, columns: columns, rows: rows)
        // Minimum mean square of a pixel's gradient: 3 × the noise, which a quarter of the picture does not exceed;
        // at least 100 (bars of a contrast of 30 of 255), and no more than 600, for a code may fill the picture.
        let quiet = cells.map(\.energy).sorted()[cells.count / 4] / Float(Self.cell * Self.cell)
        let least = min(600, max(100, 3 * quiet)) * Float(Self.cell * Self.cell)
        let isBusy = cells.map { $0.energy > least }
        guard isBusy.contains(true) else { return }
        isBlank = false
        let directions = Self.directions(cells, isBusy, columns: columns, rows: rows)
        // A wide bar has cells within it that are not busy: four modules of 6 pixels are three cells.
        stripes = Self.components(columns: columns, rows: rows, reach: 3) {
            directions[$0] != .zero
        } joins: { seed, from, to in
            let (first, last, next) = (directions[seed], directions[from], directions[to])
            // Double angles: 0.9 is 13 degrees from cell to cell, 0.7 is 23 degrees from the first one.
            return (last * next).sum() > 0.9 && (first * next).sum() > 0.7
        }
        .compactMap { cells in Stripes(cells.map { (directions[$0], $0 % columns, $0 / columns) }) }
        .sorted { $0.length * $0.breadth > $1.length * $1.breadth }
        .prefix(8).map(\.self)
        isThick = Self.thick(isBusy, columns: columns, rows: rows)
    }

    /// Returns groups of strong gradients without those of decoded bars, the largest first.
    func busy(in plane: GreyPlane, besides read: [Stripes]) -> [BusyPlace] {
        guard !isBlank else { return [] }
        let isLeft = isThick.indices.map { index in
            isThick[index] && !read.contains { $0.covers(column: index % columns, row: index / columns) }
        }
        return Self.components(columns: columns, rows: rows, reach: 1) {
            isLeft[$0]
        } joins: { _, _, _ in
            true
        }
        .compactMap { BusyPlace($0.map { ($0 % columns, $0 / columns) }, in: plane) }
        .sorted { $0.width * $0.height > $1.width * $1.height }
        .prefix(24).map(\.self)
    }

    private static func tensors(_ plane: GreyPlane, columns: Int, rows: Int) -> [Tensor] {
        var cells = [Tensor](repeating: Tensor(), count: columns * rows)
        let width = plane.width
        plane.pixels.withUnsafeBufferPointer { bytes in
            for y in 1..<min(rows * cell, plane.height - 1) {
                for column in 0..<columns {
                    var (xx, yy, xy): (Int32, Int32, Int32) = (0, 0, 0)
                    let start = column * cell
                    for x in max(1, start)..<min(start + cell, width - 1) {
                        let at = y &* width &+ x
                        let dx = Int32(bytes[at &+ 1]) &- Int32(bytes[at &- 1])
                        let dy = Int32(bytes[at &+ width]) &- Int32(bytes[at &- width])
                        xx &+= dx &* dx
                        yy &+= dy &* dy
                        xy &+= dx &* dy
                    }
                    let index = y / cell * columns + column
                    cells[index].xx += Float(xx)
                    cells[index].yy += Float(yy)
                    cells[index].xy += Float(xy)
                }
            }
        }
        return cells
    }

    /// Returns the direction of the gradients around each busy cell: a unit vector of its double angle; zero where
    /// there is none.
    private static func directions(_ cells: [Tensor], _ isBusy: [Bool], columns: Int, rows: Int) -> [SIMD2<Float>] {
        cells.indices.map { index in
            guard isBusy[index] else { return .zero }
            let (x, y) = (index % columns, index / columns)
            var sum = Tensor()
            for row in max(0, y - 1)...min(rows - 1, y + 1) {
                for column in max(0, x - 1)...min(columns - 1, x + 1) {
                    let near = cells[row * columns + column]
                    (sum.xx, sum.yy, sum.xy) = (sum.xx + near.xx, sum.yy + near.yy, sum.xy + near.xy)
                }
            }
            let vector = SIMD2(sum.xx - sum.yy, 2 * sum.xy)
            let length = (vector * vector).sum().squareRoot()
            return length > 0.6 * sum.energy ? vector / length : .zero
        }
    }

    /// Returns whether at least 6 of the 9 cells around each are busy: modules fill their place, outlines do not.
    private static func thick(_ isBusy: [Bool], columns: Int, rows: Int) -> [Bool] {
        isBusy.indices.map { index in
            let (x, y) = (index % columns, index / columns)
            guard isBusy[index], x > 0, y > 0, x < columns - 1, y < rows - 1 else { return false }
            var count = 0
            for row in y - 1...y + 1 {
                for column in x - 1...x + 1 where isBusy[row * columns + column] { count += 1 }
            }
            return count >= 6
        }
    }

    /// Returns the components of cells within `reach` columns and rows of one another.
    private static func components(
        columns: Int,
        rows: Int,
        reach: Int,
        where isIn: (Int) -> Bool,
        joins: (_ seed: Int, _ from: Int, _ to: Int) -> Bool
    ) -> [[Int]] {
        var isTaken = [Bool](repeating: false, count: columns * rows)
        var all: [[Int]] = []
        for seed in isTaken.indices where !isTaken[seed] && isIn(seed) {
            isTaken[seed] = true
            var cells = [seed]
            var next = 0
            while next < cells.count {
                let from = cells[next]
                next += 1
                let (x, y) = (from % columns, from / columns)
                for row in max(0, y - reach)...min(rows - 1, y + reach) {
                    for column in max(0, x - reach)...min(columns - 1, x + reach) {
                        let to = row * columns + column
                        guard !isTaken[to], isIn(to), joins(seed, from, to) else { continue }
                        isTaken[to] = true
                        cells.append(to)
                    }
                }
            }
            all.append(cells)
        }
        return all
    }
}

/// Group of gradients of one direction: possibly bars.
struct Stripes {
    /// Middle in pixels.
    var middle: SIMD2<Double>
    /// Unit vector across the bars.
    var across: SIMD2<Double>
    /// Pixels across the bars, with room for a quiet zone.
    var length: Double
    /// Pixels along the bars.
    var breadth: Double

    /// Rows that are read.
    private static let rowCount = 24
    /// Samples of a pixel along a row: two where a bar may be two pixels wide.
    private var density: Double { length < 500 ? 2 : 1 }

    fileprivate init?(_ cells: [(direction: SIMD2<Float>, column: Int, row: Int)]) {
        guard cells.count >= 10 else { return nil }
        let sum = cells.reduce(SIMD2<Float>.zero) { $0 + $1.direction }
        let angle = Double(atan2(sum.y, sum.x)) / 2
        let across = SIMD2(cos(angle), sin(angle))
        let along = SIMD2(-across.y, across.x)
        var low = SIMD2(repeating: Double.infinity)
        var high = -low
        for (_, column, row) in cells {
            let centre = SIMD2(Double(column) + 0.5, Double(row) + 0.5) * Double(CodePlaces.cell)
            let place = SIMD2((centre * across).sum(), (centre * along).sum())
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let size = high - low
        guard size.x > 40 else { return nil }
        let centre = (low + high) / 2
        middle = across * centre.x + along * centre.y
        self.across = across
        // A cell at either end, and a quiet zone of a tenth: 10 of a code's 100 modules or so.
        length = size.x * 1.2 + 6 * Double(CodePlaces.cell)
        breadth = max(size.y, Double(CodePlaces.cell))
    }

    /// Returns whether a cell belongs to the bars, or is next to them.
    func covers(column: Int, row: Int) -> Bool {
        let cell = Double(CodePlaces.cell)
        let place = SIMD2(Double(column) + 0.5, Double(row) + 0.5) * cell - middle
        let along = SIMD2(-across.y, across.x)
        return abs((place * across).sum()) < length / 2 && abs((place * along).sum()) < breadth / 2 + 3 * cell
    }

    /// Returns the place straightened: bars upright, rows from one end of them to the other.
    func rows(of plane: GreyPlane) -> GreyPlane {
        let width = Int(length * density)
        let along = SIMD2(-across.y, across.x)
        var rows = GreyPlane(width: width, height: Self.rowCount, pixels: [])
        rows.pixels.reserveCapacity(width * Self.rowCount)
        let step = across / density
        for row in 0..<Self.rowCount {
            let offset = ((Double(row) + 0.5) / Double(Self.rowCount) - 0.5) * breadth
            // The mean of two points along the bars has half their noise.
            let start = middle + along * offset - across * (length / 2) - SIMD2(0.5, 0.5)
            var (first, second) = (start - along * 0.7, start + along * 0.7)
            for _ in 0..<width {
                rows.pixels.append(UInt8((plane.value(first) + plane.value(second)) / 2))
                first += step
                second += step
            }
        }
        return rows
    }

    /// Returns a code of the straightened place in the picture's coordinates: the whole place across the bars.
    func original(_ code: FoundCode) -> FoundCode {
        let along = SIMD2(-across.y, across.x)
        let row = breadth / Double(Self.rowCount)
        let reach = (length - 6 * Double(CodePlaces.cell)) / 2.4 + Double(CodePlaces.cell) / 2
        let ends = [Double(code.minY) * row - breadth / 2, Double(code.maxY) * row - breadth / 2]
        return code.placed(around: [-reach, reach].flatMap { u in ends.map { middle + across * u + along * $0 } })
    }
}

/// Group of strong gradients, in pixels of the plane.
struct BusyPlace {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    fileprivate init?(_ cells: [(column: Int, row: Int)], in plane: GreyPlane) {
        let columns = cells.map(\.column)
        let rows = cells.map(\.row)
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max(),
            min(right - left, bottom - top) >= 2
        else { return nil }
        let cell = CodePlaces.cell
        // The cells at the code's edge are thin, and it has a quiet zone.
        let margin = cell * 5 / 2
        x = max(0, left * cell - margin)
        y = max(0, top * cell - margin)
        width = min(plane.width, (right + 1) * cell + margin) - x
        height = min(plane.height, (bottom + 1) * cell + margin) - y
    }

    /// Times that it is enlarged for a look, in the order of looks.
    var factors: [Int] {
        switch max(width, height) {
        case ..<160: [2, 1, 3]
        case ..<400: [1, 2]
        default: [1]
        }
    }

    /// Returns a code of the enlarged place in the picture's coordinates.
    func original(_ code: FoundCode, factor: Int) -> FoundCode {
        var code = code
        code.minX = x + code.minX / factor
        code.minY = y + code.minY / factor
        code.maxX = x + (code.maxX + factor - 1) / factor
        code.maxY = y + (code.maxY + factor - 1) / factor
        return code
    }
}

extension FoundCode {
    /// Returns the code in the box around points.
    fileprivate func placed(around points: [SIMD2<Double>]) -> FoundCode {
        var code = self
        code.minX = Int(points.map(\.x).min() ?? 0)
        code.minY = Int(points.map(\.y).min() ?? 0)
        code.maxX = Int((points.map(\.x).max() ?? 0).rounded(.up))
        code.maxY = Int((points.map(\.y).max() ?? 0).rounded(.up))
        return code
    }
}

extension GreyPlane {
    /// Returns the value at a point by linear interpolation between pixels, whose centres are at whole numbers; edges
    /// are repeated.
    @inline(__always)
    fileprivate func value(_ point: SIMD2<Double>) -> Int {
        let x = min(max(point.x, 0), Double(width - 1))
        let y = min(max(point.y, 0), Double(height - 1))
        let (column, row) = (min(Int(x), width - 2), min(Int(y), height - 2))
        let (a, b) = (Int((x - Double(column)) * 256), Int((y - Double(row)) * 256))
        let base = row * width + column
        let top = Int(pixels[base]) * (256 - a) + Int(pixels[base + 1]) * a
        let bottom = Int(pixels[base + width]) * (256 - a) + Int(pixels[base + width + 1]) * a
        return (top * (256 - b) + bottom * b) >> 16
    }

    /// Returns a place by itself, enlarged.
    func cropped(_ place: BusyPlace, factor: Int) -> GreyPlane {
        var part: [UInt8] = []
        part.reserveCapacity(place.width * place.height)
        for row in place.y..<place.y + place.height {
            let start = row * width + place.x
            part.append(contentsOf: pixels[start..<start + place.width])
        }
        return GreyPlane(width: place.width, height: place.height, pixels: part).enlarged(factor)
    }
}
