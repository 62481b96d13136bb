import Imaging

/// A frame's brightness at about 480 pixels on its long side, from an eighth of its pixels or fewer.
struct SampledLuma {
    let width: Int
    let height: Int
    /// Row-major, 0…255.
    let values: [UInt8]

    /// Samples a frame: each value is the mean of two rows of a block of the frame's pixels.
    ///
    /// Green approximates the brightness of a colour frame: it is seven tenths of it, and two thirds of the bytes
    /// stay unread.
    init(of frame: RasterImage, longSide: Int = 480) {
        // A block is never larger than the frame: a picture of few rows or columns keeps all of them.
        let factor = max(1, min((max(frame.width, frame.height) + longSide - 1) / longSide, frame.width, frame.height))
        let (width, height) = (frame.width / factor, frame.height / factor)
        self.width = width
        self.height = height
        guard factor > 1 else {
            values = frame.channels == 1 ? frame.pixels : frame.luma().pixels
            return
        }
        let channels = frame.channels
        let stride = frame.width * channels
        values = [UInt8](unsafeUninitializedCapacity: width * height) { target, initializedCount in
            initializedCount = width * height
            frame.pixels.withUnsafeBufferPointer { source in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                let scale = UInt32(65_536 / (2 * factor))
                withUnsafeTemporaryAllocation(of: UInt16.self, capacity: stride) { sums in
                    guard let sums = sums.baseAddress else { return }
                    for row in 0..<height {
                        let upper = from + (row * factor + factor / 4) * stride
                        let lower = upper + (factor / 2) * stride
                        // The whole rows first: the compiler makes vectors of that.
                        for byte in 0..<stride { sums[byte] = UInt16(upper[byte]) &+ UInt16(lower[byte]) }
                        var block = sums + (channels == 3 ? 1 : 0)
                        let line = to + row * width
                        for column in 0..<width {
                            var sum: UInt32 = 0
                            for pixel in 0..<factor { sum &+= UInt32(block[pixel &* channels]) }
                            line[column] = UInt8(truncatingIfNeeded: (sum &* scale) >> 16)
                            block += factor * channels
                        }
                    }
                }
            }
        }
    }

    private init(width: Int, height: Int, values: [UInt8]) {
        self.width = width
        self.height = height
        self.values = values
    }

    /// Returns the frame at half the size; itself when a side is a single pixel.
    func halved() -> SampledLuma {
        guard width > 1, height > 1 else { return self }
        let (half, rows) = (width / 2, height / 2)
        let smaller = [UInt8](unsafeUninitializedCapacity: half * rows) { target, initializedCount in
            initializedCount = half * rows
            values.withUnsafeBufferPointer { source in
                for row in 0..<rows {
                    let upper = 2 * row * width
                    let lower = upper + width
                    for column in 0..<half {
                        let sum =
                            UInt16(source[upper + 2 * column]) + UInt16(source[upper + 2 * column + 1])
                            + UInt16(source[lower + 2 * column]) + UInt16(source[lower + 2 * column + 1])
                        target[row * half + column] = UInt8(truncatingIfNeeded: (sum + 2) >> 2)
                    }
                }
            }
        }
        return SampledLuma(width: half, height: rows, values: smaller)
    }
}
