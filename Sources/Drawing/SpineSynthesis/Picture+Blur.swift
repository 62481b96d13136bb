import Foundation

extension Picture {
    /// Blurred by a Gaussian with a standard deviation of `sigma` pixels, cut off at three of them; 0 changes nothing.
    func blurred(sigma: Double) -> Picture {
        guard sigma > 0 else { return self }
        let radius = max(1, Int((3 * sigma).rounded(.up)))
        let weights = (0...radius).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let total = weights[0] + 2 * weights[1...].reduce(0, +)
        return blurred(halfKernel: weights.map { $0 / total })
    }

    /// Blurred along both axes by a symmetric kernel, given from its middle to its end.
    func blurred(halfKernel: [Float]) -> Picture {
        var taps: [(offset: Int, weight: Float)] = []
        for (offset, weight) in halfKernel.enumerated() where weight != 0 {
            taps.append((offset, weight))
            if offset > 0 { taps.append((-offset, weight)) }
        }
        return blurred(taps: taps.map { PointSpread.Tap(x: $0.offset, y: 0, weight: $0.weight) })
            .blurred(taps: taps.map { PointSpread.Tap(x: 0, y: $0.offset, weight: $0.weight) })
    }

    /// Blurred by any point spread, edges repeated.
    func blurred(by spread: PointSpread) -> Picture {
        blurred(taps: spread.taps)
    }

    /// Every pixel the weighted sum of the pixels at the taps' offsets from it.
    private func blurred(taps: [PointSpread.Tap]) -> Picture {
        let reach = taps.map { abs($0.x) }.max() ?? 0
        let (width, height) = (width, height)
        let result = [Pixel](unsafeUninitializedCapacity: width * height) { target, initializedCount in
            initializedCount = width * height
            withUnsafeTemporaryAllocation(of: Pixel.self, capacity: width + 2 * reach) { padded in
                pixels.withUnsafeBufferPointer { source in
                    guard let to = target.baseAddress, let from = source.baseAddress, let row = padded.baseAddress
                    else { return }
                    for y in 0..<height {
                        let sums = to + y * width
                        sums.initialize(repeating: .zero, count: width)
                        for tap in taps {
                            var read = from + max(0, min(height - 1, y + tap.y)) * width
                            if tap.x != 0 {
                                let edges = (read[0], read[width - 1])
                                row.initialize(repeating: edges.0, count: reach)
                                (row + reach).initialize(from: read, count: width)
                                (row + reach + width).initialize(repeating: edges.1, count: reach)
                                read = UnsafePointer(row + reach + tap.x)
                            }
                            for x in 0..<width { sums[x] += read[x] * tap.weight }
                        }
                    }
                }
            }
        }
        return Picture(width: width, height: height, pixels: result)
    }
}
