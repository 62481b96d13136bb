/// Cubic convolution with a = −0.75, the kernel of OpenCV's `INTER_CUBIC`, with which the recognition models that this
/// package runs were trained and are usually fed.
///
/// Source: R. Keys, *Cubic Convolution Interpolation for Digital Image Processing* (1981), equation 15 with a free.
enum CubicKernel {
    /// The weights of the pixels at −1, 0, 1 and 2 around a position `fraction` (0..<1) past pixel 0; their sum is 1.
    @inline(__always)
    static func weights(_ fraction: Float) -> SIMD4<Float> {
        let a: Float = -0.75
        let t = fraction
        let u = 1 - t
        let before = a * t * u * u
        let after = a * u * t * t
        let second = ((a + 2) * u - (a + 3)) * u * u + 1
        return SIMD4(before, 1 - before - after - second, second, after)
    }

    /// `value` rounded to the nearest byte, saturated.
    @inline(__always)
    static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 255)))
    }
}
