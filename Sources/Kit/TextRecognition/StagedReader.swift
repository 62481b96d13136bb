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
    /// stage alone.
    public func read(_ image: RasterImage) throws -> SpineReading {
        try first.reading(of: image) { search in
            var lines = try search.look(first.configuration.firstLook)
            if gate == .spines, search.seemsToLackLines(lines) {
                var reading = try then.read(image)
                reading.timings.detectionInference += search.timings.detectionInference
                reading.timings.recognitionInference += search.timings.recognitionInference
                return reading
            }
            let doubtful = lines.indices.filter { lines[$0].hasText && gate.isDoubtful(line(lines[$0])) }
            let crops = doubtful.map { then.straightened(lines[$0].quad, of: image) }
            let again = try then.recognize(crops.compactMap(\.self), again: true, timings: &search.timings)
            for (index, line) in zip(zip(doubtful, crops).filter { $1 != nil }.map { $0.0 }, again)
            where !line.text.isEmpty && line.confidence >= then.configuration.minimumConfidence {
                lines[index] = line
                lines[index].isReread = true
            }
            return try search.reading(of: lines, line)
        }
    }

    /// Returns the line by the recogniser that read it.
    private func line(_ line: ReadLine) -> RecognizedLine { (line.isReread ? then : first).recognizer.line(line) }
}

/// Decides, by what the first stage of a ``StagedReader`` read, what the second one reads.
public enum SpineGate: String, Sendable, Codable, CaseIterable {
    /// Lines that are probably misread.
    case lines
    /// Doubtful lines, and all of a spine that seems to lack lines.
    case spines

    /// Returns whether the line should be read again; one without a calibrated probability, by its confidence.
    func isDoubtful(_ line: RecognizedLine) -> Bool {
        switch self {
        case .lines: line.probability.map { $0 < 0.3 } ?? (line.confidence < 0.8)
        case .spines: line.confidence < 0.9 || line.probability ?? 1 < 0.5
        }
    }

    /// Returns whether better networks probably find a line of a spine that is not among those of the first stage; by the
    /// share of the spine's length along which there are lines, and the detector's signs of text outside them.
    ///
    /// Log odds by a logistic regression, which research/fit_gate.py fitted on 800 drawn and 131 photographed spines
    /// (area under its curve, cross-validated: 0.745 and 0.823); 25 % of the photographed ones exceed the limit.
    static func lacksLine(coverage: Double, missed: Double) -> Bool {
        -0.472 - 3.148 * coverage + 39.73 * missed.squareRoot() > -1.422
    }

    /// Minimum number of letters on a spine that has a title and an author.
    static let fewestLetters = 6
}

extension ReadLine {
    fileprivate var hasText: Bool { text.contains { $0.isLetter || $0.isNumber } }
}

extension SpineSearch {
    /// Returns whether the first look's lines have little text for such a spine, or most of it runs across.
    fileprivate func seemsToLackLines(_ lines: [ReadLine]) -> Bool {
        let read = reader.distinct(lines)
        let letters = read.reduce(0) { $0 + $1.text.count(where: \.isLetter) }
        if letters < SpineGate.fewestLetters || standsAcross(lines) { return true }
        let length = Double(max(image.width, image.height))
        var (covered, end) = (0.0, 0.0)
        for (low, high) in read.map({ $0.quad.reach(isTall: isTall, within: length) }).sorted(by: { $0 < $1 }) {
            covered += max(0, high - max(low, end))
            end = max(end, high)
        }
        return SpineGate.lacksLine(coverage: covered / length, missed: missed)
    }
}

extension Quad {
    /// Returns the range along a spine of a length, in pixels.
    fileprivate func reach(isTall: Bool, within length: Double) -> (low: Double, high: Double) {
        let places = corners.map { isTall ? $0.y : $0.x }
        return (max(0, places.min() ?? 0), min(length, places.max() ?? 0))
    }
}
