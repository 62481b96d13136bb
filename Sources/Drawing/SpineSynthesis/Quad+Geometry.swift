import Raster

extension Quad {
    /// The quad with every corner moved.
    func mapped(_ move: (Point) -> Point) -> Quad {
        Quad(
            topLeft: move(topLeft),
            topRight: move(topRight),
            bottomRight: move(bottomRight),
            bottomLeft: move(bottomLeft)
        )
    }

    /// The share of the quad's bounding box that lies in `box`.
    func share(coveredBy box: Box) -> Double {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return 0 }
        let across = max(0, min(right, box.x + box.width) - max(left, box.x))
        let down = max(0, min(bottom, box.y + box.height) - max(top, box.y))
        return across * down / max(1e-9, (right - left) * (bottom - top))
    }

    /// To tenths of a pixel, which is finer than anyone can tell.
    var rounded: Quad {
        func tenth(_ point: Point) -> Point {
            Point(x: (point.x * 10).rounded() / 10, y: (point.y * 10).rounded() / 10)
        }
        return Quad(
            topLeft: tenth(topLeft),
            topRight: tenth(topRight),
            bottomRight: tenth(bottomRight),
            bottomLeft: tenth(bottomLeft)
        )
    }
}
