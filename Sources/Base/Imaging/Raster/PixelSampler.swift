/// Reads an image between its pixels.
///
/// Lives inside one call of ``withSampler(of:_:)`` and never leaves it. Coordinates count from the centre of the first
/// pixel; past its edges the image repeats its border.
struct PixelSampler {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int
    let channels: Int
    /// Room for the 4 × 4 pixels around a point near the edge, and one byte to spare.
    let patch: UnsafeMutablePointer<UInt8>

    /// Calls `body` with a sampler of `image`.
    static func withSampler(of image: RasterImage, _ body: (PixelSampler) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 * image.channels + 1) { patch in
            patch.initialize(repeating: 0)
            image.pixels.withUnsafeBufferPointer { pixels in
                guard let start = pixels.baseAddress, let room = patch.baseAddress else { return }
                body(
                    PixelSampler(
                        pixels: start,
                        width: image.width,
                        height: image.height,
                        channels: image.channels,
                        patch: room
                    )
                )
            }
        }
    }

    /// The first of the 4 × 4 pixels around a point, the bytes from row to row, and the distance of the point past
    /// the second.
    private typealias Neighbourhood = (start: UnsafePointer<UInt8>, stride: Int, x: Float, y: Float)

    /// Returns the grey value at a point, by the cubic kernel; may be a little outside 0…255.
    @inline(__always)
    func grey(_ x: Double, _ y: Double) -> Float {
        let near = neighbourhood(x, y, channels: 1)
        let vertical = CubicKernel.weights(near.y)
        let row = near.start
        let upper = Self.floats(row) * vertical.x + Self.floats(row + near.stride) * vertical.y
        let below = row + 2 &* near.stride
        let lower = Self.floats(below) * vertical.z + Self.floats(below + near.stride) * vertical.w
        return ((upper + lower) * CubicKernel.weights(near.x)).sum()
    }

    /// Returns red, green and blue at a point, by the cubic kernel; may be a little outside 0…255.
    @inline(__always)
    func colour(_ x: Double, _ y: Double) -> SIMD4<Float> {
        let near = neighbourhood(x, y, channels: 3)
        let vertical = CubicKernel.weights(near.y)
        let horizontal = CubicKernel.weights(near.x)
        var row = near.start
        var sum = Self.mixed(row, horizontal) * vertical.x
        row += near.stride
        sum += Self.mixed(row, horizontal) * vertical.y
        row += near.stride
        sum += Self.mixed(row, horizontal) * vertical.z
        row += near.stride
        sum += Self.mixed(row, horizontal) * vertical.w
        return sum
    }

    /// Returns four RGB pixels in a row, weighted; the fourth lane means nothing.
    @inline(__always)
    private static func mixed(_ row: UnsafePointer<UInt8>, _ weights: SIMD4<Float>) -> SIMD4<Float> {
        floats(row) * weights.x + floats(row + 3) * weights.y + floats(row + 6) * weights.z
            + floats(row + 9) * weights.w
    }

    /// Returns the value at a point by straight lines between pixels, one lane a channel.
    @inline(__always)
    func linear(_ x: Double, _ y: Double) -> SIMD4<Float> {
        let near = neighbourhood(x, y, channels: channels)
        let top = near.start + (near.stride &+ channels)
        let bottom = top + near.stride
        if channels == 1 {
            let upper = Float(top[0]) + near.x * (Float(top[1]) - Float(top[0]))
            let lower = Float(bottom[0]) + near.x * (Float(bottom[1]) - Float(bottom[0]))
            return SIMD4(upper + near.y * (lower - upper), 0, 0, 0)
        }
        // The fourth lane is the next pixel's red: inside the memory, and harmless.
        let upper = Self.floats(top) + (Self.floats(top + 3) - Self.floats(top)) * near.x
        let lower = Self.floats(bottom) + (Self.floats(bottom + 3) - Self.floats(bottom)) * near.x
        return upper + (lower - upper) * near.y
    }

    @inline(__always)
    private func neighbourhood(_ x: Double, _ y: Double, channels: Int) -> Neighbourhood {
        // Two pixels past the edge all taps repeat the border, so nothing further out differs. This also keeps the
        // conversions below in range.
        let nearX = min(max(x, -2), Double(width) + 1) + 2
        let nearY = min(max(y, -2), Double(height) + 1) + 2
        let column = Int(nearX)
        let row = Int(nearY)
        let fractionX = Float(nearX - Double(column))
        let fractionY = Float(nearY - Double(row))
        // The kernel begins one pixel before; two were added above to make the numbers positive.
        let (left, top) = (column &- 3, row &- 3)
        // One column to spare: the last of three RGB bytes is read with the byte that follows it.
        if left >= 0, top >= 0, left &+ 4 < width, top &+ 4 <= height {
            return (pixels + (top &* width &+ left) &* channels, width &* channels, fractionX, fractionY)
        }
        fillPatch(left: left, top: top, channels: channels)
        return (UnsafePointer(patch), 4 * channels, fractionX, fractionY)
    }

    /// Copies the 4 × 4 pixels from (`left`, `top`), borders repeated.
    private func fillPatch(left: Int, top: Int, channels: Int) {
        var write = patch
        for y in top..<top + 4 {
            let line = pixels + min(max(y, 0), height - 1) * width * channels
            for x in left..<left + 4 {
                let read = line + min(max(x, 0), width - 1) * channels
                for channel in 0..<channels { write[channel] = read[channel] }
                write += channels
            }
        }
    }

    /// Returns four bytes as numbers.
    @inline(__always)
    private static func floats(_ bytes: UnsafePointer<UInt8>) -> SIMD4<Float> {
        SIMD4<Float>(UnsafeRawPointer(bytes).loadUnaligned(as: SIMD4<UInt8>.self))
    }
}
