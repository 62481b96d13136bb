internal import Raster

extension RasterImage {
    /// Copies the image to the top left of an RGB canvas and fills the rest with `padding`.
    ///
    /// Grey becomes RGB.
    ///
    /// - Precondition: the image fits the canvas, which has `canvasWidth * canvasHeight * 3` bytes.
    func draw(
        into canvas: UnsafeMutableBufferPointer<UInt8>,
        canvasWidth: Int,
        canvasHeight: Int,
        padding: UInt8
    ) {
        precondition(width <= canvasWidth && height <= canvasHeight, "the image fits its canvas")
        precondition(canvas.count >= canvasWidth * canvasHeight * 3, "the canvas holds its size")
        guard let target = canvas.baseAddress else { return }
        let source = rgb()
        source.pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            for row in 0..<height {
                let line = target + row * canvasWidth * 3
                line.update(from: start + row * width * 3, count: width * 3)
                (line + width * 3).update(repeating: padding, count: (canvasWidth - width) * 3)
            }
        }
        let rest = (canvasHeight - height) * canvasWidth * 3
        (target + height * canvasWidth * 3).update(repeating: padding, count: rest)
    }
}
