import Foundation
import Raster

/// Makes frames of a phone's camera, 1440 × 1920 pixels of luma: with a spine in them, and without.
struct FrameMaker {
    static let width = 1440
    static let height = 1920

    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// A spine held before something plain, or lying on something: 45 to 100 % of the frame's height, leaning up to 8°.
    mutating func frame(with spine: RasterImage) -> RasterImage {
        var spine = spine.luma()
        if spine.width > spine.height { spine = spine.rotated(.clockwise) }
        let scale = min(
            Double.random(in: 0.45...1, using: &random) * Double(Self.height) / Double(spine.height),
            0.9 * Double(Self.width) / Double(spine.width)
        )
        let (width, height) = (Double(spine.width) * scale, Double(spine.height) * scale)
        let scaled = spine.resized(width: max(1, Int(width)), height: max(1, Int(height)))
        var frame = plain()
        let angle = Bool.random(using: &random) ? Double.random(in: -8...8, using: &random) * .pi / 180 : 0
        let centre = (
            x: Double(Self.width) / 2 + .random(in: -200...200, using: &random),
            y: Double(Self.height) / 2 + .random(in: -60...60, using: &random)
        )
        let (sine, cosine) = (sin(angle), cos(angle))
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (dx, dy) = (Double(x) - centre.x, Double(y) - centre.y)
                let u = Int(cosine * dx + sine * dy + width / 2)
                let v = Int(cosine * dy - sine * dx + height / 2)
                guard u >= 0, v >= 0, u < scaled.width, v < scaled.height else { continue }
                frame.pixels[y * Self.width + x] = scaled.pixels[v * scaled.width + u]
            }
        }
        return Bool.random(using: &random) ? frame.rotated(.clockwise) : frame
    }

    /// A part of a picture as large as a frame sees it, at least half of its short side.
    mutating func part(of picture: RasterImage) -> RasterImage {
        let grey = picture.luma()
        let most = min(grey.width, grey.height * 3 / 4)
        let width = max(1, Int.random(in: (most + 1) / 2...most, using: &random))
        let height = max(1, min(grey.height, width * 4 / 3))
        let x = Int.random(in: 0...grey.width - width, using: &random)
        let y = Int.random(in: 0...grey.height - height, using: &random)
        let part = grey.cropped(x: x, y: y, width: width, height: height) ?? grey
        return part.resized(width: Self.width, height: Self.height)
    }

    /// Something without a spine, of a kind that ``kinds`` names.
    mutating func empty(_ kind: Int) -> RasterImage {
        var frame = plain()
        switch kind {
        case 0: break
        case 1: boards(&frame)
        case 2: window(&frame)
        case 3: for _ in 0..<Int.random(in: 3...10, using: &random) { face(&frame) }
        case 4: for _ in 0..<Int.random(in: 2...25, using: &random) { box(&frame) }
        default:
            for _ in 0..<Int.random(in: 2...25, using: &random) { box(&frame) }
            frame = moved(frame)
        }
        return frame
    }

    static let kinds = [
        "walls and gradients", "floor boards", "windows and screens", "faces", "clutter", "moved clutter",
    ]

    // MARK: Drawing

    /// A wall or a table: even, shaded, or grained, with a sensor's noise.
    private mutating func plain() -> RasterImage {
        let (from, to) = (Double.random(in: 20...230, using: &random), Double.random(in: 20...230, using: &random))
        let isShaded = Bool.random(using: &random)
        let noise = [1, 3, 6].randomElement(using: &random) ?? 1
        let grain = Bool.random(using: &random) ? 12.0 : 0
        var drift = 0.0
        var frame = RasterImage(width: Self.width, height: Self.height, channels: 1)
        for y in 0..<Self.height {
            drift = max(-grain, min(grain, drift + .random(in: -2...2, using: &random)))
            let share = Double(y) / Double(Self.height)
            let value = Int((isShaded ? from + (to - from) * share : from) + drift)
            for x in 0..<Self.width {
                // Four bits of one draw are as good as a draw of their own, and much faster.
                let shift = Int(random.next() & 15) * noise / 8 - noise
                frame.pixels[y * Self.width + x] = UInt8(clamping: value + shift)
            }
        }
        return frame
    }

    private mutating func boards(_ frame: inout RasterImage) {
        let width = Int.random(in: 60...260, using: &random)
        let joint = Int.random(in: 2...10, using: &random)
        for start in stride(from: 0, to: Self.width, by: width) {
            let value = UInt8.random(in: 80...200, using: &random)
            fill(&frame, start, 0, width, Self.height, value)
            fill(&frame, start, 0, joint, Self.height, 20)
        }
    }

    private mutating func window(_ frame: inout RasterImage) {
        fill(&frame, 150, 200, Self.width - 300, Self.height - 700, 235)
        let bar = Int.random(in: 14...40, using: &random)
        for column in 0..<3 { fill(&frame, 150 + column * (Self.width - 300) / 2, 200, bar, Self.height - 700, 60) }
        fill(&frame, 150, (Self.height - 300) / 2, Self.width - 300, bar, 60)
    }

    private mutating func face(_ frame: inout RasterImage) {
        let radius = Int.random(in: 80...420, using: &random)
        let x = Int.random(in: 0..<Self.width, using: &random)
        let y = Int.random(in: 0..<Self.height, using: &random)
        ellipse(&frame, x, y, radius, radius * 13 / 10, .random(in: 60...230, using: &random))
        for side in [-1, 1] {
            ellipse(&frame, x + side * radius * 35 / 100, y - radius * 3 / 10, radius / 8, radius / 12, 25)
        }
        ellipse(&frame, x, y + radius / 2, radius * 3 / 10, radius / 12, 80)
    }

    private mutating func box(_ frame: inout RasterImage) {
        let x = Int.random(in: -200..<Self.width, using: &random)
        let y = Int.random(in: -200..<Self.height, using: &random)
        let (width, height) = (Int.random(in: 50...700, using: &random), Int.random(in: 50...900, using: &random))
        let value = UInt8.random(in: 0...255, using: &random)
        if Bool.random(using: &random) {
            fill(&frame, x, y, width, height, value)
        } else {
            ellipse(&frame, x + width / 2, y + height / 2, width / 2, height / 2, value)
        }
    }

    /// As a hand moves a camera: 30 pixels sideways.
    private func moved(_ frame: RasterImage) -> RasterImage {
        frame.resized(width: Self.width / 30, height: Self.height).resized(width: Self.width, height: Self.height)
    }

    private func fill(_ frame: inout RasterImage, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ value: UInt8) {
        let columns = (x..<x + width).clamped(to: 0..<Self.width)
        for row in (y..<y + height).clamped(to: 0..<Self.height) where !columns.isEmpty {
            let start = row * Self.width
            frame.pixels.replaceSubrange(
                start + columns.lowerBound..<start + columns.upperBound,
                with: repeatElement(value, count: columns.count)
            )
        }
    }

    private func ellipse(_ frame: inout RasterImage, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ value: UInt8) {
        guard width > 0, height > 0 else { return }
        for row in (y - height..<y + height).clamped(to: 0..<Self.height) {
            let share = Double(row - y) / Double(height)
            let half = Int(Double(width) * max(0, 1 - share * share).squareRoot())
            fill(&frame, x - half, row, 2 * half, 1, value)
        }
    }
}

/// A seeded generator: SplitMix64 (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
