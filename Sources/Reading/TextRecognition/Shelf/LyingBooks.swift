internal import Raster

/// Books that lie on others, as far as the judge knows them: other level text on a photo is of signs, boxes and walls.
struct LyingBooks {
    let lines: [ReadLine]

    /// A book counts from this probability on.
    private static let leastProbability = 0.8
    /// Lines are of one book that lie no further apart than so many of their thicknesses.
    private static let mostGap = 1.5

    /// The books from the left.
    func parts(recognizer: any LineRecognizer, judge: ShelfReader.Judge?) throws -> [SpineDivision.Part] {
        guard let judge else { return [] }
        return try groups().compactMap { group -> SpineDivision.Part? in
            let held = group.map { recognizer.line(of: $0.recognition, at: $0.quad) }
            let judgement = try judge(held)
            guard judgement.probability >= Self.leastProbability else { return nil }
            return SpineDivision.Part(held, outline: Quad(around: group.map(\.quad)), isTall: false, judgement)
        }.sorted { $0.outline.centre.x < $1.outline.centre.x }
    }

    /// Lines that follow one another along a spine, or stand on it above one another.
    private func groups() -> [[ReadLine]] {
        var groups: [[ReadLine]] = []
        for line in lines.sorted(by: { $0.quad.centre.x < $1.quad.centre.x }) {
            if let group = groups.firstIndex(where: { $0.contains { Self.belong($0.quad, line.quad) } }) {
                groups[group].append(line)
            } else {
                groups.append([line])
            }
        }
        return groups
    }

    private static func belong(_ one: Quad, _ other: Quad) -> Bool {
        let (a, b) = (Quad(around: [one]), Quad(around: [other]))
        let thickness = min(one.thickness, other.thickness)
        let apart = max(a.topLeft.x, b.topLeft.x) - min(a.topRight.x, b.topRight.x)
        let above = max(a.topLeft.y, b.topLeft.y) - min(a.bottomLeft.y, b.bottomLeft.y)
        return apart < mostGap * thickness && above < 0.5 * thickness
    }
}

extension ShelfRow {
    /// Whether a line lies above this row, and not above the one before.
    func carries(_ line: ReadLine, below previous: ShelfRow?) -> Bool {
        let y = Int(line.quad.centre.y)
        return y < bottom && y >= previous?.bottom ?? 0
    }
}

extension Quad {
    /// The upright rectangle around quads.
    ///
    /// - Precondition: there is one.
    init(around quads: [Quad]) {
        let points = quads.flatMap(\.corners)
        let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
        let (top, bottom) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 0)
        self.init(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
    }
}
