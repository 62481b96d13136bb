import Basics
import Composition
import Imaging

extension SceneMaker {
    /// Returns a scene of a spine, 45 to 95 % of a frame long, in the middle of a canvas three frames wide.
    mutating func held(_ spine: SpineCut) -> FrameScene {
        let places: [Place] = [.wall, .wall, .desk, .floor, .clutter, .shelfEdge]
        var canvas = Canvas(drawn(places[random.below(places.count)], width: 3))
        let isLying = random.number(0...1) < 0.3
        let side = Double(isLying ? frame.width : frame.height)
        let length = min(
            random.number(0.45...0.95) * side,
            0.6 * Double(isLying ? frame.height : frame.width) * spine.length / spine.thickness
        )
        let lean = random.number(0...1) < 0.5 ? random.number(-8...8) * .pi / 180 : 0
        let centre = Point(
            x: Double(canvas.width) / 2,
            y: Double(canvas.height) / 2 + random.number(-0.03...0.03) * Double(frame.height)
        )
        let outline = canvas.put(spine, centre: centre, length: length, angle: lean + (isLying ? .pi / 2 : 0))
        if random.number(0...1) < 0.5 {
            // The fingers cover a tenth of it at most.
            let half = 0.5 * length
            let end = Point(x: centre.x + (isLying ? half : 0), y: centre.y + (isLying ? 0 : half))
            hand(&canvas, at: end)
        }
        return FrameScene(canvas: canvas.image, spines: [outline])
    }

    /// Spines side by side on a board, with an empty frame before and after them.
    mutating func row(_ spines: [SpineCut]) -> FrameScene {
        let lengths = spines.map { spine in
            let length = random.number(0.5...0.85) * Double(frame.height)
            return min(length, 0.4 * Double(frame.width) * spine.length / spine.thickness)
        }
        let widths = zip(spines, lengths).map { $0.thickness * $1 / $0.length }
        let all = widths.reduce(0, +)
        var canvas = Canvas(drawn(.wall, width: 2.4 + all / Double(frame.width)))
        let floor = Int(Double(canvas.height) * 0.85)
        canvas.fill(0, floor, canvas.width, canvas.height - floor, UInt8(random.integer(40...220)))
        canvas.fill(0, floor, canvas.width, pixels(12), UInt8(random.integer(10...60)))
        var x = 1.2 * Double(frame.width)
        var outlines: [Quad] = []
        for (index, spine) in spines.enumerated() {
            let centre = Point(x: x + widths[index] / 2, y: Double(floor) - lengths[index] / 2)
            outlines.append(canvas.put(spine, centre: centre, length: lengths[index], angle: 0))
            x += widths[index] + random.number(0...6) * Double(frame.width) / 1_440
        }
        return FrameScene(canvas: canvas.image, spines: outlines)
    }
}
