import Basics
import Foundation
import Imaging

/// A drawn picture of 320 × 240 pixels with one subject on a background, and which pixels are the subject's.
///
/// Kind of background, shape and colours go by the seed: a background is plain, a gradient, a vignette, stripes,
/// checks or grain; a shape is an ellipse, a turned rectangle, a star, an L, a crescent or a blob of random radii; it
/// has one to four colours, each at least 90 of 255 (as a distance in RGB) from every colour of the background; three
/// of four throw a soft shadow; noise has a standard deviation of 1 to 8.
struct DrawnScene {
    static let width = 320
    static let height = 240

    var image: RasterImage
    var isSubject: [Bool]
    var name: String

    typealias Colour = SIMD3<Double>

    /// - Parameters:
    ///   - seed: the seed of all choices.
    ///   - hasSubject: false for the background alone.
    init(seed: UInt64, hasSubject: Bool = true) {
        var random = SplitMix64(state: seed)
        func colour() -> Colour { Colour(random.even(20, 230), random.even(20, 230), random.even(20, 230)) }
        let ground = Ground(first: colour(), second: colour(), random: &random)
        let colours = (0...random.below(4)).map { _ in
            var candidate = colour()
            while ground.colours.contains(where: { (($0 - candidate) * ($0 - candidate)).sum() < 8_100 }) {
                candidate = colour()
            }
            return candidate
        }
        let shape = Shape(random: &random)
        let (patch, deviation) = (random.even(18, 38), random.even(1, 8))
        let shadow = random.below(4) > 0 ? random.even(0.25, 0.5) : 0
        let (shadowX, shadowY) = (random.even(-12, 12), random.even(4, 16))
        name = "seed \(seed): \(ground.kind), \(shape.kind), \(colours.count) colours, noise \(Int(deviation))"
        let count = Self.width * Self.height
        isSubject = [Bool](repeating: false, count: count)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * count)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
                var value = ground.colour(px, py, &random)
                if hasSubject {
                    // Signed distance, about: below 0 inside.
                    let distance = shape.distance(px, py)
                    let behind = shape.distance(px - shadowX, py - shadowY)
                    value *= 1 - shadow * min(1, max(0, 0.5 - behind / 24))
                    // A light from the left, and patches of colour.
                    let light = 1.08 - 0.16 * px / Double(Self.width)
                    let along = px * 0.8 + py * 0.6
                    let own = colours[Int(along / patch) % colours.count] * light
                    let share = min(1, max(0, 0.5 - distance))
                    value = value * (1 - share) + own * share
                    isSubject[y * Self.width + x] = distance < 0
                }
                for channel in 0..<3 { pixels.append(random.noisy(value[channel], deviation)) }
            }
        }
        image = RasterImage(width: Self.width, height: Self.height, channels: 3, pixels: pixels)
    }

    /// Returns the intersection over union of the subject's pixels and of those that a mask gives half or more.
    func overlap(with mask: RasterImage) -> Double {
        var (both, either) = (0, 0)
        for (value, isIn) in zip(mask.pixels, isSubject) {
            if value >= 128 && isIn { both += 1 }
            if value >= 128 || isIn { either += 1 }
        }
        return Double(both) / Double(max(1, either))
    }
}

extension SplitMix64 {
    mutating func even(_ low: Double, _ high: Double) -> Double { low + nextDouble() * (high - low) }

    /// Returns a value with noise: the sum of three even ones.
    mutating func noisy(_ value: Double, _ deviation: Double) -> UInt8 {
        let noise = (nextDouble() + nextDouble() + nextDouble() - 1.5) * 2 * deviation
        return UInt8(min(255, max(0, value + noise)))
    }
}

/// Background of a subject.
private struct Ground {
    enum Kind: CaseIterable { case plain, gradient, vignette, stripes, checks, grain }

    var kind: Kind
    var first: DrawnScene.Colour
    var second: DrawnScene.Colour
    private var turn: Double
    private var period: Double

    /// Colours that it has, from one end to the other.
    var colours: [DrawnScene.Colour] {
        switch kind {
        case .plain, .grain: [first]
        case .stripes, .checks: [first, second]
        case .gradient, .vignette: (0...4).map { first + (second - first) * (Double($0) / 4) }
        }
    }

    init(first: DrawnScene.Colour, second: DrawnScene.Colour, random: inout SplitMix64) {
        kind = Kind.allCases[random.below(Kind.allCases.count)]
        self.first = first
        // Two colours of one background are not too far apart.
        self.second = first + (second - first) * 0.5
        (turn, period) = (random.even(0, 2 * .pi), random.even(8, 24))
    }

    func colour(_ x: Double, _ y: Double, _ random: inout SplitMix64) -> DrawnScene.Colour {
        let (u, v) = (x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn))
        switch kind {
        case .plain: return first
        case .gradient:
            return first + (second - first) * min(1, max(0, 0.5 + (u - 160 * cos(turn) - 120 * sin(turn)) / 400))
        case .vignette:
            let (dx, dy) = ((x - 160) / 200, (y - 120) / 200)
            return first + (second - first) * min(1, dx * dx + dy * dy)
        case .stripes: return Int((u / period).rounded(.down)) % 2 == 0 ? first : second
        case .checks:
            let sum = Int((u / period).rounded(.down)) + Int((v / period).rounded(.down))
            return sum % 2 == 0 ? first : second
        case .grain: return first + (random.nextDouble() - 0.5) * 50
        }
    }
}

/// Outline of a subject.
private struct Shape {
    enum Kind: CaseIterable { case ellipse, rectangle, star, angle, crescent, blob }

    var kind: Kind
    private var x: Double
    private var y: Double
    private var turn: Double
    private var size: Double
    private var ratio: Double
    private var radii: [Double]

    init(random: inout SplitMix64) {
        kind = Kind.allCases[random.below(Kind.allCases.count)]
        (x, y) = (random.even(125, 195), random.even(105, 135))
        (turn, size, ratio) = (random.even(0, 2 * .pi), random.even(45, 85), random.even(0.55, 1))
        radii = (0..<7).map { _ in random.even(0.6, 1) }
    }

    /// Returns the distance from the outline in pixels, about; below 0 inside.
    func distance(_ px: Double, _ py: Double) -> Double {
        let (dx, dy) = (px - x, py - y)
        let (u, v) = (dx * cos(turn) + dy * sin(turn), dy * cos(turn) - dx * sin(turn))
        let radius = (u * u + v * v).squareRoot()
        let angle = atan2(v, u)
        switch kind {
        case .ellipse: return ((u * u + v * v / (ratio * ratio)).squareRoot() - size) * ratio
        case .rectangle: return max(abs(u) - size, abs(v) - size * ratio)
        case .star: return radius - size * (0.75 + 0.25 * cos(5 * angle))
        case .angle:
            let foot = max(abs(u) - size, abs(v + size * 0.6) - size * 0.35)
            let stem = max(abs(u + size * 0.65) - size * 0.35, abs(v) - size * 0.95)
            return min(foot, stem)
        case .crescent:
            let other = ((u - size * 0.5) * (u - size * 0.5) + v * v).squareRoot()
            return max(radius - size, size * 0.75 - other)
        case .blob:
            let place = (angle / (2 * .pi) + 0.5) * 7
            let (index, rest) = (Int(place) % 7, place - place.rounded(.down))
            let blend = (1 - cos(rest * .pi)) / 2
            return radius - size * (radii[index] * (1 - blend) + radii[(index + 1) % 7] * blend)
        }
    }
}
