package import Imaging
internal import TextRecognition

/// PaddleOCR's DB text detection, run by OpenVINO.
///
/// The network is compiled for a few canvas sizes; an image is drawn into the top left of the smallest canvas that it
/// fits, or searched in tiles that overlap. The image decides its own scale: the detector resizes nothing.
package struct OpenVINOTextDetector: TextDetector {
    let networks: NetworkPool
    let canvases: CanvasSizes

    /// Finds the lines of an image.
    ///
    /// - Parameter image: Scaled so that its letters have the size at which they are to be searched; one that is larger
    ///   than every canvas is searched in tiles that overlap, whose answers are put together before lines are sought.
    /// - Returns: The lines in the image's own pixels; `missed` is ``BoxExtraction``'s.
    /// - Throws: ``OpenVINOError``.
    package func detect(in image: RasterImage) throws -> (lines: [Quad], missed: Double, inferenceTime: Duration) {
        let canvas = canvases.fitting(width: image.width, height: image.height)
        let rows = Tile.covering(image.height, canvas: canvas.height)
        let columns = Tile.covering(image.width, canvas: canvas.width)
        let tiles = rows.flatMap { row in columns.map { (row: row, column: $0) } }
        // Tiles narrower than the canvas are placed on it side by side.
        let stride = Self.gap + (tiles.map(\.column.seen.count).max() ?? 0)
        let together = max(1, (canvas.width + Self.gap) / stride)
        var values = [Float](repeating: 0, count: image.width * image.height)
        var inferenceTime = Duration.zero
        for start in Swift.stride(from: 0, to: tiles.count, by: together) {
            let batch = tiles[start..<min(tiles.count, start + together)]
            inferenceTime += try search(batch.map { image.part($0.row.seen, $0.column.seen) }, on: canvas, stride) {
                found in
                for (number, tile) in batch.enumerated() {
                    for y in tile.row.own {
                        let from = (y - tile.row.seen.lowerBound) * canvas.width + number * stride
                        let row = y * image.width
                        for x in tile.column.own {
                            values[row + x] = max(values[row + x], found[from + x - tile.column.seen.lowerBound])
                        }
                    }
                }
            }
        }
        let map = ProbabilityMap(width: image.width, height: image.height, values: values)
        let (lines, missed) = BoxExtraction().lines(in: map)
        return (lines, missed, inferenceTime)
    }

    /// Columns between tiles on a canvas: neighbouring tiles are not adjacent in the image.
    private static let gap = 16

    /// Runs the network on images that fit the canvas side by side, each at a distance in columns from the one
    /// before, and lends its output: one row of the canvas after the other.
    private func search(
        _ images: [RasterImage],
        on canvas: NetworkShape,
        _ stride: Int,
        _ use: (UnsafeBufferPointer<Float>) -> Void
    ) throws -> Duration {
        try networks.infer(canvas) { input in
            input.update(repeating: 0)
            for (number, image) in images.enumerated() {
                image.draw(0..<image.width, into: input, of: canvas, at: number * stride)
            }
        } read: { dimensions, values in
            dimensions == [1, 1, canvas.height, canvas.width] ? use(values) : nil
        }.inferenceTime
    }

    /// The same network for whole photos: a canvas that is large enough for the tiles to overlap by little of it.
    package var ofPhotos: OpenVINOTextDetector {
        OpenVINOTextDetector(networks: networks, canvases: CanvasSizes([NetworkShape(width: 960, height: 960)]))
    }

    /// Compiles or loads every canvas, so that no reading has to wait for one.
    package func prepare() throws {
        for canvas in canvases.all { try networks.prepare(canvas) }
    }
}

/// A stretch of an image's side that the network sees at once.
struct Tile: Equatable {
    /// Range that the tile sees: as long as the canvas, or the side itself if it fits.
    var seen: Range<Int>
    /// Range that the tile decides: all but the part next to a border inside the image, where text continues unseen.
    ///
    /// Together the ranges cover the side; where two tiles overlap, the surer one counts, so that a line seen in part
    /// by either is one.
    var own: Range<Int>

    /// Returns tiles that together cover a side; they overlap by a third of the canvas, and by 128 pixels if that is
    /// less: beyond that a letter's surroundings add no information.
    static func covering(_ side: Int, canvas: Int) -> [Tile] {
        guard side > canvas else { return [Tile(seen: 0..<side, own: 0..<side)] }
        let step = max(1, max(canvas * 2 / 3, canvas - 128))
        let count = (side - canvas + step - 1) / step + 1
        let starts = (0..<count).map { $0 * (side - canvas) / (count - 1) }
        return starts.map { start in
            let first = start == 0 ? 0 : start + border
            let end = start + canvas == side ? side : start + canvas - border
            return Tile(seen: start..<start + canvas, own: first..<end)
        }
    }

    /// Pixels next to a border that a tile does not answer for.
    private static let border = 4
}

struct CanvasSizes: Sendable {
    /// Shapes by ascending area.
    let all: [NetworkShape]

    /// Creates the sizes in any order.
    ///
    /// - Precondition: there is one.
    init(_ sizes: [NetworkShape]) {
        precondition(!sizes.isEmpty, "a detector has at least one canvas")
        all = sizes.sorted { $0.width * $0.height < $1.width * $1.height }
    }

    /// Returns the smallest canvas that holds the size; when none does, the one on which it is shrunk least.
    func fitting(width: Int, height: Int) -> NetworkShape {
        func scale(_ canvas: NetworkShape) -> Double {
            min(1, Double(canvas.width) / Double(width), Double(canvas.height) / Double(height))
        }
        return all.dropFirst().reduce(all[0]) { scale($1) > scale($0) ? $1 : $0 }
    }
}

extension RasterImage {
    /// Returns the part in some rows and columns.
    ///
    /// - Precondition: some of it is inside the image.
    fileprivate func part(_ rows: Range<Int>, _ columns: Range<Int>) -> RasterImage {
        cropped(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count) ?? self
    }
}
