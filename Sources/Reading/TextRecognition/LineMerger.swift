internal import Raster

/// A line that was read, with what the recogniser said of it.
struct ReadLine: Sendable {
    /// In the source image's pixels, corners as the reader of the text sees them.
    var quad: Quad
    var recognition: LineRecognition

    /// Worth of the line beside another reading of the same place.
    ///
    /// A long sure line is worth most, a line of guesses less than nothing; `doubt` is the confidence of a guess, 0…1.
    func worth(doubt: Double = 0.6) -> Double {
        Double(recognition.text.count) * (recognition.confidence - doubt)
    }

    /// Whether the line holds four characters or more, surely, and no fewer than its length has room for.
    ///
    /// A character is seldom wider than the line is high; text upside down reads as fewer.
    var isWord: Bool {
        let room = quad.length / max(1, quad.thickness)
        return Double(recognition.text.count) >= max(4, 0.9 * room) && recognition.confidence >= 0.9
    }

    /// The line's characters in a range, at a stretch of its length; nil when they are only spaces.
    func part(_ range: Range<Int>, from start: Double, to end: Double) -> ReadLine? {
        var characters = recognition.characters[range]
        while characters.last?.text == " " { characters.removeLast() }
        while characters.first?.text == " " { characters.removeFirst() }
        guard !characters.isEmpty, end > start else { return nil }
        return ReadLine(
            quad: quad.part(from: start, to: end),
            recognition: LineRecognition(characters: Array(characters), emissions: nil)
        )
    }
}

/// Joins what two looks read: where lines overlap, those of the look that read more there with more confidence stay.
struct LineMerger: Sendable {
    /// Lines are at the same place when they share this much of the smaller one's area.
    var overlap = 0.3
    /// The second look must be worth this much more to replace the first.
    var advantage = 1.05

    func merge(_ first: [ReadLine], _ second: [ReadLine]) -> [ReadLine] {
        var groups: [(first: [ReadLine], second: [ReadLine])] = first.map { ([$0], []) }
        for line in second {
            let touching = groups.indices.filter { index in
                groups[index].first.contains { isSamePlace($0.quad, line.quad) }
            }
            guard let target = touching.first else {
                groups.append(([], [line]))
                continue
            }
            groups[target].second.append(line)
            for index in touching.dropFirst().reversed() {
                groups[target].first += groups[index].first
                groups[target].second += groups[index].second
                groups.remove(at: index)
            }
        }
        return groups.flatMap { group in
            let (old, new) = (total(group.first), total(group.second))
            if group.first.isEmpty { return group.second.filter { $0.worth() > 0 } }
            return new > 0 && new > old * advantage ? group.second : group.first
        }
    }

    private func total(_ lines: [ReadLine]) -> Double { lines.reduce(0) { $0 + $1.worth() } }

    func isSamePlace(_ a: Quad, _ b: Quad) -> Bool {
        a.intersectionArea(with: b) > overlap * min(a.area, b.area)
    }
}
