import Raster

/// A frame's brightness at about 480 pixels on its long side, from an eighth of its pixels or fewer.
struct SampledLuma {
    let width: Int
    let height: Int
    /// Row-major, 0…255.
    let values: [UInt8]

    /// Samples a frame: each value is the mean of two rows of a block of the frame's pixels.
    ///
    /// Green stands for the brightness of a colour frame: it is seven tenths of it, and two thirds of the bytes stay unread.
    init(of frame: RasterImage, longSide: Int = 480) {
        let factor = max(1, (max(frame.width, frame.height) + longSide - 1) / longSide)
        let (width, height) = (max(1, frame.width / factor), max(1, frame.height / factor))
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
                for row in 0..<height {
                    let upper = from + (row * factor + factor / 4) * stride + (channels == 3 ? 1 : 0)
                    let lower = upper + (factor / 2) * stride
                    for column in 0..<width {
                        var sum: UInt32 = 0
                        var offset = column * factor * channels
                        for _ in 0..<factor {
                            sum &+= UInt32(upper[offset]) &+ UInt32(lower[offset])
                            offset &+= channels
                        }
                        to[row * width + column] = UInt8(truncatingIfNeeded: (sum &* scale) >> 16)
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

    /// The same at half the size; itself when a side is a single pixel.
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
