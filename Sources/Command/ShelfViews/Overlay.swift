package import Raster
import SpineSynthesis
package import TextRecognition

/// Draws what was read on the picture that it was read from.
package struct Overlay {
    var reading: SpineReading

    package init(reading: SpineReading) { self.reading = reading }

    private static let sure = Colour(red: 0.1, green: 0.75, blue: 0.3)
    private static let doubtful = Colour(red: 1, green: 0.5, blue: 0)
    private static let panel = Colour(red: 0.12, green: 0.12, blue: 0.14)

    /// The picture in colour with each line outlined and numbered, and its texts beside it, or below a wide one.
    ///
    /// A line is green where it is sure (80 %), orange where it is not, and red on the side where its text begins.
    package func drawn(on image: RasterImage) throws -> RasterImage {
        var picture = image.rgb()
        // Thick and large enough to be seen when a large picture is shrunk to a screen.
        let thickness = max(1, max(image.width, image.height) / 600)
        let size = min(64, max(12, max(image.width, image.height) / 45))
        for (index, line) in reading.lines.enumerated() {
            let colour = colour(of: line)
            picture.draw(line.quad, colour: colour, thickness: thickness)
            let red = Colour(red: 1, green: 0, blue: 0)
            picture.draw(from: line.quad.topLeft, to: line.quad.bottomLeft, colour: red, thickness: 2 * thickness)
            let number = try TextLabel.image("\(index + 1)", size: size * 3 / 4, colour: Self.panel, background: colour)
            picture.paste(number, x: Int(line.quad.topLeft.x), y: Int(line.quad.topLeft.y))
        }
        return try beside(picture, labels: labels(size: size))
    }

    private func colour(of line: RecognizedLine) -> Colour { sureness(of: line) >= 0.8 ? Self.sure : Self.doubtful }

    /// The calibrated probability where there is one.
    private func sureness(of line: RecognizedLine) -> Double { line.probability ?? line.confidence }

    private func labels(size: Int) throws -> [RasterImage] {
        let head = reading.orientation.map { "\($0.rawValue)" } ?? "no text"
        let white = Colour(red: 1, green: 1, blue: 1)
        return try [TextLabel.image(head, size: size, colour: white, background: Self.panel)]
            + reading.lines.enumerated().map { index, line in
                let text = "\(index + 1)  \(line.text)  \(Int((100 * sureness(of: line)).rounded())) %"
                return try TextLabel.image(text, size: size, colour: colour(of: line), background: Self.panel)
            }
    }

    private func beside(_ picture: RasterImage, labels: [RasterImage]) -> RasterImage {
        let (width, height) = (labels.map(\.width).max() ?? 0, labels.reduce(0) { $0 + $1.height })
        let isTall = picture.height > picture.width
        var canvas = RasterImage(
            width: isTall ? picture.width + width : max(picture.width, width),
            height: isTall ? max(picture.height, height) : picture.height + height,
            channels: 3,
            filledWith: 30
        )
        canvas.paste(picture, x: 0, y: 0)
        var y = isTall ? 0 : picture.height
        for label in labels {
            canvas.paste(label, x: isTall ? picture.width : 0, y: y)
            y += label.height
        }
        return canvas
    }
}

extension RasterImage {
    /// Draws a quad's sides.
    mutating func draw(_ quad: Quad, colour: Colour, thickness: Int) {
        for (index, corner) in quad.corners.enumerated() {
            draw(from: corner, to: quad.corners[(index + 1) % 4], colour: colour, thickness: thickness)
        }
    }

    /// Draws a straight line; what lies outside the image is left out.
    mutating func draw(from start: Point, to end: Point, colour: Colour, thickness: Int) {
        let bytes = [colour.red, colour.green, colour.blue].map { UInt8(min(255, max(0, 255 * $0))) }
        let dot = RasterImage(
            width: thickness,
            height: thickness,
            channels: 3,
            pixels: (0..<thickness * thickness).flatMap { _ in bytes }
        )
        let steps = max(1, Int(start.distance(to: end) * 2))
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            let x = start.x + (end.x - start.x) * share
            let y = start.y + (end.y - start.y) * share
            paste(dot, x: Int(x.rounded(.down)) - thickness / 2, y: Int(y.rounded(.down)) - thickness / 2)
        }
    }

    /// Copies another RGB image to a place; what lies outside is left out.
    mutating func paste(_ other: RasterImage, x: Int, y: Int) {
        for row in max(0, -y)..<max(max(0, -y), min(other.height, height - y)) {
            let columns = max(0, -x)..<max(max(0, -x), min(other.width, width - x))
            // Wholly beyond the left edge: the range is empty and starts where `other` has no column.
            guard !columns.isEmpty else { continue }
            let from = (row * other.width + columns.lowerBound) * 3
            let to = ((y + row) * width + x + columns.lowerBound) * 3
            pixels.replaceSubrange(to..<to + columns.count * 3, with: other.pixels[from..<from + columns.count * 3])
        }
    }
}
