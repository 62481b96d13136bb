/// Cubic convolution with a = −0.75, the kernel of OpenCV's `INTER_CUBIC`, with which the recognition models that this
/// package runs were trained and are usually fed.
///
/// Source: R. Keys, *Cubic Convolution Interpolation for Digital Image Processing* (1981), equation 15 with a free.
enum CubicKernel {
    /// The weights of the pixels at −1, 0, 1 and 2 around a position `fraction` (0..<1) past pixel 0; their sum is 1.
    @inline(__always)
    static func weights(_ fraction: Float) -> SIMD4<Float> {
        // Equation 15 at the distances 1 + t, t, 1 − t and 2 − t, multiplied out: one lane a pixel, by powers of t.
        let linear = SIMD4<Float>(-0.75, 0, 0.75, 0)
        let square = SIMD4<Float>(1.5, -2.25, 1.5, -0.75)
        let cube = SIMD4<Float>(-0.75, 1.25, -1.25, 0.75)
        return ((cube * fraction + square) * fraction + linear) * fraction + SIMD4(0, 1, 0, 0)
    }

    /// `value` rounded to the nearest byte, saturated.
    @inline(__always)
    static func byte(_ value: Float) -> UInt8 {
        // At 2²³ a Float counts in ones: adding it rounds, and leaves the integer in the lowest bits. Converting with
        // `UInt8(_:)` checks for what cannot happen here, and costs twice as much.
        UInt8(truncatingIfNeeded: (min(max(value, 0), 255) + 8_388_608).bitPattern)
    }
}
