import CTurboJPEG

/// The size at which a JPEG is decoded.
struct JPEGScaling: Equatable {
    var width: Int
    var height: Int
    /// Decoded pixels per stored pixel: 1/8, 1/4, 3/8, 1/2 or 1; of a picture of a few pixels, any eighth.
    var scale: Double

    /// The smallest scale that leaves the short side `minimumShortSide` pixels.
    ///
    /// The scales between 1/2 and 1 are left out: libjpeg-turbo 2.1 has no vector code for them, so they take as long as
    /// the full size, or longer.
    init(width: Int, height: Int, minimumShortSide: Int?) {
        self.width = width
        self.height = height
        scale = 1
        guard let minimumShortSide else { return }
        // The eighths are the scales of the DCT; TJSCALED in turbojpeg.h rounds up.
        func scaled(_ length: Int, _ eighths: Int) -> Int { (length * eighths + 7) / 8 }
        let shortSide = min(width, height)
        guard let eighths = [1, 2, 3, 4, 8].first(where: { scaled(shortSide, $0) >= minimumShortSide }) else { return }
        self.width = scaled(width, eighths)
        self.height = scaled(height, eighths)
        // The library takes the largest scale that fits the size it is given, which differs for very small pictures.
        let taken = (eighths...8).last { scaled(width, $0) == self.width && scaled(height, $0) == self.height }
        scale = Double(taken ?? eighths) / 8
    }
}
