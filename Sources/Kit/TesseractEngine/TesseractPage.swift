internal import Imaging

/// A grey image that Tesseract takes, made from one of any size.
struct TesseractPage {
    /// Minimum side in pixels for letters; below it Tesseract would invent some, or refuse (it requires at least 3).
    static let smallestSide = 8
    /// Maximum side in pixels; Tesseract stores coordinates in 16 bits and refuses more than 32,767.
    static let longestSide = 32_000
    /// Larger images are shrunk first.
    ///
    /// Letters that fill a spine of four megapixels stay larger than the 36 pixels that
    /// Tesseract scales a line to, and the time that a page of noise takes, which grows with its area, stays bounded.
    static let largestArea = 4_000_000

    let image: RasterImage
    /// Pixels of the page for one pixel of the image it was made from, along x and along y.
    let scaleX: Double
    let scaleY: Double

    /// Returns nil for an image that cannot contain text: too small, at its own size or after it was shrunk, or all
    /// of one value, in which Tesseract finds letters if a line is assumed.
    init?(_ source: RasterImage) {
        let area = Double(source.width * source.height)
        let scale = min(
            1,
            Double(Self.longestSide) / Double(max(source.width, source.height)),
            (Double(Self.largestArea) / area).squareRoot()
        )
        let width = Int((Double(source.width) * scale).rounded(.down))
        let height = Int((Double(source.height) * scale).rounded(.down))
        guard min(width, height) >= Self.smallestSide else { return nil }
        let grey = source.luma()
        guard grey.pixels.contains(where: { $0 != grey.pixels[0] }) else { return nil }
        image = scale < 1 ? grey.resized(width: width, height: height) : grey
        scaleX = Double(width) / Double(source.width)
        scaleY = Double(height) / Double(source.height)
    }
}
