import Raster

/// A picture in linear light, so that light, blur and noise add up as they do in a camera.
///
/// `height` rows of `width` pixels, row-major: red, green and blue, 1 is white, values may leave 0…1. The fourth lane is
/// not used; a vector of four is what machines add at once.
struct Picture {
    typealias Pixel = SIMD4<Float>

    let width: Int
    let height: Int
    var pixels: [Pixel]

    /// - Precondition: `pixels` has `width` × `height` elements.
    init(width: Int, height: Int, pixels: [Pixel]) {
        precondition(pixels.count == width * height, "the buffer does not fit the size")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The linear light of an image.
    ///
    /// - Precondition: `image` has three channels.
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

    /// The picture that a sensor sees through `projection`, every one of its pixels the mean of the area that it covers.
    ///
    /// The area is taken as a grid of points that lie no farther apart than this picture's pixels, and never fewer than two
    /// by two; beyond its edges the picture repeats its border.
    func seen(through projection: Projection) -> Picture {
        let (across, down) = (projection.width, projection.height)
        let view = projection.view
        let middle = Point(x: Double(across) / 2, y: Double(down) / 2)
        let here = view.apply(middle)
        func points(_ dx: Double, _ dy: Double) -> Int {
            let there = view.apply(Point(x: middle.x + dx, y: middle.y + dy))
            return max(2, min(16, Int(here.distance(to: there).rounded(.up))))
        }
        let (pointsX, pointsY) = (points(1, 0), points(0, 1))
        let columns = Self.flatColumns(projection.bends, width: width)
        let share = 1 / Float(pointsX * pointsY)
        let (stepX, stepY) = (1 / Double(pointsX), 1 / Double(pointsY))
        let result = [Pixel](unsafeUninitializedCapacity: across * down) { target, initializedCount in
            initializedCount = across * down
            columns.withUnsafeBufferPointer { columns in
                pixels.withUnsafeBufferPointer { source in
                    guard let to = target.baseAddress, let from = source.baseAddress, let bent = columns.baseAddress
                    else { return }
                    let sampler = LinearSampler(pixels: from, width: width, height: height, columns: bent)
                    for y in 0..<down {
                        for x in 0..<across {
                            var sum = Pixel.zero
                            for line in 0..<pointsY {
                                let lineY = Double(y) + (Double(line) + 0.5) * stepY
                                for point in 0..<pointsX {
                                    let pointX = Double(x) + (Double(point) + 0.5) * stepX
                                    let place = view.apply(projection.undistorted(Point(x: pointX, y: lineY)))
                                    sum += sampler[place.x, place.y]
                                }
                            }
                            to[y * across + x] = sum * share
                        }
                    }
                }
            }
        }
        return Picture(width: across, height: down, pixels: result)
    }

    /// The flat place, from the left edge, of what is seen at each half pixel; the last one twice, as the end of a step.
    private static func flatColumns(_ bends: [Projection.Bend], width: Int) -> [Float] {
        (0...2 * width + 1).map { step in
            let x = min(Double(step) / 2, Double(width))
            return Float(bends.reduce(x) { $1.flat($0) })
        }
    }
}

/// Reads a picture between its pixels, by straight lines; lives inside one call.
private struct LinearSampler {
    let pixels: UnsafePointer<Picture.Pixel>
    let width: Int
    let height: Int
    /// The flat place of each half pixel, from 0 to the width.
    let columns: UnsafePointer<Float>

    /// The light at a point as seen: `x` is laid flat first.
    @inline(__always)
    subscript(x: Double, y: Double) -> Picture.Pixel {
        let place = Float(max(0, min(Double(width), x))) * 2
        let step = Int(place)
        let flat = columns[step] + (columns[step + 1] - columns[step]) * (place - Float(step))
        let column = max(0, min(Float(width - 1), flat - 0.5))
        let row = max(0, min(Float(height - 1), Float(y) - 0.5))
        let (left, top) = (Int(column), Int(row))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (shareX, shareY) = (column - Float(left), row - Float(top))
        let (upper, lower) = (pixels + top * width, pixels + bottom * width)
        let above = upper[left] + (upper[right] - upper[left]) * shareX
        let below = lower[left] + (lower[right] - lower[left]) * shareX
        return above + (below - above) * shareY
    }
}
