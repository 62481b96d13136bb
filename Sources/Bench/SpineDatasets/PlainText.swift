package import Imaging

package enum PlainText {
    package static func trimmed(_ text: String) -> String {
        if let first = text.utf8.first, let last = text.utf8.last, Self.ink.contains(first), Self.ink.contains(last) {
            return text
        }
        // Not by a CharacterSet: there, the zero-width space is white space, and would go unseen.
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// Returns the first invisible or meaningless character, and its place; nil when there is none.
    static func problem(of text: String, mayHaveBreaks: Bool = false) -> String? {
        if text.utf8.allSatisfy({ $0 == 0x20 || Self.ink.contains($0) }) { return nil }
        let scalars = text.unicodeScalars
        for (index, scalar) in scalars.enumerated() {
            if mayHaveBreaks, [0x09, 0x0A, 0x0D].contains(scalar.value) { continue }
            // A joiner between two characters changes how they look: ligatures, emoji, Persian.
            if [0x200C, 0x200D].contains(scalar.value), index > 0, index < scalars.count - 1 { continue }
            guard let what = Self.flaw(of: scalar) else { continue }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            return "has U+\(code) (\(what)) as character \(index + 1)"
        }
        return nil
    }

    private static let ink: ClosedRange<UInt8> = 0x21...0x7E

    private static func flaw(of scalar: Unicode.Scalar) -> String? {
        if scalar.value == 0xFFFD { return "the mark of text that was decoded wrongly" }
        if scalar.value == 0xFFFC { return "an object replacement character" }
        return switch scalar.properties.generalCategory {
        case .control: "a control character"
        case .format: "an invisible control of direction, joining or breaking"
        case .privateUse: "for private use"
        case .unassigned: "not assigned"
        case .lineSeparator, .paragraphSeparator: "a line's end"
        default: nil
        }
    }
}

extension Quad {
    /// Creates the quad of four corners, clockwise from the top left, or from another one that becomes it.
    package init(corners: [Point], from first: Int = 0) {
        func corner(_ index: Int) -> Point { corners[(first + index) % 4] }
        self.init(topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
    }

    /// Problem that keeps the corners from being a region of a picture; nil when there is none.
    var problem: String? {
        let points = corners
        guard points.allSatisfy({ abs($0.x) <= Self.limit && abs($0.y) <= Self.limit }) else {
            return "has an invalid corner; expected pixels"
        }
        if Self.cross(points[0], points[1], points[2], points[3])
            || Self.cross(points[1], points[2], points[3], points[0])
        {
            return "crosses itself; expected the corners in order, clockwise"
        }
        // Below one pixel there is nothing to see: these are repeated corners, or shares of the picture's sides.
        return area < 1 ? "has no area; expected four different corners in pixels" : nil
    }

    private static let limit = 1e6

    /// Returns whether the lines from `a` to `b` and from `c` to `d` cross between their ends.
    private static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        a.cross(b, c) * a.cross(b, d) < 0 && c.cross(d, a) * c.cross(d, b) < 0
    }
}

extension [Point] {
    /// Returns the point that is farthest outside a picture of this size, when that is more than 2 % of the longer
    /// side: an outline that was drawn by hand or computed from a tilted rectangle reaches past the picture by a
    /// little.
    package func stray(outside width: Int, _ height: Int) -> Point? {
        let tolerance = 0.02 * Double(Swift.max(width, height))
        func excess(_ point: Point) -> Double {
            Swift.max(-point.x, -point.y, point.x - Double(width), point.y - Double(height))
        }
        return self.max { excess($0) < excess($1) }.flatMap { excess($0) > tolerance ? $0 : nil }
    }
}
