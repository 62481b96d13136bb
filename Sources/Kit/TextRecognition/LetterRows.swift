internal import Imaging

/// A row of letters that stand alone along a spine, each in a box of its own: "T H E  P A R A D E".
struct LetterRow {
    /// Ranges of the letters' boxes along the spine, in pixels, ascending; where one seems to be missing, its place.
    var along: [ClosedRange<Double>]
    /// Ranges across the spine, of the same boxes.
    var across: [ClosedRange<Double>]
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
        let boxes = lines.indices.compactMap {
            index -> (index: Int, along: ClosedRange<Double>, across: ClosedRange<Double>)? in
            let line = lines[index]
            guard line.recognition.text.count <= mostCharacters else { return nil }
            let (xs, ys) = (line.quad.corners.map(\.x), line.quad.corners.map(\.y))
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                return nil
            }
            return isTall ? (index, top...bottom, left...right) : (index, left...right, top...bottom)
        }.sorted { ($0.along.middle, $0.index) < ($1.along.middle, $1.index) }
        var rows: [LetterRow] = []
        for box in boxes {
            let size = max(box.along.extent, box.across.extent)
            let row = rows.firstIndex { row in
                guard let last = row.along.last, let middle = row.across.last?.middle else { return false }
                let gap = box.along.lowerBound - last.upperBound
                return sizes.contains(size / row.size) && (-0.5 * size...widestGap * row.size).contains(gap)
                    && abs(box.across.middle - middle) <= largestShift * row.size
            }
            if let row {
                rows[row].along.append(box.along)
                rows[row].across.append(box.across)
                rows[row].members.append(box.index)
            } else {
                rows.append(LetterRow(along: [box.along], across: [box.across], members: [box.index]))
            }
        }
        return rows.filter { $0.members.count >= fewest }.map { row in
            row.withMissingLetters { along, across in
                // Where another line is, no letter is missing.
                let place = quad(along, across, isTall: isTall)
                return !lines.indices.contains { index in
                    !row.members.contains(index)
                        && 4 * lines[index].quad.intersectionArea(with: place) > place.area
                }
            }
        }
    }

    /// Size of the first letter.
    private var size: Double { max(along[0].extent, across[0].extent) }

    /// Returns the row with a place for each letter that seems to have no box: between two boxes that are far apart,
    /// and at both ends, where `isFree` allows it.
    private func withMissingLetters(_ isFree: (ClosedRange<Double>, ClosedRange<Double>) -> Bool) -> LetterRow {
        let pitches = zip(along, along.dropFirst()).map { $1.middle - $0.middle }
        let pitch = pitches.sorted()[pitches.count / 2]
        var row = LetterRow(along: [], across: [], members: members)
        func add(_ middle: Double, _ neighbour: Int) {
            let half = min(pitch, size) / 2
            guard isFree(middle - half...middle + half, across[neighbour]) else { return }
            row.along.append(middle - half...middle + half)
            row.across.append(across[neighbour])
        }
        add(along[0].middle - pitch, 0)
        for (index, pitchBefore) in ([0] + pitches).enumerated() {
            let missing = max(0, Int((pitchBefore / pitch).rounded()) - 1)
            for place in 0..<missing {
                let share = Double(place + 1) / Double(missing + 1)
                add(along[index - 1].middle + share * pitchBefore, index)
            }
            row.along.append(along[index])
            row.across.append(across[index])
        }
        add(along[along.count - 1].middle + pitch, along.count - 1)
        return row
    }

    /// Returns the letters' quads in the order of reading, if their text runs in a direction, and the quad of all.
    func quads(_ orientation: TextOrientation, isTall: Bool) -> (letters: [Quad], whole: Quad) {
        let isAlong = isTall == (orientation == .clockwise || orientation == .counterclockwise)
        let (top, bottom) = (across.map(\.lowerBound).min() ?? 0, across.map(\.upperBound).max() ?? 0)
        let tallest = along.map(\.extent).max() ?? 0
        let rectangles = zip(along, across).map { along, across -> Quad in
            let middle = along.middle
            // Across the line of text all letters have the same range, as on one baseline.
            let (main, other) = isAlong ? (along, top...bottom) : (middle - tallest / 2...middle + tallest / 2, across)
            return Self.quad(main, other, isTall: isTall).turned(to: orientation)
        }
        let isBackward = orientation.isBackward(isTall: isTall)
        let all = along[0].lowerBound...along[along.count - 1].upperBound
        let direction: TextOrientation =
            isTall ? (isBackward ? .counterclockwise : .clockwise) : (isBackward ? .inverted : .upright)
        let whole = Self.quad(all, top...bottom, isTall: isTall).turned(to: direction)
        return (isBackward ? rectangles.reversed() : rectangles, whole)
    }

    private static func quad(_ along: ClosedRange<Double>, _ across: ClosedRange<Double>, isTall: Bool) -> Quad {
        let (x, y) = isTall ? (across, along) : (along, across)
        return Quad(left: x.lowerBound, top: y.lowerBound, right: x.upperBound, bottom: y.upperBound)
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
        let longer = lines.filter { $0.recognition.text.count > 2 }.map { ($0.quad, $0.recognition.text) }
        let isBackward = TextOrientation.dominant(of: longer)?.isBackward(isTall: isTall) ?? false
        var (lines, gone) = (lines, Set<Int>())
        for row in LetterRow.rows(of: lines, isTall: isTall) {
            let ways = TextOrientation.allCases.map { row.quads($0, isTall: isTall) }
            let images = ways.map { way in way.letters.compactMap { straightened($0, of: image)?.image } }
            let rows = try recognize(
                zip(ways, images).compactMap { way, letters in
                    RasterImage(joining: letters).map { StraightLine(quad: way.whole, image: $0) }
                },
                timings: &timings
            )
            // Letters are read upside down, too: in doubt they run as the other lines do.
            let worths = zip(rows, TextOrientation.allCases).map { row, orientation in
                row.worth() * (orientation.isBackward(isTall: isTall) == isBackward ? 1 : 0.85)
            }
            guard rows.count == ways.count, let best = rows.indices.max(by: { worths[$0] < worths[$1] }) else {
                continue
            }
            let letters = try recognizer.recognize(images[best])
            timings.recognitionInference += letters.inferenceTime
            let single = ReadLine(quad: ways[best].whole, recognition: LineRecognition(letters: letters.lines))
            let joined = single.worth() > rows[best].worth() ? single : rows[best]
            let worth = row.members.reduce(0) { $0 + max(0, lines[$1].worth()) }
            guard joined.recognition.text.count >= 3, joined.recognition.confidence >= configuration.sureConfidence,
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
        var pixels: [UInt8] = []
        for row in 0..<first.height {
            for part in parts {
                let stride = part.width * part.channels
                pixels += part.pixels[row * stride..<(row + 1) * stride]
            }
        }
        let width = parts.reduce(0) { $0 + $1.width }
        self.init(width: width, height: first.height, channels: first.channels, pixels: pixels)
    }
}
