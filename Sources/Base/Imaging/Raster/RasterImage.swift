/// An 8-bit image in memory: `height` rows of `width` pixels of `channels` bytes, row-major, interleaved, no padding.
///
/// The origin is the top-left corner, x grows right, y grows down. One channel is grey (luma), three are sRGB in the
/// order R, G, B. Alpha is not stored: a codec composes it onto a background on which opaque content is visible.
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
        (self.width, self.height, self.channels, self.pixels) = (width, height, channels, pixels)
    }

    /// Creates an image of one colour, `value` in every byte.
    public init(width: Int, height: Int, channels: Int, filledWith value: UInt8 = 0) {
        let pixels = [UInt8](repeating: value, count: width * height * channels)
        self.init(width: width, height: height, channels: channels, pixels: pixels)
    }
}

extension RasterImage {
    /// Returns the image in grey, itself when it is grey already.
    ///
    /// Rec. 601 luma: 0.299 R + 0.587 G + 0.114 B, rounded.
    public func luma() -> RasterImage {
        guard channels == 3 else { return self }
        let count = width * height
        let grey = [UInt8](unsafeUninitializedCapacity: count) { target, initializedCount in
            initializedCount = count
            pixels.withUnsafeBufferPointer { source in
                for index in 0..<count {
                    let (red, green, blue) = (source[3 &* index], source[3 &* index &+ 1], source[3 &* index &+ 2])
                    // The weights × 65536, rounded so that they add up to it.
                    let sum = 19_595 &* UInt32(red) &+ 38_470 &* UInt32(green) &+ 7_471 &* UInt32(blue)
                    target[index] = UInt8(truncatingIfNeeded: (sum &+ 32_768) >> 16)
                }
            }
        }
        return RasterImage(width: width, height: height, channels: 1, pixels: grey)
    }

    /// Returns the image in three channels: a grey value three times over; itself when it is RGB.
    public func rgb() -> RasterImage {
        guard channels == 1 else { return self }
        let colour = [UInt8](unsafeUninitializedCapacity: pixels.count * 3) { target, initializedCount in
            initializedCount = pixels.count * 3
            for (index, value) in pixels.enumerated() {
                (target[3 &* index], target[3 &* index &+ 1], target[3 &* index &+ 2]) = (value, value, value)
            }
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: colour)
    }
}

extension RasterImage {
    /// Returns the image with its grey values stretched from black to white.
    ///
    /// The darkest `share` of the pixels becomes black, the brightest `share` white; the rest is stretched evenly
    /// between, in each channel alike, so that colours keep their hue. An image of one grey value, apart from the
    /// share, is returned unchanged.
    ///
    /// - Precondition: `share` is from 0 to less than 0.5.
    public func autocontrasted(cutting share: Double = 0.01) -> RasterImage {
        precondition(share >= 0 && share < 0.5, "less than half of the pixels are cut off at each end")
        var counts = [Int](repeating: 0, count: 256)
        for value in luma().pixels { counts[Int(value)] += 1 }
        let cut = Int(share * Double(width * height))
        func end(_ values: some Sequence<Int>) -> Int {
            var left = cut
            return values.first {
                left -= counts[$0]
                return left < 0
            } ?? 0
        }
        let (low, high) = (end(0...255), end((0...255).reversed()))
        guard high > low, (low, high) != (0, 255) else { return self }
        let table = (0...255).map { UInt8(min(255, max(0, (($0 - low) * 510 + (high - low)) / (2 * (high - low))))) }
        var stretched = self
        stretched.pixels = pixels.map { table[Int($0)] }
        return stretched
    }
}

extension RasterImage {
    /// Returns the part of a rectangle, in pixels from its first column and row, that is inside the image; nil
    /// without one.
    public func cropped(x: Int, y: Int, width: Int, height: Int) -> RasterImage? {
        let columns = (0..<self.width).clamped(to: x..<max(x, x + width))
        let rows = (0..<self.height).clamped(to: y..<max(y, y + height))
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        if columns.count == self.width && rows.count == self.height { return self }
        var part: [UInt8] = []
        part.reserveCapacity(columns.count * rows.count * channels)
        for row in rows {
            let start = (row * self.width + columns.lowerBound) * channels
            part.append(contentsOf: pixels[start..<start + columns.count * channels])
        }
        return RasterImage(width: columns.count, height: rows.count, channels: channels, pixels: part)
    }
}
