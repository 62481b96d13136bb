internal import Basics

extension RasterImage {
    /// Returns the image at another size.
    ///
    /// Along an axis that shrinks, a pixel is the area average of the source; along one that grows, it is
    /// interpolated by ``CubicKernel`` at pixel centres, edges repeated.
    ///
    /// - Precondition: both sides are positive.
    public func resized(width: Int, height: Int) -> RasterImage {
        precondition(width > 0 && height > 0, "an image has at least one pixel")
        if (width, height) == (self.width, self.height) { return self }
        let columns = AxisWeights(from: self.width, to: width)
        let rows = AxisWeights(from: self.height, to: height)
        return resampled(columns: columns, rows: rows)
    }

    /// Returns the image with every axis resampled by its weights: first down the columns into one row of sums, then
    /// along it.
    func resampled(columns: AxisWeights, rows: AxisWeights) -> RasterImage {
        let (width, height, channels) = (columns.spans.count, rows.spans.count, channels)
        WorkMeter.count(.pixelsScaled, width * height)
        let sourceCount = self.width * channels
        let result = [UInt8](unsafeUninitializedCapacity: width * height * channels) { target, initializedCount in
            initializedCount = width * height * channels
            withUnsafeTemporaryAllocation(of: Float.self, capacity: sourceCount) { sums in
                pixels.withUnsafeBufferPointer { source in
                    guard let from = source.baseAddress, let sum = sums.baseAddress, var write = target.baseAddress
                    else { return }
                    for row in rows.spans {
                        for tap in 0..<row.count {
                            let weight = rows.weights[row.firstWeight + tap]
                            let line = from + (row.start + tap) * sourceCount
                            if tap == 0 {
                                for index in 0..<sourceCount { sum[index] = weight * Float(line[index]) }
                            } else {
                                for index in 0..<sourceCount { sum[index] += weight * Float(line[index]) }
                            }
                        }
                        columns.gather(sum, channels: channels, into: &write)
                    }
                }
            }
        }
        return RasterImage(width: width, height: height, channels: channels, pixels: result)
    }
}

/// The source pixels of each target pixel along one axis, with their weights.
struct AxisWeights {
    /// The pixels behind one target pixel: `count` from `start`, weighted by the numbers from `firstWeight`.
    struct Span {
        var start: Int
        var count: Int
        var firstWeight: Int
    }

    private(set) var spans: [Span] = []
    private(set) var weights: [Float] = []

    /// Creates weights of the area average when `target` is the smaller, cubic interpolation when it is the larger, a
    /// copy when they are equal.
    init(from source: Int, to target: Int) {
        spans.reserveCapacity(target)
        for index in 0..<target {
            if target < source {
                appendArea(index, scale: Double(source) / Double(target), limit: source)
            } else {
                appendCubic((Double(index) + 0.5) * Double(source) / Double(target) - 0.5, limit: source)
            }
        }
    }

    init(blocksOf factor: Int, in source: Int) {
        for index in 0..<(source + factor - 1) / factor { appendArea(index, scale: Double(factor), limit: source) }
    }

    private mutating func appendArea(_ index: Int, scale: Double, limit: Int) {
        let begin = Double(index) * scale
        let end = min(begin + scale, Double(limit))
        let start = Int(begin)
        let stop = min(limit, Int(end.rounded(.up)))
        spans.append(Span(start: start, count: stop - start, firstWeight: weights.count))
        for pixel in start..<stop {
            let covered = min(end, Double(pixel + 1)) - max(begin, Double(pixel))
            weights.append(Float(covered / (end - begin)))
        }
    }

    private mutating func appendCubic(_ position: Double, limit: Int) {
        let base = position.rounded(.down)
        let taps = CubicKernel.weights(Float(position - base))
        let first = Int(base) - 1
        // A tap beyond the edge repeats the edge's pixel.
        let start = max(0, first)
        let stop = min(limit, first + 4)
        var inside = [Float](repeating: 0, count: stop - start)
        for tap in 0..<4 { inside[min(max(first + tap, 0), limit - 1) - start] += taps[tap] }
        spans.append(Span(start: start, count: inside.count, firstWeight: weights.count))
        weights.append(contentsOf: inside)
    }

    /// Weighs one row of sums into one row of target pixels, and moves `write` past it.
    func gather(_ sums: UnsafePointer<Float>, channels: Int, into write: inout UnsafeMutablePointer<UInt8>) {
        weights.withUnsafeBufferPointer { weights in
            for span in spans {
                var read = sums + span.start * channels
                if channels == 1 {
                    var value: Float = 0
                    for tap in span.firstWeight..<span.firstWeight + span.count {
                        value += weights[tap] * read[0]
                        read += 1
                    }
                    write[0] = CubicKernel.byte(value)
                } else {
                    var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
                    for tap in span.firstWeight..<span.firstWeight + span.count {
                        let weight = weights[tap]
                        red += weight * read[0]
                        green += weight * read[1]
                        blue += weight * read[2]
                        read += 3
                    }
                    write[0] = CubicKernel.byte(red)
                    write[1] = CubicKernel.byte(green)
                    write[2] = CubicKernel.byte(blue)
                }
                write += channels
            }
        }
    }
}

/// Cubic convolution with a = −0.75, the kernel of OpenCV's `INTER_CUBIC`, with which the recognition models that this
/// package runs were trained and are usually fed.
///
/// Source: R. Keys, *Cubic Convolution Interpolation for Digital Image Processing* (1981), equation 15 with a free.
enum CubicKernel {
    /// Returns the weights of the pixels at −1, 0, 1 and 2 around a position `fraction` (0..<1) past pixel 0; their
    /// sum is 1.
    @inline(__always)
    static func weights(_ fraction: Float) -> SIMD4<Float> {
        // Equation 15 at the distances 1 + t, t, 1 − t and 2 − t, multiplied out: one lane a pixel, by powers of t.
        let linear = SIMD4<Float>(-0.75, 0, 0.75, 0)
        let square = SIMD4<Float>(1.5, -2.25, 1.5, -0.75)
        let cube = SIMD4<Float>(-0.75, 1.25, -1.25, 0.75)
        return ((cube * fraction + square) * fraction + linear) * fraction + SIMD4(0, 1, 0, 0)
    }

    /// Returns `value` rounded to the nearest byte, saturated.
    @inline(__always)
    static func byte(_ value: Float) -> UInt8 {
        // Above 2²³ a Float has steps of 1: adding it rounds, and leaves the integer in the lowest bits. Converting
        // with `UInt8(_:)` checks for impossible values, and costs twice as much.
        UInt8(truncatingIfNeeded: (min(max(value, 0), 255) + 8_388_608).bitPattern)
    }
}

extension RasterImage {
    /// Returns the image if its long side is at most that long, else a reduced copy.
    public func fitted(to side: Int) -> RasterImage {
        let scale = Double(side) / Double(max(width, height))
        guard scale < 1 else { return self }
        return resized(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded()))
        )
    }
}
