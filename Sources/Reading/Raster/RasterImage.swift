/// An 8-bit image in memory: `height` rows of `width` pixels of `channels` bytes, row-major, interleaved, no padding.
///
/// The origin is the top-left corner, x grows right, y grows down. One channel is grey (luma), three are sRGB in the
/// order R, G, B. There is no alpha: a codec flattens it onto white.
public struct RasterImage: Sendable, Equatable {
    /// Pixels in a row; at least 1.
    public let width: Int
    /// Rows; at least 1.
    public let height: Int
    /// Bytes in a pixel: 1 (grey) or 3 (RGB).
    public let channels: Int
    /// `height * width * channels` bytes.
    public var pixels: [UInt8]

    /// - Precondition: `width` and `height` are positive, `channels` is 1 or 3, and `pixels` has exactly
    ///   `width * height * channels` bytes.
    public init(width: Int, height: Int, channels: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0, "an image has at least one pixel")
        precondition(channels == 1 || channels == 3, "an image is grey (1) or RGB (3)")
        precondition(pixels.count == width * height * channels, "the buffer does not fit the size")
        self.width = width
        self.height = height
        self.channels = channels
        self.pixels = pixels
    }

    /// An image of one colour, `value` in every byte.
    public init(width: Int, height: Int, channels: Int, filledWith value: UInt8 = 0) {
        self.init(
            width: width,
            height: height,
            channels: channels,
            pixels: [UInt8](repeating: value, count: width * height * channels)
        )
    }
}
