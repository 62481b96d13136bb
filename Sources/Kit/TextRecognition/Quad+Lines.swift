internal import Imaging

extension Quad {
    /// Orientation of the text in the image, by the direction of its baseline.
    var orientation: TextOrientation {
        let dx = topRight.x - topLeft.x + bottomRight.x - bottomLeft.x
        let dy = topRight.y - topLeft.y + bottomRight.y - bottomLeft.y
        if abs(dx) >= abs(dy) { return dx >= 0 ? .upright : .inverted }
        return dy >= 0 ? .clockwise : .counterclockwise
    }
}

extension TextOrientation {
    /// Returns the orientation of most of the characters of lines; nil without lines.
    static func dominant(of lines: [(quad: Quad, text: String)]) -> TextOrientation? {
        var characters: [TextOrientation: Int] = [:]
        for line in lines { characters[line.quad.orientation, default: 0] += line.text.count }
        return allCases.filter { characters[$0] != nil }.max { characters[$0, default: 0] < characters[$1, default: 0] }
    }
}
