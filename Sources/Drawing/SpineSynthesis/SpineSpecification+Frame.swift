import Raster

/// The places of a spine in its flat picture, which has `margin` pixels around it on each side.
extension SpineSpecification {
    /// The spine, its corners in the order in which the photograph shows them.
    func outline(margin: Double) -> Quad {
        let (right, bottom) = (margin + Double(thickness), margin + Double(length))
        return shown([
            Point(x: margin, y: margin), Point(x: right, y: margin), Point(x: right, y: bottom),
            Point(x: margin, y: bottom),
        ])
    }

    /// Frame that the camera sees, clockwise from the photograph's top left.
    func frame(margin: Double) -> Quad {
        let (right, bottom) = (margin + Double(thickness), margin + Double(length))
        let reach = camera.corners.map { (across: $0.across * margin, along: $0.along * margin) }
        return shown([
            Point(x: margin - reach[0].across, y: margin - reach[0].along),
            Point(x: right + reach[1].across, y: margin - reach[1].along),
            Point(x: right + reach[2].across, y: bottom + reach[2].along),
            Point(x: margin - reach[3].across, y: bottom + reach[3].along),
        ])
    }

    /// The spine as light falls on it.
    func surface(margin: Double) -> SpineSurface {
        SpineSurface(
            left: margin,
            right: margin + Double(thickness),
            top: margin,
            bottom: margin + Double(length),
            camera: camera
        )
    }

    /// Corners clockwise from the standing spine's top left, begun with the one that becomes the photograph's top left.
    private func shown(_ standing: [Point]) -> Quad {
        let first =
            switch pose {
            case .standing: 0
            case .lying: 1
            case .upsideDown: 2
            }
        return Quad(
            topLeft: standing[first],
            topRight: standing[(first + 1) % 4],
            bottomRight: standing[(first + 2) % 4],
            bottomLeft: standing[(first + 3) % 4]
        )
    }
}
