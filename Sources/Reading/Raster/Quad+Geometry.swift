extension Quad {
    /// Mean length of the sides along the text, in pixels.
    package var length: Double { (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2 }

    /// Mean length of the sides across the text, in pixels.
    package var thickness: Double { (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2 }

    /// The mean of the corners.
    package var centre: Point {
        Point(
            x: (topLeft.x + topRight.x + bottomRight.x + bottomLeft.x) / 4,
            y: (topLeft.y + topRight.y + bottomRight.y + bottomLeft.y) / 4
        )
    }

    /// The same region for text that runs the other way.
    package var reversed: Quad {
        Quad(topLeft: bottomRight, topRight: bottomLeft, bottomRight: topLeft, bottomLeft: topRight)
    }

    /// The same region for text that runs along what were its left and right sides: from bottom to top as this quad
    /// has it.
    package var quarterTurned: Quad {
        Quad(topLeft: bottomLeft, topRight: topLeft, bottomRight: topRight, bottomLeft: bottomRight)
    }
}
