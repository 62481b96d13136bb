import Basics
import Foundation
import Imaging

/// Draws places without a spine, and puts pictures of spines into them.
struct SceneMaker {
    private enum Place: CaseIterable {
        case wall, desk, floor, clutter
    }

    private let frame: FrameSize
    private var random: SplitMix64

    /// `frame`: The size of frames; drawings are in proportion to it.
    init(frame: FrameSize, seed: UInt64) {
        self.frame = frame
        random = SplitMix64(state: seed)
    }

    /// Returns a number of pixels scaled from a frame that is 1440 wide.
    private func pixels(_ number: Int) -> Int { max(1, number * frame.width / 1_440) }

    /// Returns a place of three frames' width.
    private mutating func drawn(_ place: Place) -> Canvas {
        var canvas = Canvas(width: Int(Double(frame.width) * 3), height: Int(Double(frame.height) * 1.1))
        shade(&canvas)
        switch place {
        case .wall: break
        case .desk: desk(&canvas)
        case .floor: boards(&canvas)
        case .clutter: for _ in 0..<random.integer(4...50) { box(&canvas) }
        }
        return canvas
    }

    /// Returns a spine that its owner aims at: upright before a place, in the middle of a canvas three frames wide.
    ///
    /// `spine`: As long as nineteen twentieths of a frame, unless it is too thick for the strip. `strip`: The width
    /// that the owner aims with, of a frame's.
    mutating func aimed(_ spine: SpineCut, strip: Double) -> FrameScene {
        var canvas = drawn(Place.allCases[random.below(Place.allCases.count)])
        let most = 0.85 * strip * Double(frame.width)
        let outline = canvas.put(
            spine,
            centre: Point(x: Double(canvas.width) / 2, y: Double(canvas.height) / 2),
            length: min(0.95 * Double(frame.height), most * spine.length / spine.thickness),
            angle: random.number(-1.5...1.5) * .pi / 180
        )
        return FrameScene(canvas: canvas.image, spine: outline)
    }

    // MARK: Drawing

    private mutating func shade(_ canvas: inout Canvas) {
        let (from, to) = (random.number(20...230), random.number(20...230))
        let isShaded = random.number(0...1) < 0.5
        let grain = random.number(0...1) < 0.5 ? 12.0 : 0
        var drift = 0.0
        for y in 0..<canvas.height {
            drift = max(-grain, min(grain, drift + random.number(-2...2)))
            let share = Double(y) / Double(canvas.height)
            let value = (isShaded ? from + (to - from) * share : from) + drift
            canvas.fill(0, y, canvas.width, 1, UInt8(clamping: Int(value)))
        }
    }

    /// Cups, blank paper, a pen.
    private mutating func desk(_ canvas: inout Canvas) {
        for _ in 0..<random.integer(2...6) {
            let (x, y) = (random.below(canvas.width), random.below(canvas.height))
            switch random.below(3) {
            case 0:
                let radius = pixels(random.integer(100...260))
                canvas.ellipse(x, y, radius, radius, UInt8(random.integer(120...250)))
                canvas.ellipse(x, y, radius * 8 / 10, radius * 8 / 10, UInt8(random.integer(20...110)))
            case 1:
                canvas.fill(x, y, pixels(random.integer(500...900)), pixels(random.integer(600...1_200)), 235)
            default:
                let (length, width) = (pixels(random.integer(500...800)), pixels(random.integer(14...40)))
                canvas.fill(x, y, length, width, UInt8(random.integer(0...90)))
            }
        }
    }

    private mutating func boards(_ canvas: inout Canvas) {
        let (width, joint) = (pixels(random.integer(60...260)), pixels(random.integer(2...10)))
        for start in stride(from: 0, to: canvas.width, by: width) {
            canvas.fill(start, 0, width, canvas.height, UInt8(random.integer(80...200)))
            canvas.fill(start, 0, joint, canvas.height, 20)
        }
    }

    private mutating func box(_ canvas: inout Canvas) {
        let x = random.below(canvas.width + pixels(200)) - pixels(200)
        let y = random.below(canvas.height + pixels(200)) - pixels(200)
        let (width, height) = (pixels(random.integer(50...700)), pixels(random.integer(50...900)))
        let value = UInt8(random.integer(0...255))
        if random.below(2) == 0 {
            canvas.fill(x, y, width, height, value)
        } else {
            canvas.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, value)
        }
    }
}

/// Grey pixels that are drawn on.
private struct Canvas {
    var image: RasterImage

    var width: Int { image.width }
    var height: Int { image.height }

    init(width: Int, height: Int) { image = RasterImage(width: width, height: height, channels: 1) }

    mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ value: UInt8) {
        let columns = (x..<x + width).clamped(to: 0..<self.width)
        let rows = (y..<y + height).clamped(to: 0..<self.height)
        guard !columns.isEmpty else { return }
        let all = self.width
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            for row in rows {
                pixels[row * all + columns.lowerBound..<row * all + columns.upperBound].update(repeating: value)
            }
        }
    }

    mutating func ellipse(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ value: UInt8) {
        guard width > 0, height > 0 else { return }
        for row in (y - height..<y + height).clamped(to: 0..<self.height) {
            let share = Double(row - y) / Double(height)
            let half = Int(Double(width) * max(0, 1 - share * share).squareRoot())
            fill(x - half, row, 2 * half, 1, value)
        }
    }

    /// Inserts a spine, turned clockwise by an angle, and returns its outline.
    mutating func put(_ spine: SpineCut, centre: Point, length: Double, angle: Double) -> Quad {
        let scale = length / spine.length
        let picture = spine.image.resized(
            width: max(1, Int((Double(spine.image.width) * scale).rounded())),
            height: max(1, Int((Double(spine.image.height) * scale).rounded()))
        )
        let (sine, cosine) = (sin(angle), cos(angle))
        let middle = Point(x: spine.outline.centre.x * scale, y: spine.outline.centre.y * scale)
        let outline = spine.outline.mapped { corner in
            let (dx, dy) = (corner.x * scale - middle.x, corner.y * scale - middle.y)
            return Point(x: centre.x + cosine * dx - sine * dy, y: centre.y + sine * dx + cosine * dy)
        }
        let corners = outline.corners
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let columns = (Int(xs.min() ?? 0)..<Int(xs.max() ?? 0) + 1).clamped(to: 0..<width)
        let rows = (Int(ys.min() ?? 0)..<Int(ys.max() ?? 0) + 1).clamped(to: 0..<height)
        let all = width
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            picture.pixels.withUnsafeBufferPointer { source in
                for y in rows {
                    for x in columns {
                        let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                        guard outline.contains(point) else { continue }
                        let (dx, dy) = (point.x - centre.x, point.y - centre.y)
                        let u = cosine * dx + sine * dy + middle.x - 0.5
                        let v = cosine * dy - sine * dx + middle.y - 0.5
                        pixels[y * all + x] = Self.value(source, picture.width, picture.height, u, v)
                    }
                }
            }
        }
        return outline
    }

    /// Returns the value interpolated between the four pixels around a point.
    private static func value(
        _ pixels: UnsafeBufferPointer<UInt8>,
        _ width: Int,
        _ height: Int,
        _ x: Double,
        _ y: Double
    ) -> UInt8 {
        let (x, y) = (min(max(0, x), Double(width - 1)), min(max(0, y), Double(height - 1)))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (u, v) = (x - Double(left), y - Double(top))
        let upper = Double(pixels[top * width + left]) * (1 - u) + Double(pixels[top * width + right]) * u
        let lower = Double(pixels[bottom * width + left]) * (1 - u) + Double(pixels[bottom * width + right]) * u
        return UInt8(upper * (1 - v) + lower * v)
    }
}
