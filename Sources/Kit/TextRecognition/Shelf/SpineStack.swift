package import Imaging

/// A stack of horizontal books, or a single one: turned by a quarter, they form a row.
struct SpineStack {
    let lines: [ReadLine]
    let box: Quad

    /// Maximum gap between lines of one stack, in line thicknesses.
    private static let mostGap = 1.5
    /// Maximum share of a row's height for which adjacent lines count as words across a thick upright spine.
    private static let leastLength = 0.45

    private init(_ lines: [ReadLine]) { (self.lines, box) = (lines, Quad(around: lines.map(\.quad))) }

    /// Returns the stacks that level lines form, from the top; none has an upright line in its middle.
    static func stacks(of lines: [ReadLine]) -> [SpineStack] {
        var groups: [[ReadLine]] = []
        for line in lines where line.lies {
            let near = groups.indices.filter { index in groups[index].contains { belong($0.quad, line.quad) } }
            let joined = near.flatMap { groups[$0] } + [line]
            for index in near.reversed() { groups.remove(at: index) }
            groups.append(joined)
        }
        let standing = lines.filter(\.stands)
        return groups.map(SpineStack.init).compactMap { stack in
            let across = standing.filter { stack.holds($0.quad.centre) }
            guard !across.isEmpty else { return stack }
            // Words across a book that lies do not reach beyond it.
            return across.allSatisfy { $0.quad.corners.allSatisfy(stack.holds) } ? pile(of: stack.lines + across) : nil
        }.sorted { $0.box.centre.y < $1.box.centre.y }
    }

    private func holds(_ point: Point) -> Bool {
        (box.topLeft.x...box.bottomRight.x).contains(point.x) && (box.topLeft.y...box.bottomRight.y).contains(point.y)
    }

    private static func belong(_ one: Quad, _ other: Quad) -> Bool {
        let (a, b) = (Quad(around: [one]), Quad(around: [other]))
        let most = mostGap * min(one.thickness, other.thickness)
        let apart = max(a.topLeft.x, b.topLeft.x) - min(a.topRight.x, b.topRight.x)
        let above = max(a.topLeft.y, b.topLeft.y) - min(a.bottomLeft.y, b.bottomLeft.y)
        return apart < most && above < most
    }

    /// Returns whether the stack is on the board of a row, beside upright books.
    func isIn(_ row: ShelfRow) -> Bool {
        let y = Int(box.centre.y)
        return y >= row.top && y < row.bottom && box.length > Self.leastLength * Double(row.height)
    }

    /// Returns whether the stack is on top of a row, and not on the one before.
    func lies(on row: ShelfRow, below previous: ShelfRow?) -> Bool {
        let y = Int(box.centre.y)
        return y < row.top && y >= previous?.bottom ?? 0
    }

    /// Returns lines as one stack if two thirds of their letters lie or more: a pile of books, with words across.
    static func pile(of lines: [ReadLine]) -> SpineStack? {
        func letters(_ lines: [ReadLine]) -> Int {
            lines.reduce(0) { $0 + $1.text.count(where: \.isLetter) }
        }
        return letters(lines.filter(\.lies)) > 2 * letters(lines.filter(\.stands)) ? SpineStack(lines) : nil
    }

    /// Place of a stack; it decides which of its books count besides those that the judge is sure of.
    enum Place {
        /// Above a row: level text there belongs to signs, boxes and walls as well.
        case above
        /// Among the books of a row: all, if the judge is sure of one.
        case onBoard
        /// All that the photo shows: those with the shape of a spine and an edge beside them.
        case alone
    }

    /// Returns the books from the top.
    func parts(
        on image: RasterImage,
        line: (ReadLine) -> RecognizedLine,
        judge: ShelfReader.Judge?,
        place: Place
    ) throws -> [SpineDivision.Part] {
        let margin = 2 * (lines.map(\.quad.thickness).max() ?? 0)
        let (left, top) = (max(0, Int(box.topLeft.x - margin)), max(0, Int(box.topLeft.y - margin)))
        let width = min(image.width, Int(box.bottomRight.x + margin)) - left
        let height = min(image.height, Int(box.bottomRight.y + margin)) - top
        guard judge != nil || place == .alone,
            let turned = image.cropped(x: left, y: top, width: width, height: height)?.rotated(.clockwise)
        else { return [] }
        func turn(_ point: Point) -> Point { Point(x: Double(top + height) - point.y, y: point.x - Double(left)) }
        func back(_ point: Point) -> Point { Point(x: point.y + Double(left), y: Double(top + height) - point.x) }
        let standing = lines.map { line in
            var line = line
            line.quad = line.quad.mapped(turn)
            return line
        }
        let (long, high) = (turned.width, turned.height)
        let rows =
            place == .alone
            ? ShelfRow.rows(of: standing, width: long, height: high) : [ShelfRow(standing, width: long, height: high)]
        let parts = try rows.flatMap {
            try $0.parts(on: turned, line: line, judge: judge).reversed()
        }.map { part in
            let lines = part.reading.mapped(back).lines
            // The right side becomes the top.
            let outline = part.outline.mapped(back).quarterTurned.reversed
            return SpineDivision.Part(lines, outline: outline, support: part.support, part.judgement)
        }
        let isSure = parts.contains { $0.judgement.certainty == .sure }
        return parts.filter { part in
            switch place {
            case .above: part.judgement.certainty == .sure
            case .onBoard: isSure && part.hasWord
            case .alone: part.judgement.certainty == .sure || part.hasWord && part.isSlender && part.support > 0.6
            }
        }
    }
}

extension ReadLine {
    /// Whether its text is level, and long enough for its direction to be sure.
    fileprivate var lies: Bool {
        let orientation = quad.orientation
        return (orientation == .upright || orientation == .inverted) && quad.length > 1.5 * quad.thickness
    }
}

extension Quad {
    /// Creates the upright rectangle around quads.
    ///
    /// - Precondition: there is one.
    package init(around quads: [Quad]) {
        let points = quads.flatMap(\.corners)
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        self.init(left: xs.min() ?? 0, top: ys.min() ?? 0, right: xs.max() ?? 0, bottom: ys.max() ?? 0)
    }
}
