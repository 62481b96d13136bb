public import Imaging

/// Reads spines in two stages: quick networks find and read the lines of each, better ones what those may have misread
/// or missed.
public struct StagedReader: SpineTextReader {
    /// Networks that search and read every spine; of its passes only the first is made.
    public let first: SpineReader
    /// Reader of doubtful lines, by its recogniser alone, or of a whole spine.
    public let then: SpineReader
    /// Decides what the second stage reads.
    public let gate: SpineGate

    /// Creates a reader of two stages: see the properties.
    public init(first: SpineReader, then: SpineReader, gate: SpineGate) {
        (self.first, self.then, self.gate) = (first, then, gate)
    }

    /// Reads one spine, as ``SpineReader/read(_:)``.
    ///
    /// The second stage's recogniser reads doubtful lines again, where the first stage found them, and one that it is
    /// sure enough of takes the other's place. A spine that the gate wants to be searched again is read by the second
    /// stage alone: before the first one reads, by the places of its lines; then by their text; and last if one of the
    /// largest lines stays doubtful, as one does that was found in part.
    public func read(_ image: RasterImage) throws -> SpineReading { try read(image) { _ in nil } }

    /// Reads one spine; `known` returns the line at a place where either stage read it before.
    func read(_ image: RasterImage, known: @escaping (Quad) -> ReadLine?) throws -> SpineReading {
        try first.reading(of: image) { search in
            search.known = known
            let quads = try search.find(first.configuration.firstLook)
            if gate == .spines, search.lacksLines(quads) { return try readAnew(image, known, after: search.timings) }
            var lines = try search.read(quads)
            if gate == .spines, search.hasLittleText(lines) { return try readAnew(image, known, after: search.timings) }
            try reread(&lines, of: image, timings: &search.timings)
            if gate == .spines, largest(of: first.distinct(lines)).contains(where: SpineGate.isDoubtful) {
                return try readAnew(image, known, after: search.timings)
            }
            return try search.reading(of: lines, line)
        }
    }

    /// Returns the second stage's reading, with the first one's times added.
    private func readAnew(
        _ image: RasterImage,
        _ known: @escaping (Quad) -> ReadLine?,
        after timings: StageTimings
    ) throws -> SpineReading {
        var reading = try then.read(image) { quad in known(quad).flatMap { $0.isReread ? $0 : nil } }
        reading.timings.detectionInference += timings.detectionInference
        reading.timings.recognitionInference += timings.recognitionInference
        return reading
    }

    /// Reads lines of the first stage again that are doubtful, where they are.
    func reread(_ lines: inout [ReadLine], of image: RasterImage, timings: inout StageTimings) throws {
        let doubtful = lines.indices.filter {
            !lines[$0].isReread && lines[$0].isLong && SpineGate.isDoubtful(line(lines[$0]))
        }
        let crops = doubtful.compactMap { index in
            then.straightened(lines[index].quad, of: image).map { (index: index, line: $0) }
        }
        let again = try then.recognize(crops.map(\.line), again: true, timings: &timings)
        for (index, line) in zip(crops.map(\.index), again)
        where !line.text.isEmpty && line.confidence >= then.configuration.minimumConfidence {
            lines[index] = line
            lines[index].isReread = true
        }
    }

    /// Returns the lines that are about as large as the largest, by the recogniser that read them: the title is one.
    private func largest(of lines: [ReadLine]) -> [RecognizedLine] {
        let long = lines.filter(\.isLong)
        let size = long.map(\.quad.thickness).max() ?? 0
        return long.filter { $0.quad.thickness >= 0.8 * size }.map(line)
    }

    /// Returns the line by the recogniser that read it.
    func line(_ line: ReadLine) -> RecognizedLine { (line.isReread ? then : first).recognizer.line(line) }
}

/// Decides, by what the first stage of a ``StagedReader`` read, what the second one reads.
public enum SpineGate: String, Sendable, Codable, CaseIterable {
    /// Doubtful lines.
    case lines
    /// Doubtful lines, and all of a spine that seems to lack lines or whose largest lines stay doubtful.
    case spines

    /// Returns whether a line is in doubt; one without a calibrated probability, by its confidence.
    static func isDoubtful(_ line: RecognizedLine) -> Bool {
        line.confidence < 0.9 || line.probability ?? 1 < 0.5
    }
}

extension ReadLine {
    /// Whether it has three letters or digits: shorter ones are mostly marks, and seldom read better again.
    fileprivate var isLong: Bool { text.count { $0.isLetter || $0.isNumber } >= 3 }
}

extension SpineSearch {
    /// Returns whether the first look's lines have little text for a spine, or most of it runs across.
    fileprivate func hasLittleText(_ lines: [ReadLine]) -> Bool {
        let letters = reader.distinct(lines).reduce(0) { $0 + $1.text.count(where: \.isLetter) }
        // A spine that has a title and an author has more.
        return letters < 6 || standsAcross(lines)
    }

    /// Returns whether better networks probably find a line of a spine that is not among these; by the share of the
    /// spine's length along which there are lines, and the detector's signs of text outside them.
    ///
    /// Log odds by a logistic regression, which research/fit_gate.py fitted on 800 drawn and 131 photographed spines
    /// (area under its curve, cross-validated: 0.803 and 0.832); 10 % of the photographed ones exceed the limit.
    fileprivate func lacksLines(_ found: [Quad]) -> Bool {
        let length = Double(max(image.width, image.height))
        let places = found.map { $0.corners.map { isTall ? $0.y : $0.x } }
        var (covered, end) = (0.0, 0.0)
        for (low, high) in places.map({ (max(0, $0.min() ?? 0), min(length, $0.max() ?? 0)) }).sorted(by: { $0 < $1 }) {
            covered += max(0, high - max(low, end))
            end = max(end, high)
        }
        return -0.711 - 3.439 * covered / length + 48.96 * missed.squareRoot() > -0.943
    }
}
