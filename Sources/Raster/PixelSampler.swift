/// Reads an image between its pixels. Lives inside one `withUnsafe…` call and never leaves it.
///
/// Coordinates count from the centre of the first pixel; past its edges the image repeats its border.
struct PixelSampler {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int
    let channels: Int
    /// Room for the 4 × 4 pixels around a point near the edge.
    let patch: UnsafeMutablePointer<UInt8>

    /// The first of the 4 × 4 pixels around a point, the bytes from row to row, and how far the point lies past the second.
    private typealias Neighbourhood = (start: UnsafePointer<UInt8>, stride: Int, x: Float, y: Float)

    /// The grey value at a point, by the cubic kernel; may lie a little outside 0…255.
    @inline(__always)
    func grey(_ x: Double, _ y: Double) -> Float {
        let near = neighbourhood(x, y, channels: 1)
        let vertical = CubicKernel.weights(near.y)
        var sum = SIMD4<Float>.zero
        var row = near.start
        for index in 0..<4 {
            sum += Self.floats(row) * vertical[index]
            row += near.stride
        }
        return (sum * CubicKernel.weights(near.x)).sum()
    }

    /// Red, green and blue at a point, by the cubic kernel; may lie a little outside 0…255.
    @inline(__always)
    func colour(_ x: Double, _ y: Double) -> SIMD4<Float> {
        let near = neighbourhood(x, y, channels: 3)
        let vertical = CubicKernel.weights(near.y)
        // The twelve bytes of four pixels: r g b r, g b r g, b r g b.
        var (first, second, third) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var row = near.start
        for index in 0..<4 {
            let weight = vertical[index]
            first += Self.floats(row) * weight
            second += Self.floats(row + 4) * weight
            third += Self.floats(row + 8) * weight
            row += near.stride
        }
        let w = CubicKernel.weights(near.x)
        first *= SIMD4(w.x, w.x, w.x, w.y)
        second *= SIMD4(w.y, w.y, w.z, w.z)
        third *= SIMD4(w.z, w.w, w.w, w.w)
        return SIMD4(
            first.x + first.w + second.z + third.y,
            first.y + second.x + second.w + third.z,
            first.z + second.y + third.x + third.w,
            0
        )
    }

    /// The value at a point by straight lines between pixels, one lane a channel.
    @inline(__always)
    func linear(_ x: Double, _ y: Double) -> SIMD4<Float> {
        let near = neighbourhood(x, y, channels: channels)
        let top = near.start + near.stride + channels
        let bottom = top + near.stride
        func mixed(_ channel: Int) -> Float {
            let upper = Float(top[channel]) + near.x * (Float(top[channel + channels]) - Float(top[channel]))
            let lower = Float(bottom[channel]) + near.x * (Float(bottom[channel + channels]) - Float(bottom[channel]))
            return upper + near.y * (lower - upper)
        }
        return channels == 1 ? SIMD4(mixed(0), 0, 0, 0) : SIMD4(mixed(0), mixed(1), mixed(2), 0)
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
        let (left, top) = (column - 3, row - 3)
        if left >= 0, top >= 0, left + 4 <= width, top + 4 <= height {
            return (pixels + (top * width + left) * channels, width * channels, fractionX, fractionY)
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

    /// Four bytes as numbers.
    @inline(__always)
    private static func floats(_ bytes: UnsafePointer<UInt8>) -> SIMD4<Float> {
        SIMD4<Float>(UnsafeRawPointer(bytes).loadUnaligned(as: SIMD4<UInt8>.self))
    }
}
