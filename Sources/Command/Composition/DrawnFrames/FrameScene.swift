package import Imaging

/// A place that a camera pans over: a photograph or a drawing, with the outlines of the spines in it.
package struct FrameScene: Sendable {
    package var canvas: RasterImage
    package var spines: [Quad]
    /// Whether these are all spines: often not all books of a photograph are labelled.
    package var isComplete: Bool

    package init(canvas: RasterImage, spines: [Quad], isComplete: Bool = true) {
        (self.canvas, self.spines, self.isComplete) = (canvas, spines, isComplete)
    }

    package enum Truth: Sendable, Equatable {
        /// A spine, nearly whole.
        case spine
        case none
        /// A smaller part of a spine.
        case part
        /// No labelled spine, in a photograph whose books are not all labelled.
        case unknown
    }

    /// Minimum visible share of a spine's outline for a frame with a spine.
    package static let shareInView = 0.75

    /// Returns the content of a frame, by the construction of the scene: with a spine from ``shareInView`` of any
    /// outline on, without one when no outline is touched.
    package func truth(x: Double, y: Double, frame: FrameSize) -> Truth {
        var isTouched = false
        for spine in spines {
            let share = spine.share(inX: x...x + Double(frame.width), y: y...y + Double(frame.height))
            if share >= Self.shareInView { return .spine }
            if share > 0 { isTouched = true }
        }
        return isTouched ? .part : isComplete ? .none : .unknown
    }
}

package struct FrameSize: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The luma of a phone's preview held upright.
    package static let phone = FrameSize(width: 1440, height: 1920)
}

extension Quad {
    /// Returns the share of the quad's area in a box, 0…1; 0 for a quad without area.
    ///
    /// Sutherland and Hodgman 1974: the polygon is cut along each side of the box.
    package func share(inX x: ClosedRange<Double>, y: ClosedRange<Double>) -> Double {
        func cut(_ polygon: [Point], _ depth: (Point) -> Double) -> [Point] {
            polygon.indices.flatMap { index -> [Point] in
                let (from, to) = (polygon[index], polygon[(index + 1) % polygon.count])
                let (begin, end) = (depth(from), depth(to))
                let kept = begin >= 0 ? [from] : []
                guard (begin >= 0) != (end >= 0) else { return kept }
                let share = begin / (begin - end)
                return kept + [Point(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))]
            }
        }
        func area(_ polygon: [Point]) -> Double {
            guard polygon.count > 2 else { return 0 }
            return abs(
                polygon.indices.reduce(0) { sum, index in
                    let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
                    return sum + a.x * b.y - b.x * a.y
                }
            ) / 2
        }
        let whole = [topLeft, topRight, bottomRight, bottomLeft]
        let sides: [(Point) -> Double] = [
            { $0.x - x.lowerBound }, { x.upperBound - $0.x }, { $0.y - y.lowerBound }, { y.upperBound - $0.y },
        ]
        let inside = sides.reduce(whole, cut)
        let all = area(whole)
        return all > 0 ? min(1, area(inside) / all) : 0
    }
}
