import Imaging

/// A frame's brightness, from which the camera's movement to another frame is computed.
struct FrameMotion: Sendable {
    /// Size of the frame, in pixels.
    let width, height: Double
    private let luma: SampledLuma
    /// Steps of brightness from each column to the next, in ``bands`` bands from the top.
    private let columns: [[Double]]

    private static let bands = 4
    /// Minimum share of the width, and of the height, that two frames have in common.
    private static let leastShared = 0.5
    /// Correlation from which on two frames show the same things: a path that is lost costs readings, a wrong one books.
    private static let leastCorrelation = 0.7

    init(_ frame: RasterImage) {
        (width, height) = (Double(frame.width), Double(frame.height))
        let luma = SampledLuma(of: frame)
        self.luma = luma
        columns = (0..<Self.bands).map { band in
            luma.steps(
                count: luma.width,
                over: (band * luma.height / Self.bands)..<((band + 1) * luma.height / Self.bands)
            ) { column, row in row * luma.width + column }
        }
    }

    /// Returns the shift of a later frame to the right of and below this one, in pixels; nil if they do not show the
    /// same things.
    func shift(to later: FrameMotion) -> Point? {
        guard luma.width == later.luma.width, luma.height == later.luma.height,
            let x = Self.lag(columns, later.columns)
        else { return nil }
        // Rows are compared where both frames see the same columns.
        let whole = Int(x.rounded())
        let shared = max(0, whole)..<min(luma.width, luma.width + whole)
        func rows(_ luma: SampledLuma, _ columns: Range<Int>) -> [Double] {
            luma.steps(count: luma.height, over: columns) { row, column in row * luma.width + column }
        }
        let moved = (shared.lowerBound - whole)..<(shared.upperBound - whole)
        guard let y = Self.lag([rows(luma, shared)], [rows(later.luma, moved)]) else { return nil }
        let scale = width / Double(luma.width)
        return Point(x: x * scale, y: y * scale)
    }

    /// Returns the lag at which the later sequences are most like the earlier ones, refined by a parabola; nil where
    /// none is.
    private static func lag(_ earlier: [[Double]], _ later: [[Double]]) -> Double? {
        let count = earlier[0].count
        let most = Int(Double(count) * (1 - leastShared))
        guard count >= 8 else { return nil }
        let values = (-most...most).map { correlation(earlier, later, lag: $0) }
        guard let best = values.indices.max(by: { values[$0] < values[$1] }), values[best] >= leastCorrelation else {
            return nil
        }
        guard best > 0, best < values.count - 1 else { return Double(best - most) }
        let (left, middle, right) = (values[best - 1], values[best], values[best + 1])
        let bend = left - 2 * middle + right
        return Double(best - most) + (bend < 0 ? 0.5 * (left - right) / bend : 0)
    }

    /// Returns the correlation of two sequences when the later one is shifted by `lag`, −1…1.
    private static func correlation(_ earlier: [[Double]], _ later: [[Double]], lag: Int) -> Double {
        var (product, first, second) = (0.0, 0.0, 0.0)
        for (earlier, later) in zip(earlier, later) {
            for index in max(0, lag)..<min(earlier.count, later.count + lag) {
                let (a, b) = (earlier[index], later[index - lag])
                product += a * b
                first += a * a
                second += b * b
            }
        }
        return first > 0 && second > 0 ? product / (first * second).squareRoot() : 0
    }
}

/// A frame's brightness at about 240 pixels on its long side, from two rows of each block of its pixels.
struct SampledLuma {
    let width: Int
    let height: Int
    /// Row-major, 0…255.
    let values: [UInt8]

    private static let longSide = 240

    /// Samples a frame: each value is the mean of two rows of a block of the frame's pixels.
    ///
    /// Green approximates the brightness of a colour frame: it is seven tenths of it, and two thirds of the bytes
    /// stay unread.
    init(of frame: RasterImage) {
        let (long, channels) = (max(frame.width, frame.height), frame.channels)
        // A block is never larger than the frame: a picture of few rows or columns keeps all of them.
        let factor = max(1, min((long + Self.longSide - 1) / Self.longSide, frame.width, frame.height))
        let (width, height) = (frame.width / factor, frame.height / factor)
        (self.width, self.height) = (width, height)
        guard factor > 1 else {
            values = channels == 1 ? frame.pixels : frame.luma().pixels
            return
        }
        let (stride, scale) = (frame.width * channels, 65_536 / (2 * factor))
        values = frame.pixels.withUnsafeBufferPointer { pixels in
            (0..<width * height).map { place in
                let (row, column) = place.quotientAndRemainder(dividingBy: width)
                let upper = (row * factor + factor / 4) * stride + column * factor * channels + (channels == 3 ? 1 : 0)
                let lower = upper + (factor / 2) * stride
                var sum = 0
                for pixel in 0..<factor {
                    sum += Int(pixels[upper + pixel * channels]) + Int(pixels[lower + pixel * channels])
                }
                return UInt8((sum * scale) >> 16)
            }
        }
    }

    /// Returns the steps between the means over `across` of positions along the other axis, smoothed: an edge between
    /// two samples should resemble one on a sample.
    fileprivate func steps(count: Int, over across: Range<Int>, _ index: (Int, Int) -> Int) -> [Double] {
        guard !across.isEmpty else { return [] }
        let means = (0..<count).map { place in
            Double(across.reduce(0) { $0 + Int(values[index(place, $1)]) }) / Double(across.count)
        }
        guard means.count > 3 else { return [] }
        let pairs = zip(means, means.dropFirst()).map { $0 + $1 }
        return zip(pairs.dropFirst(2), pairs).map { $0 - $1 }
    }
}
