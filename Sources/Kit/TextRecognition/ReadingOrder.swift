internal import Imaging

/// Sorts the lines of a spine into reading order.
///
/// The order is along the spine in the direction of its text, and row by row for lines beside each other.
struct ReadingOrder: Sendable {
    /// Orientation of most of the text.
    var orientation: TextOrientation
    /// True when the spine is taller than wide in the image.
    var isTall: Bool

    /// Returns the lines in reading order; `quad` returns the position of one, in the image's pixels.
    func sorted<Line>(_ lines: [Line], quad: (Line) -> Quad) -> [Line] {
        let placed = lines.map { Placed(line: $0, quad: quad($0), order: self) }
            .sorted { ($0.along.lowerBound, $0.across) < ($1.along.lowerBound, $1.across) }
        // Lines that share most of their stretch of the spine form a block; a block is read row by row.
        var blocks: [[Placed<Line>]] = []
        var end = -Double.infinity
        for item in placed {
            let shared = min(end, item.along.upperBound) - item.along.lowerBound
            let shortest = (blocks.last ?? []).map(\.extent).min() ?? .infinity
            if shared > 0.5 * min(shortest, item.extent), !blocks.isEmpty {
                blocks[blocks.count - 1].append(item)
                end = max(end, item.along.upperBound)
            } else {
                blocks.append([item])
                end = item.along.upperBound
            }
        }
        return blocks.flatMap { block in rows(of: block).flatMap { $0 } }.map(\.line)
    }

    /// Returns the lines of a block by rows: those whose middles are within half a line's depth.
    private func rows<Line>(of block: [Placed<Line>]) -> [[Placed<Line>]] {
        var rows: [[Placed<Line>]] = []
        for item in block.sorted(by: { ($0.across, $0.along.lowerBound) < ($1.across, $1.along.lowerBound) }) {
            if let first = rows.last?.first, item.across - first.across < first.depth / 2 {
                rows[rows.count - 1].append(item)
            } else {
                rows.append([item])
            }
        }
        return rows.map { $0.sorted { $0.along.lowerBound < $1.along.lowerBound } }
    }

    /// A line's place on the spine, in the direction of reading.
    private struct Placed<Line> {
        var line: Line
        /// Extent along the spine.
        var along: ClosedRange<Double>
        /// Middle across the spine, growing from the first row to the last.
        var across: Double
        /// Size across the spine.
        var depth: Double

        var extent: Double { along.upperBound - along.lowerBound }

        init(line: Line, quad: Quad, order: ReadingOrder) {
            let isBackward = order.orientation == .counterclockwise || order.orientation == .inverted
            let sign = isBackward ? -1.0 : 1.0
            let xs = quad.corners.map(\.x)
            let ys = quad.corners.map(\.y)
            // Rows of text that reads downwards are ordered from right to left, of text that reads upwards from left
            // to right.
            let acrossSign: Double =
                switch order.orientation {
                case .upright: 1
                case .inverted: -1
                case .clockwise: order.isTall ? -1 : 1
                case .counterclockwise: order.isTall ? 1 : -1
                }
            let (main, other) = order.isTall ? (ys, xs) : (xs, ys)
            let ends = main.map { $0 * sign }
            self.line = line
            along = (ends.min() ?? 0)...(ends.max() ?? 0)
            across = other.reduce(0, +) / Double(max(1, other.count)) * acrossSign
            depth = (other.max() ?? 0) - (other.min() ?? 0)
        }
    }
}

extension Quad {
    /// Orientation of the text in the image, by the direction of its baseline.
    var orientation: TextOrientation {
        let dx = topRight.x - topLeft.x + bottomRight.x - bottomLeft.x
        let dy = topRight.y - topLeft.y + bottomRight.y - bottomLeft.y
        if abs(dx) >= abs(dy) { return dx >= 0 ? .upright : .inverted }
        return dy >= 0 ? .clockwise : .counterclockwise
    }
}

/// A line of text at a place in an image.
protocol PlacedText {
    var quad: Quad { get }
    var text: String { get }
}

extension TextOrientation {
    /// Returns the orientation of most of the characters of lines; nil without lines.
    static func dominant(of lines: [some PlacedText]) -> TextOrientation? {
        var characters: [TextOrientation: Int] = [:]
        for line in lines { characters[line.quad.orientation, default: 0] += line.text.count }
        return allCases.filter { characters[$0] != nil }.max { characters[$0, default: 0] < characters[$1, default: 0] }
    }
}
