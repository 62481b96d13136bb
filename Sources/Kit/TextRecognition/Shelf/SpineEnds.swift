internal import Imaging

/// Finds where a spine begins and ends along a row: at the clearest edges across it above and below its text.
struct SpineEnds {
    let image: RasterImage
    /// An end is an edge over this share of the spine's width at least.
    private static let leastShare = 0.5
    /// Minimum difference in grey values of an edge, between pixels four rows apart.
    private static let edge = 20

    /// Returns the outline with its top and bottom moved to the spine's visible ends; `text` is between them.
    func trimmed(_ outline: Quad, around text: [Quad]) -> Quad {
        let ys = text.flatMap(\.corners).map(\.y)
        guard let first = ys.min(), let last = ys.max() else { return outline }
        let (top, bottom) = (outline.topLeft.y, outline.bottomLeft.y)
        guard bottom > top else { return outline }
        let upper = clearest(between: top, and: min(first, bottom), of: outline) ?? top
        let lower = clearest(between: max(last, upper + 1), and: bottom, of: outline) ?? bottom
        func point(_ from: Point, _ to: Point, at y: Double) -> Point {
            Point(x: from.x + (to.x - from.x) * (y - top) / (bottom - top), y: y)
        }
        return Quad(
            topLeft: point(outline.topLeft, outline.bottomLeft, at: upper),
            topRight: point(outline.topRight, outline.bottomRight, at: upper),
            bottomRight: point(outline.topRight, outline.bottomRight, at: lower),
            bottomLeft: point(outline.topLeft, outline.bottomLeft, at: lower)
        )
    }

    /// Returns the row with the edge over the greatest share of the outline's width; nil when none is over enough of
    /// it.
    private func clearest(between low: Double, and high: Double, of outline: Quad) -> Double? {
        var best: (row: Double, share: Double)?
        let rows = max(2, Int(low))..<max(max(2, Int(low)), min(image.height - 2, Int(high)))
        for y in rows {
            let share = edgeShare(at: y, of: outline)
            if share >= Self.leastShare, share > best?.share ?? 0 { best = (Double(y), share) }
        }
        return best?.row
    }

    /// Returns the share of the outline's width where the pixels two rows above a row differ from those two rows
    /// below.
    private func edgeShare(at y: Int, of outline: Quad) -> Double {
        let height = outline.bottomLeft.y - outline.topLeft.y
        let share = (Double(y) - outline.topLeft.y) / height
        let left = outline.topLeft.towards(outline.bottomLeft, share).x
        let right = outline.topRight.towards(outline.bottomRight, share).x
        let columns = (0..<image.width).clamped(to: Int(left)..<max(Int(left) + 1, Int(right)))
        guard !columns.isEmpty else { return 0 }
        // A tenth of the spine at each side may be its neighbour's.
        let inner = columns.dropFirst(columns.count / 10).dropLast(columns.count / 10)
        let (above, below) = ((y - 2) * image.width, (y + 2) * image.width)
        var (edges, seen) = (0, 0)
        for x in stride(from: inner.startIndex, to: inner.endIndex, by: max(1, inner.count / 24)) {
            var most = 0
            for channel in 0..<image.channels {
                let upper = Int(image.pixels[(above + x) * image.channels + channel])
                let lower = Int(image.pixels[(below + x) * image.channels + channel])
                most = max(most, abs(upper - lower))
            }
            seen += 1
            if most >= Self.edge { edges += 1 }
        }
        return Double(edges) / Double(max(1, seen))
    }
}
