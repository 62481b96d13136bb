import Basics
import Foundation
import Imaging

/// A drawn picture of 480 × 360 pixels with one page on a table, and where its corners are.
///
/// The seed decides: the table is plain, has a gradient or a grain of wood, or has things on it; the page has lines
/// of text, a frame, or two colours as a cover; it is turned by up to 40 degrees, its corners are moved by up to 7 %
/// of its size as by perspective, it covers about 15 to 50 % of the picture, and its paper is at least 45 of 255
/// brighter or darker than the table; noise has a standard deviation of 1 to 6.
struct DrawnPage {
    static let width = 480
    static let height = 360

    var image: RasterImage
    var quad: Quad
    var name: String

    /// - Parameters:
    ///   - seed: the seed of all choices.
    ///   - hasPage: false for the table alone.
    init(seed: UInt64, hasPage: Bool = true) {
        var random = SplitMix64(state: seed &* 7_919)
        func even(_ low: Double, _ high: Double) -> Double { random.even(low, high) }
        let (table, kind, look) = (even(40, 200), random.below(4), random.below(3))
        let paper =
            table < 110
            ? even(table + 45, 245)
            : (random.below(2) == 0 && table < 195 ? even(table + 45, 250) : even(15, table - 45))
        let angle = even(-40, 40) * .pi / 180
        let long = even(150, 260)
        let (halfX, halfY) = random.below(2) == 0 ? (long / 2, long / 2 * 0.7) : (long / 2 * 0.7, long / 2)
        let (x, y) = (240 + even(-40, 40), 180 + even(-20, 20))
        let wobble = 0.07 * long
        let points = [(-halfX, -halfY), (halfX, -halfY), (halfX, halfY), (-halfX, halfY)].map { u, v in
            let px = x + u * cos(angle) - v * sin(angle) + even(-wobble, wobble)
            let py = y + u * sin(angle) + v * cos(angle) + even(-wobble, wobble)
            return Point(x: min(476, max(4, px)), y: min(356, max(4, py)))
        }
        quad = Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        let back = Homography(width: 1, height: 1, to: quad)?.inverse
        let things = (0..<(kind == 3 ? 8 : 0)).map { _ in
            (x: even(0, 480), y: even(0, 360), radius: even(8, 40), value: even(20, 240))
        }
        let (turn, slope, deviation) = (even(0, 2 * .pi), even(-50, 50), even(1, 6))
        name =
            "seed \(seed): table \(["plain", "gradient", "wood", "things"][kind]), page \(["text", "frame", "cover"][look])"
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * Self.width * Self.height)
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                var sum = 0.0
                for (a, b) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                    let point = Point(x: Double(column) + a, y: Double(row) + b)
                    let along = (point.x - 240) * cos(turn) + (point.y - 180) * sin(turn)
                    let across = (point.y - 180) * cos(turn) - (point.x - 240) * sin(turn)
                    var value = table
                    if kind == 1 { value += slope * along / 240 }
                    if kind == 2 { value += 8 * sin(across / 5 + 2 * sin(along / 60)) }
                    for thing in things {
                        let (dx, dy) = (point.x - thing.x, point.y - thing.y)
                        if dx * dx + dy * dy < thing.radius * thing.radius { value = thing.value }
                    }
                    if hasPage, let place = back?.apply(point), (0...1).contains(place.x), (0...1).contains(place.y) {
                        value = paper + Self.print(place.x, place.y, look, dark: paper < 120)
                    }
                    sum += value
                }
                let value = random.noisy(sum / 4, deviation)
                pixels.append(contentsOf: [value, value, UInt8(Double(value) * 0.9)])
            }
        }
        image = RasterImage(width: Self.width, height: Self.height, channels: 3, pixels: pixels)
    }

    /// Returns the print at a place of the unit square, as a difference from the paper.
    private static func print(_ u: Double, _ v: Double, _ look: Int, dark: Bool) -> Double {
        let ink = dark ? 70.0 : -90
        switch look {
        case 0:
            let isLine = (v * 16).truncatingRemainder(dividingBy: 1) < 0.45 && v > 0.1 && v < 0.9
            return isLine && u > 0.1 && u < 0.88 && sin(u * 90 + v * 300) > -0.4 ? ink : 0
        case 1:
            let edge = min(u, v, 1 - u, 1 - v)
            return edge > 0.08 && edge < 0.1 ? ink : 0
        default: return v > 0.25 && v < 0.5 && u > 0.1 && u < 0.9 ? ink : 0
        }
    }

    /// Returns the largest distance of a corner from the nearest true one, in percent of the picture's diagonal.
    func error(of found: Quad) -> Double {
        let far = quad.corners.map { corner in found.corners.map { $0.distance(to: corner) }.min() ?? .infinity }
        return 100 * (far.max() ?? .infinity) / Point(x: 0, y: 0).distance(to: Point(x: 480, y: 360))
    }
}
