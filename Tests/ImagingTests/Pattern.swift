import Imaging

/// Returns slanted ramps that differ by channel: |(5x + 3y + 40c) mod 510 − 255|.
func ramps(width: Int = 60, height: Int = 40, channels: Int = 3) -> RasterImage {
    var pixels: [UInt8] = []
    for y in 0..<height {
        for x in 0..<width {
            for channel in 0..<channels { pixels.append(UInt8(abs((x * 5 + y * 3 + channel * 40) % 510 - 255))) }
        }
    }
    return RasterImage(width: width, height: height, channels: channels, pixels: pixels)
}

extension RasterImage {
    /// Returns the channels of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        let start = (y * width + x) * channels
        return pixels[start..<start + channels].map(Int.init)
    }

    /// Returns the largest difference between a pixel's channels and the expected ones.
    func difference(_ x: Int, _ y: Int, _ expected: [Int]) -> Int {
        zip(pixel(x, y), expected).map { abs($0 - $1) }.max() ?? 0
    }
}

/// Returns a quad by its corners: the top left, the top right, the bottom right, the bottom left.
func quad(
    _ a: (Double, Double),
    _ b: (Double, Double),
    _ c: (Double, Double),
    _ d: (Double, Double)
) -> Quad {
    let points = [a, b, c, d].map { Point(x: $0.0, y: $0.1) }
    return Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
}

extension Quad {
    /// A rectangle along the axes.
    init(x: Double, y: Double, width: Double, height: Double) {
        self = quad((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    }
}
