extension RasterImage {
    /// The part of a rectangle that lies in the image.
    ///
    /// - Parameters:
    ///   - x: The rectangle's first column, in pixels.
    ///   - y: The rectangle's first row, in pixels.
    ///   - width: The rectangle's width in pixels.
    ///   - height: The rectangle's height in pixels.
    /// - Returns: An image of at most `width` × `height`; nil when no pixel of the rectangle lies in this one.
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

    /// The image with a border around it.
    ///
    /// - Parameters:
    ///   - left: Columns added on the left; none of the four is negative.
    ///   - top: Rows added above.
    ///   - right: Columns added on the right.
    ///   - bottom: Rows added below.
    ///   - value: Every byte of the border.
    /// - Returns: An image of `left + width + right` × `top + height + bottom`.
    public func padded(
        left: Int = 0,
        top: Int = 0,
        right: Int = 0,
        bottom: Int = 0,
        with value: UInt8 = 0
    ) -> RasterImage {
        precondition(min(left, top, right, bottom) >= 0, "padding adds pixels")
        let paddedWidth = left + width + right
        var padded = [UInt8](repeating: value, count: top * paddedWidth * channels)
        padded.reserveCapacity(paddedWidth * (top + height + bottom) * channels)
        for row in 0..<height {
            padded.append(contentsOf: repeatElement(value, count: left * channels))
            padded.append(contentsOf: pixels[row * width * channels..<(row + 1) * width * channels])
            padded.append(contentsOf: repeatElement(value, count: right * channels))
        }
        padded.append(contentsOf: repeatElement(value, count: bottom * paddedWidth * channels))
        return RasterImage(width: paddedWidth, height: top + height + bottom, channels: channels, pixels: padded)
    }
}
