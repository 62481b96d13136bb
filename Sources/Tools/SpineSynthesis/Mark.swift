import Foundation
import Imaging

struct Mark: Sendable, Equatable {
    /// Shape of a mark; `Mark.outline` draws it.
    enum Shape: String, Sendable, CaseIterable {
        // Plain areas and lines.
        case box, roundedBox, ellipse, ring, lozenge, triangle, slope
        // Rows that repeat along their longer side.
        case zigzag, waves, dots, diamonds, vine
        // Ornaments and devices.
        case fleuron, leaf, star, sun, crescent, flower, crown, tree, bird, book, sail, key
        // Parts of scenes.
        case hills, peaks, towers, cloud, stripes
    }

    var shape: Shape
    /// Position of its centre, from the head (0) to the foot (1) and from the left edge (0) to the right one (1).
    var along: Double
    var across: Double
    /// Width before rotation, as a share of the spine's thickness.
    var width: Double
    var height: Double
    var turn: Double = 0
    var colour: Colour
    var opacity: Double = 1
    /// Line width of an outlined shape, as a share of the thickness; nil for a filled one.
    var lineWidth: Double?

    /// Whether it hides everything within its bounds.
    var isArea: Bool { (shape == .box || shape == .roundedBox) && lineWidth == nil && opacity == 1 && turn == 0 }
}

extension Mark {
    /// Creates a filled mark in the middle of a spine's thickness.
    init(_ shape: Shape, along: Double, width: Double = 1.02, height: Double, _ colour: Colour) {
        self.init(shape: shape, along: along, across: 0.5, width: width, height: height, colour: colour)
    }
}

/// A part of a closed figure.
enum PathStep: Equatable {
    case move(Point)
    case line(Point)
    /// A cubic Bézier curve: its two control points and its end.
    case curve(Point, Point, Point)
    case ellipse(Box)
    case close
}

extension Mark {
    /// Returns the shape as a path about its centre, `width` by `height`, to be filled by the even-odd rule.
    static func outline(of shape: Shape, width: Double, height: Double) -> [PathStep] {
        let pen = Pen(width: width, height: height)
        switch shape {
        case .roundedBox: return pen.roundedBox()
        case .zigzag, .waves, .dots, .diamonds, .vine: return pen.row(of: shape)
        case .star: return pen.polygon(pen.rays(5, inner: 0.42))
        case .sun:
            let rings = [pen.ellipse(0, 0, 0.48, 0.48), pen.ellipse(0, 0, 0.4, 0.4)]
            return pen.polygon(pen.rays(12, inner: 0.62)) + rings
        case .flower:
            let petals = (0..<6).map { index in
                let angle = Double(index) * .pi / 3
                return pen.ellipse(0.6 * cos(angle), 0.6 * sin(angle), 0.34, 0.34)
            }
            return petals + [pen.ellipse(0, 0, 0.2, 0.2)]
        default: return (outlines[shape] ?? []).flatMap(pen.draw)
        }
    }

    /// Strokes of the fixed shapes, from `Resources/outlines.txt`: letters as in SVG's paths, `P` for the corners of a
    /// polygon, and `E` for the centre and the radii of an ellipse.
    private static let outlines: [Shape: [Pen.Stroke]] = {
        let rows = ResourceTable.rows(PackageResources.outlines_txt).compactMap { row in
            Shape(rawValue: row[0]).map { shape in
                var strokes: [Pen.Stroke] = []
                for word in row[1].split(separator: " ") {
                    if let number = Double(word) {
                        strokes[strokes.count - 1].numbers.append(number)
                    } else {
                        strokes.append(Pen.Stroke(letter: word))
                    }
                }
                return (shape, strokes)
            }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }()
}

/// Pen that draws in a box from −1 to 1 both ways, and returns paths of a width and a height about their centre.
private struct Pen {
    struct Stroke {
        var letter: Substring
        var numbers: [Double] = []
    }

    let width: Double
    let height: Double

    func draw(_ stroke: Stroke) -> [PathStep] {
        let numbers = stroke.numbers
        let points = stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
        switch stroke.letter {
        case "M": return [.move(point(points[0]))]
        case "L": return [.line(point(points[0]))]
        case "C": return [.curve(point(points[0]), point(points[1]), point(points[2]))]
        case "P": return polygon(points)
        case "E": return [ellipse(numbers[0], numbers[1], numbers[2], numbers[3])]
        default: return [.close]
        }
    }

    private func point(_ place: (x: Double, y: Double)) -> Point {
        Point(x: place.x * width / 2, y: place.y * height / 2)
    }

    func polygon(_ corners: [(Double, Double)]) -> [PathStep] { Self.polygon(corners.map(point)) }

    private static func polygon(_ corners: [Point]) -> [PathStep] {
        [.move(corners[0])] + corners.dropFirst().map { .line($0) } + [.close]
    }

    func ellipse(_ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double) -> PathStep {
        let (left, top) = ((x - radiusX) * width / 2, (y - radiusY) * height / 2)
        return .ellipse(Box(x: left, y: top, width: radiusX * width, height: radiusY * height))
    }

    func roundedBox() -> [PathStep] {
        let radius = 0.18 * min(width, height)
        let (right, bottom) = (width / 2, height / 2)
        let inset = (x: right - radius, y: bottom - radius)
        return [
            .move(Point(x: -inset.x, y: -bottom)), .line(Point(x: inset.x, y: -bottom)),
            .curve(Point(x: right, y: -bottom), Point(x: right, y: -bottom), Point(x: right, y: -inset.y)),
            .line(Point(x: right, y: inset.y)),
            .curve(Point(x: right, y: bottom), Point(x: right, y: bottom), Point(x: inset.x, y: bottom)),
            .line(Point(x: -inset.x, y: bottom)),
            .curve(Point(x: -right, y: bottom), Point(x: -right, y: bottom), Point(x: -right, y: inset.y)),
            .line(Point(x: -right, y: -inset.y)),
            .curve(Point(x: -right, y: -bottom), Point(x: -right, y: -bottom), Point(x: -inset.x, y: -bottom)),
            .close,
        ]
    }

    /// Returns a row along the longer side, its members as long as the shorter one.
    func row(of shape: Mark.Shape) -> [PathStep] {
        let (long, short) = (max(width, height), min(width, height))
        let count = max(1, Int((long / (short * (shape == .dots ? 1.6 : 1.2))).rounded()))
        let step = long / Double(count)
        let half = short / 2
        // Along x; turned where the row is taller than wide.
        func at(_ x: Double, _ y: Double) -> Point { width >= height ? Point(x: x, y: y) : Point(x: y, y: x) }
        func member(_ corners: [(Double, Double)]) -> [PathStep] {
            Self.polygon(corners.map { at($0.0, $0.1) })
        }
        var path: [PathStep] = []
        for index in 0..<count {
            let (start, middle) = (-long / 2 + Double(index) * step, -long / 2 + (Double(index) + 0.5) * step)
            switch shape {
            case .zigzag:
                path += member([
                    (start, half), (middle, -half), (start + step, half), (start + step, half * 0.4),
                    (middle, -half * 1.6), (start, half * 0.4),
                ])
            case .waves:
                path += [
                    .move(at(start, 0)),
                    .curve(at(start + step * 0.25, -half * 1.6), at(middle - step * 0.1, -half), at(middle, 0)),
                    .curve(at(middle + step * 0.1, half), at(start + step * 0.75, half * 1.6), at(start + step, 0)),
                    .curve(at(start + step * 0.75, half * 0.6), at(middle + step * 0.15, 0), at(middle, -half * 0.5)),
                    .curve(at(middle - step * 0.15, -half), at(start + step * 0.25, -half * 0.6), at(start, 0)),
                    .close,
                ]
            case .dots:
                let centre = at(middle, 0)
                path.append(.ellipse(Box(x: centre.x - half, y: centre.y - half, width: short, height: short)))
            case .vine:
                let side = index.isMultiple(of: 2) ? 1.0 : -1.0
                path += [
                    .move(at(start, 0)),
                    .curve(at(middle, half * side), at(middle, half * side), at(start + step, 0)),
                    .curve(at(middle, half * 0.7 * side), at(middle, half * 0.7 * side), at(start, 0)), .close,
                    .move(at(middle, half * 0.6 * side)),
                    .curve(at(start, 0), at(start, -half * side), at(middle, -half * side)),
                    .curve(at(start + step, -half * side), at(start + step, 0), at(middle, half * 0.6 * side)), .close,
                ]
            default: path += member([(start, 0), (middle, -half), (start + step, 0), (middle, half)])
            }
        }
        return path
    }

    func rays(_ count: Int, inner: Double) -> [(Double, Double)] {
        (0..<2 * count).map { index in
            let angle = Double(index) * .pi / Double(count) - .pi / 2
            let radius = index.isMultiple(of: 2) ? 1 : inner
            return (radius * cos(angle), radius * sin(angle))
        }
    }
}
