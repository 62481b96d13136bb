import Basics
import Foundation
import Imaging

/// A picture in linear light, so that light, blur and noise add up as they do in a camera.
///
/// `height` rows of `width` pixels, row-major: red, green and blue, 1 is white, values may leave 0…1. The fourth lane
/// is unused.
struct Picture {
    typealias Pixel = SIMD4<Float>

    let width: Int
    let height: Int
    var pixels: [Pixel]

    init(width: Int, height: Int, pixels: [Pixel]) {
        precondition(pixels.count == width * height, "the buffer does not fit the size")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Creates the linear light of an image.
    init(_ image: RasterImage) {
        precondition(image.channels == 3, "a picture is RGB")
        let count = image.width * image.height
        let pixels = [Pixel](unsafeUninitializedCapacity: count) { target, initializedCount in
            initializedCount = count
            image.pixels.withUnsafeBufferPointer { bytes in
                ToneCurve.linear.withUnsafeBufferPointer { linear in
                    guard var read = bytes.baseAddress, let light = linear.baseAddress, let to = target.baseAddress
                    else { return }
                    for index in 0..<count {
                        to[index] = Pixel(light[Int(read[0])], light[Int(read[1])], light[Int(read[2])], 0)
                        read += 3
                    }
                }
            }
        }
        self.init(width: image.width, height: image.height, pixels: pixels)
    }

    /// Returns the picture that a sensor sees through `projection`: each pixel the mean of its area, sampled as a grid
    /// of two by two points or more that are at most a pixel apart; the border is repeated.
    func seen(through projection: Projection) -> Picture {
        let (across, down) = (projection.width, projection.height)
        let middle = Point(x: Double(across) / 2, y: Double(down) / 2)
        let here = projection.view.apply(middle)
        func points(_ dx: Double, _ dy: Double) -> Int {
            let there = projection.view.apply(Point(x: middle.x + dx, y: middle.y + dy))
            return max(2, min(16, Int(here.distance(to: there).rounded(.up))))
        }
        let (pointsX, pointsY) = (points(1, 0), points(0, 1))
        let share = 1 / Float(pointsX * pointsY)
        let (stepX, stepY) = (1 / Float(pointsX), 1 / Float(pointsY))
        let columns = projection.flatColumns(width: width)
        let result = [Pixel](unsafeUninitializedCapacity: across * down) { target, initializedCount in
            initializedCount = across * down
            withUnsafeTemporaryAllocation(of: SIMD2<Float>.self, capacity: 2 * (across + 1)) { corners in
                pixels.withUnsafeBufferPointer { source in
                    guard let to = target.baseAddress, let from = source.baseAddress, var above = corners.baseAddress
                    else { return }
                    let sampler = LinearSampler(pixels: from, width: width, height: height)
                    var below = above + across + 1
                    projection.fill(below, y: 0, columns)
                    for y in 0..<down {
                        swap(&above, &below)
                        projection.fill(below, y: y + 1, columns)
                        for x in 0..<across {
                            // Within a pixel the projection is as good as straight.
                            let right = (above[x + 1] - above[x]) * stepX
                            let down = (below[x] - above[x]) * stepY
                            var line = above[x] + (right + down) * 0.5
                            var sum = Pixel.zero
                            for _ in 0..<pointsY {
                                var place = line
                                for _ in 0..<pointsX {
                                    sum += sampler.light(at: place)
                                    place += right
                                }
                                line += down
                            }
                            to[y * across + x] = sum * share
                        }
                    }
                }
            }
        }
        return Picture(width: across, height: down, pixels: result)
    }
}

/// Sampler of a picture between its pixels, by linear interpolation; used inside one call.
private struct LinearSampler {
    let pixels: UnsafePointer<Picture.Pixel>
    let width: Int
    let height: Int

    @inline(__always)
    func light(at place: SIMD2<Float>) -> Picture.Pixel {
        let column = max(0, min(Float(width - 1), place.x - 0.5))
        let row = max(0, min(Float(height - 1), place.y - 0.5))
        let (left, top) = (Int(column), Int(row))
        let right = left &+ (left &+ 1 < width ? 1 : 0)
        let upper = pixels + top &* width
        let lower = top &+ 1 < height ? upper + width : upper
        let (shareX, shareY) = (column - Float(left), row - Float(top))
        let above = upper[left] + (upper[right] - upper[left]) * shareX
        let below = lower[left] + (lower[right] - lower[left]) * shareX
        return above + (below - above) * shareY
    }
}

extension Picture {
    /// Returns the picture blurred by a Gaussian of `sigma` pixels, cut off at three of them; 0 changes nothing.
    func blurred(sigma: Double) -> Picture {
        guard sigma > 0 else { return self }
        let radius = max(1, Int((3 * sigma).rounded(.up)))
        let weights = (0...radius).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let total = weights[0] + 2 * weights[1...].reduce(0, +)
        return blurred(halfKernel: weights.map { $0 / total })
    }

    private func blurred(halfKernel: [Float]) -> Picture {
        let kernel = halfKernel.dropFirst().reversed() + halfKernel
        return blurred(kernel, isDown: false).blurred(kernel, isDown: true)
    }

    /// Returns the picture of a camera that moved to the right or down while it was taken.
    func moved(length: Double, isDown: Bool) -> Picture {
        // Each pixel of the line has its share, the two ends that of what they cover.
        let reach = Int((length / 2).rounded(.up))
        let covered = (-reach...reach).map { max(0, min(1, length / 2 + 0.5 - Double(abs($0)))) }
        let total = covered.reduce(0, +)
        return blurred(covered.map { Float($0 / total) }, isDown: isDown)
    }

    /// Returns the picture with every pixel replaced by the weighted sum of a row or a column of pixels about it.
    private func blurred(_ kernel: [Float], isDown: Bool) -> Picture {
        let (width, height, reach) = (width, height, kernel.count / 2)
        let result = [Pixel](unsafeUninitializedCapacity: width * height) { target, initializedCount in
            initializedCount = width * height
            pixels.withUnsafeBufferPointer { source in
                guard let to = target.baseAddress, let from = source.baseAddress else { return }
                for y in 0..<height {
                    let sums = to + y * width
                    sums.initialize(repeating: .zero, count: width)
                    for (index, weight) in kernel.enumerated() {
                        let offset = index - reach
                        let row = from + (isDown ? max(0, min(height - 1, y + offset)) : y) * width
                        for x in 0..<width {
                            sums[x] += row[isDown ? x : max(0, min(width - 1, x + offset))] * weight
                        }
                    }
                }
            }
        }
        return Picture(width: width, height: height, pixels: result)
    }
}

extension Picture {
    /// Returns the picture as sRGB bytes, cut off at black and white.
    func image() -> RasterImage {
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, initializedCount in
            initializedCount = width * height * 3
            ToneCurve.table.withUnsafeBufferPointer { table in
                pixels.withUnsafeBufferPointer { pixels in
                    guard let table = table.baseAddress, var to = target.baseAddress else { return }
                    for light in pixels {
                        for channel in 0..<3 {
                            to.initialize(to: ToneCurve.byte(light[channel], table))
                            to += 1
                        }
                    }
                }
            }
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: bytes)
    }
}

/// Source: IEC 61966-2-1 (sRGB).
enum ToneCurve {
    /// The linear light, 0…1, of each byte.
    static let linear: [Float] = (0..<256).map { byte in
        let value = Double(byte) / 255
        return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }

    private static let steps: Float = 4096
    /// Values 0…255 for light at even steps of 0…1, and one more so that the last step has an end.
    static let table: [Float] = (0...Int(steps) + 1).map { step in
        let light = min(1, Double(step) / Double(steps))
        return Float(255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055))
    }

    /// Returns the byte of some light, cut off at 0 and 1; `table` is this curve's.
    @inline(__always)
    static func byte(_ light: Float, _ table: UnsafePointer<Float>) -> UInt8 {
        let place = max(0, min(1, light)) * steps
        let step = Int(place)
        let low = table[step]
        return UInt8(low + (table[step + 1] - low) * (place - Float(step)) + 0.5)
    }
}

extension Picture {
    /// Returns the standard deviation of a phone's noise in linear light.
    ///
    /// Photons arrive by chance, and reading adds its
    /// own. White is 8000 electrons at ISO 50, and reading has a deviation of two.
    static func noise(at light: Double, iso: Double) -> Double {
        let white = 8000 * 50 / iso
        return (light / white + 4 / (white * white)).squareRoot()
    }

    mutating func addNoise(iso: Double, _ generator: inout SplitMix64) {
        let dark = Float(Self.noise(at: 0, iso: iso))
        let photon = Float(Self.noise(at: 1, iso: iso)) * Float(Self.noise(at: 1, iso: iso)) - dark * dark
        pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices {
                let chance = Pixel(generator.normal(), generator.normal(), generator.normal(), 0)
                let variance = pixels[index].clamped(lowerBound: .zero, upperBound: .one) * photon + dark * dark
                pixels[index] += variance.squareRoot() * chance
            }
        }
    }
}

extension SplitMix64 {
    /// Returns a number that is normal but for its ends, of mean 0 and deviation 1: four even ones added up, which is
    /// the same to the last bit on every machine.
    @inline(__always)
    mutating func normal() -> Float {
        let bits = next()
        let sum = Int(bits & 0xFFFF) + Int(bits >> 16 & 0xFFFF) + Int(bits >> 32 & 0xFFFF) + Int(bits >> 48)
        // The deviation of one of 2¹⁶ steps is 2¹⁶ / √12, and of four of them twice that.
        return Float(sum - 131_070) * (1.732_050_8 / 65_536)
    }
}
