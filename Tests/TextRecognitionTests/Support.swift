import Imaging
import Testing

@testable import TextRecognition

/// Returns a level rectangle.
func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Quad {
    Quad(
        topLeft: Point(x: x, y: y),
        topRight: Point(x: x + width, y: y),
        bottomRight: Point(x: x + width, y: y + height),
        bottomLeft: Point(x: x, y: y + height)
    )
}

/// Returns a quad by its corners from the top left, as the text's reader sees them.
func quad(_ corners: [(Double, Double)]) -> Quad {
    let points = corners.map { Point(x: $0.0, y: $0.1) }
    return Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
}

/// Expects points to be within `distance` pixels of one another, each with its counterpart.
func expectClose(
    _ points: [Point],
    _ expected: [(Double, Double)],
    within distance: Double = 1e-6,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(points.count == expected.count, sourceLocation: sourceLocation)
    for (point, wanted) in zip(points, expected) {
        let isClose = abs(point.x - wanted.0) <= distance && abs(point.y - wanted.1) <= distance
        #expect(isClose, "\(point) is not \(wanted)", sourceLocation: sourceLocation)
    }
}

/// Returns the characters of a text at the given places, all of one confidence.
func characters(_ text: String, at positions: [Double], confidence: Double = 0.95) -> [RecognizedCharacter] {
    zip(text, positions).map { RecognizedCharacter(text: String($0), confidence: confidence, position: $1) }
}

/// A grey image by a function of column and row.
func image(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) -> RasterImage {
    let pixels = (0..<width * height).map { value($0 % width, $0 / width) }
    return RasterImage(width: width, height: height, channels: 1, pixels: pixels)
}
