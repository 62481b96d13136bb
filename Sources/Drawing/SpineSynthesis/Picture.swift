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
        let middle = Point(x: Double(across) / 2, y: Double(down) / 2)
        let here = projection.view.apply(middle)
        func points(_ dx: Double, _ dy: Double) -> Int {
            let there = projection.view.apply(Point(x: middle.x + dx, y: middle.y + dy))
            return max(2, min(16, Int(here.distance(to: there).rounded(.up))))
        }
        let (pointsX, pointsY) = (points(1, 0), points(0, 1))
        let share = 1 / Float(pointsX * pointsY)
        let (stepX, stepY) = (1 / Float(pointsX), 1 / Float(pointsY))
        let grid = ProjectionGrid(projection, flatWidth: width)
        let result = [Pixel](unsafeUninitializedCapacity: across * down) { target, initializedCount in
            initializedCount = across * down
            withUnsafeTemporaryAllocation(of: SIMD2<Float>.self, capacity: 2 * (across + 1)) { corners in
                pixels.withUnsafeBufferPointer { source in
                    guard let to = target.baseAddress, let from = source.baseAddress, var above = corners.baseAddress
                    else { return }
                    let sampler = LinearSampler(pixels: from, width: width, height: height)
                    var below = above + across + 1
                    grid.fill(below, y: 0)
                    for y in 0..<down {
                        swap(&above, &below)
                        grid.fill(below, y: y + 1)
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

/// Reads a picture between its pixels, by straight lines; lives inside one call.
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
