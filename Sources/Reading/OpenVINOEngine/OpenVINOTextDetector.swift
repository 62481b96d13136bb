public import Raster
public import TextRecognition

/// PaddleOCR's DB text detection, run by OpenVINO.
///
/// The network is compiled for a few canvas sizes; an image is drawn into the top left of the smallest canvas that it
/// fits. The image decides its own scale: the detector does not resize what fits its largest canvas.
public struct OpenVINOTextDetector: TextDetector {
    let networks: NetworkPool
    let canvases: CanvasSizes

    /// Finds the lines of an image.
    ///
    /// - Parameter image: Scaled so that its letters have the size at which they are to be searched; one that is larger
    ///   than every canvas is shrunk.
    /// - Returns: The lines in the image's own pixels.
    /// - Throws: ``OpenVINOError``.
    public func detect(in image: RasterImage) throws -> (lines: [Quad], inferenceTime: Duration) {
        let canvas = canvases.fitting(width: image.width, height: image.height)
        let scale = min(1, Double(canvas.width) / Double(image.width), Double(canvas.height) / Double(image.height))
        let drawn =
            scale < 1
            ? image.resized(
                width: max(1, Int(Double(image.width) * scale)),
                height: max(1, Int(Double(image.height) * scale))
            )
            : image
        let network = try networks.network(for: canvas)
        let result = try network.infer(shape: canvas) { input in
            drawn.draw(into: input, of: canvas, padding: 0)
        } read: { dimensions, values -> [Quad]? in
            guard dimensions == [1, 1, canvas.height, canvas.width] else { return nil }
            let map = ProbabilityMap(
                width: canvas.width,
                height: canvas.height,
                values: Array(values),
                usedWidth: drawn.width,
                usedHeight: drawn.height
            )
            return BoxExtraction().lines(in: map)
        }
        guard let found = result.output else {
            throw networks.unsuitable("a detector, which answers with one value for each pixel")
        }
        let horizontal = Double(image.width) / Double(drawn.width)
        let vertical = Double(image.height) / Double(drawn.height)
        let lines = found.map { $0.mapped { Point(x: $0.x * horizontal, y: $0.y * vertical) } }
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
