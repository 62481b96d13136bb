internal import Basics
internal import Imaging

/// A row of letters that stand alone along a spine, each in a box of its own: "T H E  P A R A D E".
struct LetterRow {
    /// A box by its ranges along the spine and across it, in pixels.
    struct Box {
        var along: ClosedRange<Double>
        var across: ClosedRange<Double>

        init(_ along: ClosedRange<Double>, _ across: ClosedRange<Double>) {
            (self.along, self.across) = (along, across)
        }

        var size: Double { max(along.extent, across.extent) }

        func quad(isTall: Bool) -> Quad {
            let (x, y) = isTall ? (across, along) : (along, across)
            return Quad(left: x.lowerBound, top: y.lowerBound, right: x.upperBound, bottom: y.upperBound)
        }
    }

    /// Boxes of the letters, ascending along the spine; where one seems to be missing, its place.
    var boxes: [Box]
    /// Indices of the lines with the letters.
    var members: [Int]

    /// Maximum number of characters in a letter's box: two stand close together at times.
    private static let mostCharacters = 2
    /// Minimum number of letters in a row.
    private static let fewest = 3
    /// Sizes of a row's letters, relative to the first one's.
    private static let sizes = 0.5...2.0
    /// Maximum distance of neighbours, and of their middles across the spine, in letter sizes.
    private static let (widestGap, largestShift) = (2.5, 0.35)

    /// Returns the rows among the lines of one look, in the pixels of a spine that is taller than wide or is not.
    static func rows(of lines: [ReadLine], isTall: Bool) -> [LetterRow] {
        let letters = lines.indices.filter { lines[$0].text.count <= mostCharacters }.map { index in
            let around = Quad(around: [lines[index].quad])
            let (x, y) = (around.topLeft.x...around.topRight.x, around.topLeft.y...around.bottomLeft.y)
            return (index: index, box: isTall ? Box(y, x) : Box(x, y))
        }.sorted { ($0.box.along.middle, $0.index) < ($1.box.along.middle, $1.index) }
        var rows: [LetterRow] = []
        for (index, box) in letters {
            let row = rows.firstIndex { row in
                let (last, rowSize) = (row.boxes[row.boxes.count - 1], row.size)
                let gap = box.along.lowerBound - last.along.upperBound
                return sizes.contains(box.size / rowSize) && (-0.5 * box.size...widestGap * rowSize).contains(gap)
                    && abs(box.across.middle - last.across.middle) <= largestShift * rowSize
            }
            if let row {
                rows[row].boxes.append(box)
                rows[row].members.append(index)
            } else {
                rows.append(LetterRow(boxes: [box], members: [index]))
            }
        }
        return rows.filter { $0.members.count >= fewest }.map { row in
            row.withMissingLetters { box in
                // Where another line is, no letter is missing.
                let place = box.quad(isTall: isTall)
                return !lines.indices.contains { index in
                    !row.members.contains(index)
                        && 4 * lines[index].quad.intersectionArea(with: place) > place.area
                }
            }
        }
    }

    /// Size of the first letter.
    private var size: Double { boxes[0].size }

    /// Returns the row with a place for each letter that seems to have no box: between two boxes that are far apart,
    /// and at both ends, where `isFree` allows it.
    private func withMissingLetters(_ isFree: (Box) -> Bool) -> LetterRow {
        let pitches = zip(boxes, boxes.dropFirst()).map { $1.along.middle - $0.along.middle }
        let pitch = pitches.sorted()[pitches.count / 2]
        var row = LetterRow(boxes: [], members: members)
        func add(_ middle: Double, like neighbour: Box) {
            let half = min(pitch, size) / 2
            let box = Box(middle - half...middle + half, neighbour.across)
            if isFree(box) { row.boxes.append(box) }
        }
        add(boxes[0].along.middle - pitch, like: boxes[0])
        for (index, pitchBefore) in ([0] + pitches).enumerated() {
            let missing = max(0, Int((pitchBefore / pitch).rounded()) - 1)
            for place in 0..<missing {
                let share = Double(place + 1) / Double(missing + 1)
                add(boxes[index - 1].along.middle + share * pitchBefore, like: boxes[index])
            }
            row.boxes.append(boxes[index])
        }
        let last = boxes[boxes.count - 1]
        add(last.along.middle + pitch, like: last)
        return row
    }

    /// Returns the letters' quads in the order of reading, if their text runs in a direction, and the quad of all.
    func quads(_ orientation: TextOrientation, isTall: Bool) -> (letters: [Quad], whole: Quad) {
        let isAlong = isTall == (orientation == .clockwise || orientation == .counterclockwise)
        let rows = (boxes.map(\.across.lowerBound).min() ?? 0)...(boxes.map(\.across.upperBound).max() ?? 0)
        let tallest = boxes.map(\.along.extent).max() ?? 0
        let rectangles = boxes.map { box -> Quad in
            let middle = box.along.middle
            // Across the line of text all letters have the same range, as on one baseline.
            let letter =
                isAlong ? Box(box.along, rows) : Box(middle - tallest / 2...middle + tallest / 2, box.across)
            return letter.quad(isTall: isTall).turned(to: orientation)
        }
        let isBackward = orientation.isBackward(isTall: isTall)
        let all = boxes[0].along.lowerBound...boxes[boxes.count - 1].along.upperBound
        let direction: TextOrientation =
            isTall ? (isBackward ? .counterclockwise : .clockwise) : (isBackward ? .inverted : .upright)
        let whole = Box(all, rows).quad(isTall: isTall).turned(to: direction)
        return (isBackward ? rectangles.reversed() : rectangles, whole)
    }
}

extension TextOrientation {
    /// Whether text, or letters one below the other, run upwards on a spine that stands, or to the left on one that
    /// lies.
    fileprivate func isBackward(isTall: Bool) -> Bool {
        self == .inverted || self == (isTall ? .counterclockwise : .clockwise)
    }
}

extension ClosedRange<Double> {
    fileprivate var middle: Double { (lowerBound + upperBound) / 2 }
    fileprivate var extent: Double { upperBound - lowerBound }
}

extension Quad {
    /// Returns an upright quad with text that runs in a direction.
    fileprivate func turned(to orientation: TextOrientation) -> Quad {
        switch orientation {
        case .upright: self
        case .inverted: reversed
        case .counterclockwise: quarterTurned
        case .clockwise: quarterTurned.reversed
        }
    }
}

extension SpineReader {
    /// Returns the lines with each row of letters as one line, if its text is as sure as that of its letters.
    ///
    /// A row is read in all four directions as one image, with the gaps closed, and in the best one letter by letter.
    func withLetterRows(_ lines: [ReadLine], of image: RasterImage, timings: inout StageTimings) throws -> [ReadLine] {
        let isTall = image.height > image.width
        let longer = lines.filter { $0.text.count > 2 }
        let isBackward = TextOrientation.dominant(of: longer)?.isBackward(isTall: isTall) ?? false
        var (lines, gone) = (lines, Set<Int>())
        for row in LetterRow.rows(of: lines, isTall: isTall) {
            let ways = TextOrientation.allCases.map { row.quads($0, isTall: isTall) }
            let images = ways.map { way in way.letters.compactMap { straightened($0, of: image)?.image } }
            let rows = try recognize(
                zip(ways, images).compactMap { way, letters in
                    RasterImage(joining: letters).map { StraightLine(quad: way.whole, image: $0) }
                },
                again: true,
                timings: &timings
            )
            // Letters are read upside down, too: in doubt they run as the other lines do.
            let worths = zip(rows, TextOrientation.allCases).map { row, orientation in
                row.worth() * (orientation.isBackward(isTall: isTall) == isBackward ? 1 : 0.85)
            }
            guard rows.count == ways.count, let best = rows.indices.max(by: { worths[$0] < worths[$1] }) else {
                continue
            }
            WorkMeter.count(.linesRecognised, images[best].count)
            WorkMeter.count(.linesAgain, images[best].count)
            let letters = try recognizer.recognize(images[best])
            timings.recognitionInference += letters.inferenceTime
            let single = ReadLine(quad: ways[best].whole, recognition: LineRecognition(letters: letters.lines))
            let joined = single.worth() > rows[best].worth() ? single : rows[best]
            let worth = row.members.reduce(0) { $0 + max(0, lines[$1].worth()) }
            guard joined.text.count >= 3, joined.confidence >= configuration.sureConfidence,
                joined.worth() >= 0.9 * worth
            else { continue }
            gone.formUnion(row.members)
            lines.append(joined)
        }
        return lines.indices.filter { !gone.contains($0) }.map { lines[$0] }
    }
}

extension LineRecognition {
    /// Creates a line of letters that were each read alone; what is in doubt is left out.
    fileprivate init(letters: [LineRecognition]) {
        let sure = letters.filter { $0.text.count == 1 && $0.confidence >= 0.6 }
        self.init(
            text: sure.map(\.text).joined(),
            confidence: sure.isEmpty ? 0 : sure.reduce(0) { $0 + $1.confidence } / Double(sure.count)
        )
    }
}

extension RasterImage {
    /// Creates the image of several of the same height side by side; nil without one.
    fileprivate init?(joining parts: [RasterImage]) {
        guard let first = parts.first else { return nil }
        let pixels = (0..<first.height).flatMap { row in
            parts.flatMap { $0.pixels[row * $0.width * $0.channels..<(row + 1) * $0.width * $0.channels] }
        }
        let width = parts.reduce(0) { $0 + $1.width }
        self.init(width: width, height: first.height, channels: first.channels, pixels: pixels)
    }
}
