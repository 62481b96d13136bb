import Foundation
import Imaging

extension Mark {
    /// Returns the shape as a path about its centre, `width` by `height`, to be filled by the even-odd rule.
    static func outline(of shape: Shape, width: Double, height: Double) -> [PathStep] {
        let pen = Pen(width: width, height: height)
        switch shape {
        case .box: return pen.polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        case .roundedBox: return pen.roundedBox()
        case .ellipse: return [pen.ellipse(0, 0, 1, 1)]
        case .ring: return [pen.ellipse(0, 0, 1, 1), pen.ellipse(0, 0, 0.74, 0.74)]
        case .lozenge: return pen.polygon([(0, -1), (1, 0), (0, 1), (-1, 0)])
        case .triangle: return pen.polygon([(0, -1), (1, 1), (-1, 1)])
        case .slope: return pen.polygon([(-1, -1), (1, -0.4), (1, 1), (-1, 1)])
        case .zigzag, .waves, .dots, .diamonds, .vine: return pen.row(of: shape)
        case .fleuron, .leaf, .flower, .star, .sun, .crescent: return pen.ornament(shape)
        case .crown, .tree, .bird, .book, .sail, .key: return pen.device(shape)
        case .hills, .peaks, .towers, .cloud, .stripes: return pen.scenery(shape)
        }
    }
}

/// Pen that draws in a box from −1 to 1 both ways, and returns paths of a width and a height about their centre.
struct Pen {
    let width: Double
    let height: Double

    func point(_ x: Double, _ y: Double) -> Point { Point(x: x * width / 2, y: y * height / 2) }

    func polygon(_ corners: [(Double, Double)]) -> [PathStep] {
        corners.enumerated().map { index, corner in
            index == 0 ? .move(point(corner.0, corner.1)) : .line(point(corner.0, corner.1))
        } + [.close]
    }

    func ellipse(_ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double) -> PathStep {
        .ellipse(
            Box(
                x: (x - radiusX) * width / 2,
                y: (y - radiusY) * height / 2,
                width: radiusX * width,
                height: radiusY * height
            )
        )
    }

    func curve(_ first: (Double, Double), _ second: (Double, Double), _ end: (Double, Double)) -> PathStep {
        .curve(point(first.0, first.1), point(second.0, second.1), point(end.0, end.1))
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
            corners.enumerated().map { index, corner in
                index == 0 ? .move(at(corner.0, corner.1)) : .line(at(corner.0, corner.1))
            } + [.close]
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

    func ornament(_ shape: Mark.Shape) -> [PathStep] {
        switch shape {
        case .fleuron:
            return [
                .move(point(0, -1)), curve((0.7, -0.5), (0.5, 0.1), (0, 0.2)),
                curve((-0.5, 0.1), (-0.7, -0.5), (0, -1)),
                .close,
                .move(point(-0.1, 0.25)), curve((-0.5, -0.3), (-1, 0), (-1, 0.4)),
                curve((-0.8, 0.2), (-0.5, 0.3), (-0.1, 0.45)), .close,
                .move(point(0.1, 0.25)), curve((0.5, -0.3), (1, 0), (1, 0.4)),
                curve((0.8, 0.2), (0.5, 0.3), (0.1, 0.45)), .close,
                .move(point(-0.12, 0.5)), .line(point(0.12, 0.5)), .line(point(0.05, 1)), .line(point(-0.05, 1)),
                .close,
            ]
        case .leaf:
            return [
                .move(point(-0.8, 0.9)), curve((-1, -0.4), (0, -1), (0.9, -0.9)),
                curve((1, 0.2), (0.3, 0.9), (-0.5, 0.7)),
                .line(point(0.3, -0.3)), .line(point(-0.65, 0.62)), .close,
            ]
        case .flower:
            let petals = (0..<6).map { index -> PathStep in
                let angle = Double(index) * .pi / 3
                return ellipse(0.6 * cos(angle), 0.6 * sin(angle), 0.34, 0.34)
            }
            return petals + [ellipse(0, 0, 0.2, 0.2)]
        case .star: return polygon(rays(5, inner: 0.42))
        case .sun:
            return polygon(rays(12, inner: 0.62)) + [ellipse(0, 0, 0.48, 0.48), ellipse(0, 0, 0.4, 0.4)]
        default:
            return [
                .move(point(0.4, -0.92)), curve((-0.5, -1.1), (-1.1, -0.5), (-0.98, 0.1)),
                curve((-0.85, 0.9), (0.2, 1.2), (0.75, 0.65)), curve((0.1, 0.8), (-0.4, 0.4), (-0.4, -0.1)),
                curve((-0.4, -0.5), (0, -0.85), (0.4, -0.92)), .close,
            ]
        }
    }

    private func rays(_ count: Int, inner: Double) -> [(Double, Double)] {
        (0..<2 * count).map { index in
            let angle = Double(index) * .pi / Double(count) - .pi / 2
            let radius = index.isMultiple(of: 2) ? 1 : inner
            return (radius * cos(angle), radius * sin(angle))
        }
    }

    func device(_ shape: Mark.Shape) -> [PathStep] {
        switch shape {
        case .crown:
            return polygon([(-1, 0.8), (-1, -0.6), (-0.5, 0.05), (0, -0.9), (0.5, 0.05), (1, -0.6), (1, 0.8)])
        case .tree:
            return [ellipse(0, -0.45, 0.62, 0.55), ellipse(-0.55, 0, 0.38, 0.34), ellipse(0.55, 0, 0.38, 0.34)]
                + polygon([(-0.12, 0.1), (0.12, 0.1), (0.2, 1), (-0.2, 1)])
        case .bird:
            return [
                .move(point(-1, -0.7)), curve((-0.6, -0.8), (-0.3, -0.5), (-0.05, 0)),
                curve((0.2, -0.6), (0.6, -0.9), (1, -0.8)), curve((0.7, -0.5), (0.5, 0.1), (0.3, 0.4)),
                curve((0.1, 0.7), (-0.3, 0.8), (-0.8, 0.75)), curve((-0.4, 0.5), (-0.25, 0.3), (-0.3, 0.1)),
                curve((-0.5, -0.3), (-0.7, -0.6), (-1, -0.7)), .close,
            ]
        case .book:
            return [
                .move(point(0, -0.5)), curve((-0.3, -0.9), (-0.7, -0.9), (-1, -0.7)), .line(point(-1, 0.6)),
                curve((-0.7, 0.4), (-0.3, 0.4), (-0.06, 0.75)), .close,
                .move(point(0.06, -0.5)), curve((0.3, -0.9), (0.7, -0.9), (1, -0.7)), .line(point(1, 0.6)),
                curve((0.7, 0.4), (0.3, 0.4), (0.06, 0.75)), .close,
            ]
        case .sail:
            return polygon([(-0.05, -1), (-0.05, 0.35), (-0.85, 0.35)])
                + polygon([(0.08, -0.8), (0.85, 0.35), (0.08, 0.35)])
                + polygon([(-1, 0.5), (1, 0.5), (0.6, 0.95), (-0.6, 0.95)])
        default:
            return [ellipse(0, -0.6, 0.4, 0.4), ellipse(0, -0.6, 0.2, 0.2)]
                + polygon([
                    (-0.1, -0.2), (0.1, -0.2), (0.1, 0.5), (0.45, 0.5), (0.45, 0.68), (0.1, 0.68), (0.1, 0.8),
                    (0.45, 0.8),
                    (0.45, 1), (-0.1, 1),
                ])
        }
    }

    func scenery(_ shape: Mark.Shape) -> [PathStep] {
        switch shape {
        case .hills:
            return [
                .move(point(-1, -0.3)), curve((-0.6, -1.1), (-0.3, -0.9), (0, -0.5)),
                curve((0.3, -0.1), (0.6, -0.8), (1, -0.6)), .line(point(1, 1)), .line(point(-1, 1)), .close,
            ]
        case .peaks:
            return polygon([
                (-1, 0.2), (-0.6, -0.7), (-0.35, -0.2), (-0.05, -1), (0.3, -0.1), (0.55, -0.5), (1, 0.3), (1, 1),
                (-1, 1),
            ])
        case .towers:
            return polygon([
                (-1, 1), (-1, 0), (-0.7, 0), (-0.7, -0.5), (-0.55, -0.8), (-0.4, -0.5), (-0.4, 0.2), (-0.1, 0.2),
                (-0.1, -0.8), (0.25, -0.8), (0.25, -0.1), (0.5, -0.1), (0.5, -0.6), (0.65, -1), (0.8, -0.6), (0.8, 0.1),
                (1, 0.1), (1, 1),
            ])
        case .cloud:
            return [
                .move(point(-0.8, 0.6)), curve((-1.1, 0.2), (-0.9, -0.2), (-0.6, -0.2)),
                curve((-0.5, -0.9), (0.2, -0.9), (0.35, -0.35)), curve((0.8, -0.5), (1.1, 0.2), (0.8, 0.6)), .close,
            ]
        default:
            return (0..<4).flatMap { index -> [PathStep] in
                let top = -1 + Double(index) * 0.5
                return polygon([(-1, top), (1, top), (1, top + 0.25), (-1, top + 0.25)])
            }
        }
    }
}
