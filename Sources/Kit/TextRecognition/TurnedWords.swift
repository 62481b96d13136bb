internal import Imaging

/// Finds words that stand turned by a quarter within a line, or at its ends: "THE" beside a large title.
///
/// A recogniser reads such a word as nothing, or as a doubtful mark.
struct TurnedWords {
    /// Room that is searched behind either end of a line, in line heights.
    static let reach = 0.3
    /// Minimum confidence of a turned word, 0…1.
    static let sureConfidence = 0.95
    /// Minimum worth of turned words, relative to the other way up.
    static let advantage = 1.2
    /// Minimum confidence of a character that is one, and no other mark.
    private static let certainty = 0.6
    /// Shares of a hole's pixels that letters may take.
    private static let densities = 0.12...0.65
    /// Minimum number of edges that a column of turned letters crosses on average: two letters have four or more.
    private static let edges = 3.0

    /// Number of columns within which a stretch ends next to a character.
    private static let snap = 6

    /// A stretch of a line between characters.
    struct Hole: Equatable {
        /// Columns of the line image.
        var columns: Range<Int>
        /// Rows of the line image.
        var rows: Range<Int>
        /// Range of the characters, none of them certain, that were read there.
        var characters: Range<Int>
    }

    /// Returns the stretches of a line image with ink that may be a turned word.
    static func holes(of recognition: LineRecognition, in line: RasterImage) -> [Hole] {
        let characters = recognition.characters
        let certain = characters.indices.filter { index in
            characters[index].confidence >= certainty && characters[index].text.contains { $0.isLetter || $0.isNumber }
        }
        let positions = certain.map { characters[$0].position }
        guard let first = positions.first, let last = positions.last else { return [] }
        let height = Double(line.height)
        let gaps = zip(positions, positions.dropFirst()).map { $1 - $0 }.sorted()
        let pitch = gaps.isEmpty ? 0.6 * height : min(max(gaps[gaps.count / 2], 0.3 * height), height)
        let starts = [0] + positions.map { $0 + pitch / 2 }
        let ends = [first - pitch / 2] + positions.dropFirst().map { $0 - pitch / 2 } + [max(last, Double(line.width))]
        let marks = zip([0] + certain.map { $0 + 1 }, certain + [characters.count]).map { $0..<$1 }
        let wide = starts.indices.filter { ends[$0] - starts[$0] >= 0.35 * height }
        guard !wide.isEmpty else { return [] }
        let ink = LineInk(line)
        return wide.compactMap { index in
            // Next to a character the stretch ends where there is least of it.
            var (left, right) = (Int(starts[index]), min(line.width, Int(ends[index])))
            if index > 0 { left = ink.emptiestColumn(in: left..<left + snap) ?? left }
            if index < positions.count {
                right = ink.emptiestColumn(in: (right - snap..<right + 1).reversed()) ?? right
            }
            let columns = left..<right
            return ink.word(in: columns).map { Hole(columns: $0.columns, rows: $0.rows, characters: marks[index]) }
        }
    }

    /// The pixels of a line that differ from its background, by Otsu's threshold (1979).
    struct LineInk {
        let luma: RasterImage
        var isInk: [Bool]
        /// Difference of the mean values of ink and background.
        var contrast = 0.0

        init(_ line: RasterImage) {
            luma = line.channels == 1 ? line : line.luma()
            var histogram = [Int](repeating: 0, count: 256)
            for value in luma.pixels { histogram[Int(value)] += 1 }
            let (total, sum) = (luma.pixels.count, histogram.indices.reduce(0) { $0 + $1 * histogram[$1] })
            var (below, sumBelow, spread, threshold, isDarkInk) = (0, 0, 0.0, 0, true)
            for value in 0..<255 {
                (below, sumBelow) = (below + histogram[value], sumBelow + value * histogram[value])
                guard below > 0, below < total else { continue }
                let difference = Double(sum - sumBelow) / Double(total - below) - Double(sumBelow) / Double(below)
                let between = Double(below) * Double(total - below) * difference * difference
                if between > spread {
                    (spread, threshold, contrast, isDarkInk) = (between, value, difference, 2 * below < total)
                }
            }
            isInk = luma.pixels.map { (Int($0) <= threshold) == isDarkInk }
        }

        /// Returns the first of the columns with the least ink.
        func emptiestColumn(in columns: some Sequence<Int>) -> Int? {
            columns.filter { (0..<luma.width).contains($0) }
                .map { x in (x, (0..<luma.height).count { isInk[$0 * luma.width + x] }) }.min { $0.1 < $1.1 }?.0
        }

        /// Returns the part of some columns that ink takes, if it is as long as a turned word and looks like letters.
        func word(in columns: Range<Int>) -> (columns: Range<Int>, rows: Range<Int>)? {
            let (width, height) = (luma.width, luma.height)
            let inked = columns.filter { x in (0..<height).count { isInk[$0 * width + x] } > 1 }
            guard let left = inked.first, let right = inked.last else { return nil }
            let found = left..<right + 1
            let rows = (0..<height).filter { y in found.contains { isInk[y * width + $0] } }
            guard let top = rows.first, let bottom = rows.last else { return nil }
            let (across, along) = (found.count, bottom + 1 - top)
            guard 5 * across >= height, 2 * along >= height, 5 * along >= 4 * across else { return nil }
            var (ink, edges, values) = (0, 0, [0, 0])
            for y in top...bottom {
                for x in found {
                    let index = y * width + x
                    if isInk[index] { ink += 1 }
                    if y > top, isInk[index] != isInk[index - width] { edges += 1 }
                    values[isInk[index] ? 1 : 0] += Int(luma.pixels[index])
                }
            }
            let area = across * along
            guard ink < area, densities.contains(Double(ink) / Double(area)),
                Double(edges) >= TurnedWords.edges * Double(across)
            else { return nil }
            let difference = Double(values[1]) / Double(ink) - Double(values[0]) / Double(area - ink)
            return abs(difference) > 0.6 * contrast ? (found, top..<bottom + 1) : nil
        }
    }
}

extension Quad {
    /// Returns a part of the quad, by shares of its length and of its thickness; they may reach beyond it.
    func part(_ along: ClosedRange<Double>, _ across: ClosedRange<Double>) -> Quad {
        func point(_ x: Double, _ y: Double) -> Point {
            topLeft.towards(topRight, x).towards(bottomLeft.towards(bottomRight, x), y)
        }
        return Quad(
            topLeft: point(along.lowerBound, across.lowerBound),
            topRight: point(along.upperBound, across.lowerBound),
            bottomRight: point(along.upperBound, across.upperBound),
            bottomLeft: point(along.lowerBound, across.upperBound)
        )
    }
}

extension SpineReader {
    /// Returns the lines with the turned words that stand in them, each read both ways and put at its place.
    func withTurnedWords(_ lines: [ReadLine], of image: RasterImage, timings: inout StageTimings) throws -> [ReadLine] {
        // Longer by their ends; small lines have no turned words that could be read.
        let largest = lines.map(\.quad.thickness).max() ?? 0
        let places = lines.indices.filter { index in
            lines[index].recognition.characters.count >= 2 && lines[index].quad.thickness >= 0.6 * largest
        }
        // Shares of the lines' lengths.
        let reaches = places.map { TurnedWords.reach * lines[$0].quad.thickness / max(1, lines[$0].quad.length) }
        let extended = straightened(zip(places, reaches).map { lines[$0].quad.part(-$1...1 + $1, 0...1) }, of: image)
        guard extended.count == places.count else { return lines }
        let holes = zip(places, zip(reaches, extended)).flatMap { index, place in
            let (reach, line) = place
            let (width, height) = (Double(line.image.width), Double(line.image.height))
            // The characters' places in the longer line.
            var recognition = lines[index].recognition
            let shift = width * reach / (1 + 2 * reach)
            for character in recognition.characters.indices {
                recognition.characters[character].position += shift
            }
            return TurnedWords.holes(of: recognition, in: line.image).map { hole in
                let columns = Double(hole.columns.lowerBound - 3) / width...Double(hole.columns.upperBound + 3) / width
                let rows = Double(hole.rows.lowerBound - 3) / height...Double(hole.rows.upperBound + 3) / height
                let part = line.quad.part(columns, max(0, rows.lowerBound)...min(1, rows.upperBound))
                return (line: index, hole: hole, quad: part)
            }
        }.filter { place in
            // A word in another line's box is that line.
            !lines.indices.contains { $0 != place.line && merger.isSamePlace(lines[$0].quad, place.quad) }
        }
        guard !holes.isEmpty else { return lines }
        let turned = holes.map(\.quad.quarterTurned)
        let both = try recognize(straightened(turned + turned.map(\.reversed), of: image), timings: &timings)
        guard both.count == 2 * holes.count else { return lines }
        // All turned words of a spine run the same way, which has to be clear: "of" upside down reads as "fo".
        let ways = [Array(both[..<holes.count]), Array(both[holes.count...])].sorted { $0.totalWorth > $1.totalWorth }
        guard ways[0].totalWorth > TurnedWords.advantage * ways[1].totalWorth else { return lines }
        var lines = lines
        for (place, word) in zip(holes, ways[0]).reversed() where word.recognition.isTurnedWord {
            lines[place.line].recognition = lines[place.line].recognition.with(
                word.recognition,
                at: place.hole.characters
            )
        }
        return lines
    }
}

extension [ReadLine] {
    /// Worth of the lines that are more than guesses.
    fileprivate var totalWorth: Double { reduce(0) { $0 + Swift.max(0, $1.worth()) } }
}

extension LineRecognition {
    /// Whether this is a word of two letters or more.
    fileprivate var isTurnedWord: Bool {
        text.count { $0.isLetter || $0.isNumber } >= 2 && confidence >= TurnedWords.sureConfidence
    }

    /// Returns the line with a word in place of some characters, and spaces around it.
    fileprivate func with(_ word: LineRecognition, at range: Range<Int>) -> LineRecognition {
        let before = characters[..<range.lowerBound].reversed().drop { $0.text == " " }.reversed()
        let after = characters[range.upperBound...].drop { $0.text == " " }
        let (left, right) = (before.last?.position ?? 0, after.first?.position ?? (characters.last?.position ?? 0) + 1)
        let middle = (left + right) / 2
        let inserted = word.characters.map {
            RecognizedCharacter(text: $0.text, confidence: $0.confidence, position: middle)
        }
        guard let first = inserted.first, let last = inserted.last else { return self }
        let spaceBefore = before.last.map { [RecognizedCharacter.space(between: $0, and: first)] } ?? []
        let spaceAfter = after.first.map { [RecognizedCharacter.space(between: last, and: $0)] } ?? []
        let all = before + spaceBefore + inserted + spaceAfter + after
        // Between the neighbours there is nothing in doubt any more.
        return LineRecognition(characters: Array(all), emissions: emissions?.blank(between: left, and: right))
    }
}

extension CTCEmissions {
    /// Returns the emissions with blanks alone at the steps between two positions.
    fileprivate func blank(between left: Double, and right: Double) -> CTCEmissions {
        var values = probabilities
        for step in positions.indices where positions[step] > left && positions[step] < right {
            for index in 0..<classes { values[step * classes + index] = index == 0 ? 1 : 0 }
        }
        return CTCEmissions(classes: classes, probabilities: values, positions: positions)
    }
}
