public import Raster
public import TextRecognition

/// PaddleOCR's DB text detection, run by OpenVINO.
///
/// The network is compiled for a few canvas sizes; an image is drawn into the top left of the smallest canvas that it
/// fits, or searched in tiles that overlap. The image decides its own scale: the detector resizes nothing.
public struct OpenVINOTextDetector: TextDetector {
    let networks: NetworkPool
    let canvases: CanvasSizes

    /// Finds the lines of an image.
    ///
    /// - Parameter image: Scaled so that its letters have the size at which they are to be searched; one that is larger
    ///   than every canvas is searched in tiles, in which a line that goes on beyond the tile is not found.
    /// - Returns: The lines in the image's own pixels.
    /// - Throws: ``OpenVINOError``.
    public func detect(in image: RasterImage) throws -> (lines: [Quad], inferenceTime: Duration) {
        let canvas = canvases.fitting(width: image.width, height: image.height)
        var lines: [Quad] = []
        var inferenceTime = Duration.zero
        for row in Self.tiles(of: image.height, canvas: canvas.height) {
            for column in Self.tiles(of: image.width, canvas: canvas.width) {
                guard
                    let tile = image.cropped(
                        x: column.lowerBound,
                        y: row.lowerBound,
                        width: column.count,
                        height: row.count
                    )
                else { continue }
                let found = try search(tile, on: canvas)
                let before = lines
                inferenceTime += found.inferenceTime
                // What touches a border inside the image goes on beyond it.
                let columns = Self.inside(column, of: image.width)
                let rows = Self.inside(row, of: image.height)
                for line in found.lines {
                    let line = line.mapped {
                        Point(x: $0.x + Double(column.lowerBound), y: $0.y + Double(row.lowerBound))
                    }
                    let isWhole = line.corners.allSatisfy { columns.contains($0.x) && rows.contains($0.y) }
                    if isWhole, !before.contains(where: { Self.isSame($0, line) }) { lines.append(line) }
                }
            }
        }
        return (lines, inferenceTime)
    }

    /// Stretches of a side that together cover it, each as long as the canvas, the next one beginning two thirds of it further
    /// at most; the side itself when it fits.
    static func tiles(of side: Int, canvas: Int) -> [Range<Int>] {
        guard side > canvas else { return [0..<side] }
        let step = max(1, canvas * 2 / 3)
        let count = (side - canvas + step - 1) / step + 1
        return (0..<count).map { index in
            let start = index * (side - canvas) / (count - 1)
            return start..<start + canvas
        }
    }

    /// Where the corners of a line lie that ends inside a stretch, or where the side itself ends.
    private static func inside(_ stretch: Range<Int>, of side: Int) -> ClosedRange<Double> {
        let low = stretch.lowerBound > 0 ? Double(stretch.lowerBound + 1) : -.infinity
        let high = stretch.upperBound < side ? Double(stretch.upperBound - 1) : .infinity
        return low...high
    }

    /// Whether two tiles that overlap found one line: more than half of the smaller one's bounds is the other's, too.
    private static func isSame(_ one: Quad, _ other: Quad) -> Bool {
        func bounds(_ values: [Double]) -> (low: Double, high: Double) { (values.min() ?? 0, values.max() ?? 0) }
        func shared(_ a: [Double], _ b: [Double]) -> Double {
            let (a, b) = (bounds(a), bounds(b))
            return max(0, min(a.high, b.high) - max(a.low, b.low)) / max(1, min(a.high - a.low, b.high - b.low))
        }
        return shared(one.corners.map(\.x), other.corners.map(\.x))
            * shared(one.corners.map(\.y), other.corners.map(\.y)) > 0.5
    }

    private func search(
        _ image: RasterImage,
        on canvas: NetworkShape
    ) throws -> (lines: [Quad], inferenceTime: Duration) {
        let network = try networks.network(for: canvas)
        let result = try network.infer(shape: canvas) { input in
            image.draw(into: input, of: canvas, padding: 0)
        } read: { dimensions, values -> [Quad]? in
            guard dimensions == [1, 1, canvas.height, canvas.width] else { return nil }
            let map = ProbabilityMap(
                width: canvas.width,
                height: canvas.height,
                values: Array(values),
                usedWidth: image.width,
                usedHeight: image.height
            )
            return BoxExtraction().lines(in: map)
        }
        guard let lines = result.output else {
            throw networks.unsuitable("a detector, which answers with one value for each pixel")
        }
        return (lines, result.inferenceTime)
    }

    /// Compiles or loads every canvas, so that no reading has to wait for one.
    func prepare() throws {
        for canvas in canvases.all { try networks.network(for: canvas).prepare(canvas) }
    }
}

/// The input sizes that a detector is compiled for.
struct CanvasSizes: Sendable {
    /// By area, ascending.
    let all: [NetworkShape]

    /// The sizes in any order.
    ///
    /// - Precondition: there is one.
    init(_ sizes: [NetworkShape]) {
        precondition(!sizes.isEmpty, "a detector has at least one canvas")
        all = sizes.sorted { $0.width * $0.height < $1.width * $1.height }
    }

    /// The smallest canvas that holds the size; when none does, the one on which it is shrunk least.
    func fitting(width: Int, height: Int) -> NetworkShape {
        if let fit = all.first(where: { $0.width >= width && $0.height >= height }) { return fit }
        func shrink(_ canvas: NetworkShape) -> Double {
            min(Double(canvas.width) / Double(width), Double(canvas.height) / Double(height))
        }
        return all.max { shrink($0) < shrink($1) } ?? all[all.count - 1]
    }
}
