internal import Basics
public import Imaging

/// Reads the text of a spine with a detector and a recogniser.
///
/// The crop is searched with its long side horizontal, because most titles run along the spine; each line found is
/// straightened and read, after the longest line of each direction has been read both ways up to determine the
/// orientation of the book. Unsure results of this first pass are read again as the configuration requires, and the
/// readings are merged line by line. Letters that stand alone become one line, and small words beside large ones are
/// added to it.
public struct SpineReader: SpineTextReader {
    /// Finder of the lines.
    public let detector: any TextDetector
    package let recognizer: any LineRecognizer
    let classifier: (any LineDirectionClassifier)?
    let configuration: SpineReaderConfiguration
    let merger = LineMerger()

    /// Creates a reader that finds lines with `detector` and reads them with `recognizer`.
    ///
    /// - Precondition: there is a classifier when the configuration's orientation wants one.
    public init(
        detector: any TextDetector,
        recognizer: any LineRecognizer,
        classifier: (any LineDirectionClassifier)? = nil,
        configuration: SpineReaderConfiguration
    ) {
        self.detector = detector
        precondition(configuration.orientation != .classifier || classifier != nil, "the reader has a classifier")
        (self.recognizer, self.classifier, self.configuration) = (recognizer, classifier, configuration)
    }

    /// Reads one spine.
    ///
    /// - Parameter image: Any size, any way up; with a side under 8 pixels nothing is read.
    /// - Returns: The lines in reading order, quads in the image's pixels.
    /// - Throws: The errors of the detector or the recogniser.
    public func read(_ image: RasterImage) throws -> SpineReading {
        try reading(of: image) { try $0.reading() }
    }

    /// Reads one spine; `known` returns the line at a place where it was read before.
    func read(_ image: RasterImage, known: @escaping (Quad) -> ReadLine?) throws -> SpineReading {
        try reading(of: image) { search in
            search.known = known
            return try search.reading()
        }
    }

    /// Returns the reading of a search of the image; `body` is not called for one too small to read.
    func reading(
        of image: RasterImage,
        _ body: (inout SpineSearch) throws -> SpineReading
    ) rethrows -> SpineReading {
        // Text that small is unreadable, and networks see letters in enlarged noise.
        guard min(image.width, image.height) >= 8 else { return SpineReading() }
        let clock = ContinuousClock()
        let start = clock.now
        var search = SpineSearch(reader: self, image: image)
        var reading = try body(&search)
        reading.timings.total = start.duration(to: clock.now)
        return reading
    }
}

struct SpineSearch {
    let reader: SpineReader
    let image: RasterImage
    /// Returns the line at a place where it was read before.
    var known: (Quad) -> ReadLine? = { _ in nil }
    var timings = StageTimings()
    /// Signs of text outside the lines of the last look: see ``TextDetector``.
    private(set) var missed = 0.0
    private(set) var isFurtherLook = false

    var configuration: SpineReaderConfiguration { reader.configuration }
    var isTall: Bool { image.height > image.width }

    mutating func reading() throws -> SpineReading {
        var lines = try look(configuration.firstLook)
        if configuration.furtherLooksWhen == .always || isUnsure(lines) || standsAcross(lines) {
            isFurtherLook = true
            for look in configuration.furtherLooks {
                lines = reader.merger.merge(lines, try self.look(look, besides: lines))
            }
        }
        let recognizer = reader.recognizer
        return try reading(of: lines) { recognizer.line($0) }
    }

    /// Returns the reading of the lines of all passes; `line` makes one of the reading.
    mutating func reading(of lines: [ReadLine], _ line: (ReadLine) -> RecognizedLine) throws -> SpineReading {
        let kept = try reader.withTurnedWords(reader.distinct(lines), of: image, timings: &timings)
        var reading = SpineReading(ordering: kept.map(line), isTall: isTall, timings: timings)
        reading.missed = missed
        return reading
    }

    /// Returns whether a line may have been misread, or nothing was read that is sure.
    private func isUnsure(_ lines: [ReadLine]) -> Bool {
        let words = lines.filter { $0.text.count >= 3 }
        return words.isEmpty || words.contains { $0.confidence < configuration.sureConfidence }
    }

    /// Returns whether most of the text ran across the spine in the first pass, which then sees the large words
    /// alone.
    func standsAcross(_ lines: [ReadLine]) -> Bool {
        guard let orientation = TextOrientation.dominant(of: lines) else { return false }
        let runsDown = orientation == .clockwise || orientation == .counterclockwise
        return runsDown != (isTall == (configuration.firstLook.frame == .turned))
    }

    // MARK: One look

    /// Finds and reads lines; `known` are the lines of earlier passes: a place where they are sure is not read again.
    ///
    /// If all spines are searched again, places that only overlap are read: small words in the box of a large one, and
    /// longer lines.
    private mutating func look(_ look: Look, besides known: [ReadLine] = []) throws -> [ReadLine] {
        let sure = known.filter { $0.confidence >= configuration.sureConfidence }
        let isRead = configuration.furtherLooksWhen == .always ? reader.merger.isSameBox : reader.merger.isSamePlace
        return try read(find(look).filter { quad in !sure.contains { isRead($0.quad, quad) } })
    }

    /// Finds lines.
    mutating func find(_ look: Look) throws -> [Quad] {
        let short = Double(min(image.width, image.height))
        let long = Double(max(image.width, image.height))
        let scale = min(Double(look.shortSide) / short, Double(look.longSide) / long)
        let turn: QuarterTurn =
            switch look.frame {
            case .turned: isTall ? .counterclockwise : .none
            case .across: isTall ? .none : .clockwise
            }
        let found = try reader.detector.search(image, scaledBy: scale, turned: turn, timings: &timings)
        missed = found.missed
        return found.lines
    }

    /// Reads lines, and rows of letters as one line each.
    mutating func read(_ quads: [Quad]) throws -> [ReadLine] {
        let again = quads.map(self.known)
        let crops = reader.straightened(zip(quads, again).filter { $1 == nil }.map(\.0), of: image)
        let lines =
            try again.compactMap(\.self) + readGroup(crops.filter { $0.quad.orientation == .clockwise })
            + readGroup(crops.filter { $0.quad.orientation != .clockwise })
        return try reader.withLetterRows(lines, of: image, timings: &timings)
    }

    /// Reads lines that run along the same axis, all in the direction that the configuration finds to be right.
    ///
    /// Text upside down reads as doubtful characters: when the longest line is sure, so is the direction.
    private mutating func readGroup(_ lines: [StraightLine]) throws -> [ReadLine] {
        guard let longest = lines.indices.max(by: { lines[$0].length < lines[$1].length }) else { return [] }
        switch configuration.orientation {
        case .none: return try recognize(lines)
        case .classifier:
            guard let classifier = reader.classifier else { return try recognize(lines) }
            let (isUpsideDown, time) = try classifier.isUpsideDown(lines[longest].image)
            timings.recognitionInference += time
            return try recognize(isUpsideDown ? lines.map(\.reversed) : lines)
        case .longestLine, .bothWays:
            // This line is read alone: the others are read only in the right direction.
            var others = lines
            let probe = others.remove(at: longest)
            let forward = try recognize([probe])
            if configuration.orientation == .longestLine, forward[0].isWord() { return try forward + recognize(others) }
            let reversed = try recognize([probe.reversed], again: true)
            guard reversed[0].worth() > forward[0].worth() else { return try forward + recognize(others) }
            return try reversed + recognize(others.map(\.reversed))
        }
    }

    private mutating func recognize(_ lines: [StraightLine], again: Bool = false) throws -> [ReadLine] {
        try reader.recognize(lines, again: again || isFurtherLook, timings: &timings)
    }
}

extension LineRecognizer {
    func line(_ line: ReadLine) -> RecognizedLine { self.line(of: line.recognition, at: line.quad) }
}

extension SpineReader {
    /// Returns the lines that are sure enough for a reading, each once.
    func distinct(_ lines: [ReadLine]) -> [ReadLine] {
        merger.distinct(
            lines.filter {
                $0.confidence >= configuration.minimumConfidence && !$0.text.isEmpty
            }
        )
    }

    /// Reads lines; `again` is whether they were read before in another way, which is counted.
    func recognize(
        _ lines: [StraightLine],
        again: Bool = false,
        timings: inout StageTimings
    ) throws -> [ReadLine] {
        guard !lines.isEmpty else { return [] }
        WorkMeter.count(.linesRecognised, lines.count)
        if again { WorkMeter.count(.linesAgain, lines.count) }
        let recognitions = try recognizer.recognize(lines.map(\.image))
        timings.recognitionInference += recognitions.inferenceTime
        return zip(lines, recognitions.lines).map { ReadLine(quad: $0.quad, recognition: $1) }
    }

    /// Returns the lines that have an area, each as an image of the recogniser's height; straightened side by side.
    func straightened(_ quads: [Quad], of image: RasterImage) -> [StraightLine] {
        concurrentMap(quads.count) { straightened(quads[$0], of: image) }.compactMap(\.self)
    }

    /// Factor on the width of lines that are cut out: the time of reading is shorter by the same factor.
    ///
    /// At 1 and 0.9 the same number of titles of the development sets are read (196 and 197 of 221 real ones, 206 and
    /// 207 of 239 drawn ones), at 0.8 195 and 200.
    private static let stretch = 0.9

    /// Returns nil for a quad without an area.
    func straightened(_ quad: Quad, of image: RasterImage) -> StraightLine? {
        guard quad.length >= 1, quad.thickness >= 1 else { return nil }
        let natural = (Self.stretch * Double(recognizer.lineHeight) * quad.length / quad.thickness).rounded()
        // A line is a hundred times as long as it is high at most: anything longer is a rule or a border.
        let width = min(max(8, Int(natural)), 100 * recognizer.lineHeight)
        return image.cropped(to: quad, width: width, height: recognizer.lineHeight)
            .map { StraightLine(quad: quad, image: $0) }
    }
}

/// A line cut out of the spine, running from left to right.
struct StraightLine: Sendable {
    var quad: Quad
    /// Image of the recogniser's height.
    var image: RasterImage

    var length: Int { image.width }

    /// The same place, to be read the other way up.
    var reversed: StraightLine { StraightLine(quad: quad.reversed, image: image.rotated(.half)) }
}

extension TextDetector {
    /// Returns the lines' quads of ``search(_:scaledBy:turned:timings:)``.
    func lines(
        of image: RasterImage,
        scaledBy scale: Double,
        turned turn: QuarterTurn,
        timings: inout StageTimings
    ) throws -> [Quad] {
        try search(image, scaledBy: scale, turned: turn, timings: &timings).lines
    }

    /// Returns the lines' quads of an image, in its own pixels, when it is searched scaled and then turned; each with
    /// its text in the direction of an English spine: to the right, or downwards.
    ///
    /// `missed` is that of ``TextDetector``.
    func search(
        _ image: RasterImage,
        scaledBy scale: Double,
        turned turn: QuarterTurn,
        timings: inout StageTimings
    ) throws -> (lines: [Quad], missed: Double) {
        let scaled = image.resized(
            width: max(1, Int((Double(image.width) * scale).rounded())),
            height: max(1, Int((Double(image.height) * scale).rounded()))
        )
        let detection = try detect(in: scaled.rotated(turn))
        timings.detectionInference += detection.inferenceTime
        return (detection.lines.map { $0.placed(from: scaled, turned: turn, on: image) }, detection.missed)
    }
}

extension Quad {
    /// Returns the quad on an image, which was resized to `scaled` and then turned before the quad was found, with
    /// its text running as an English spine has it: to the right, or downwards.
    fileprivate func placed(from scaled: RasterImage, turned turn: QuarterTurn, on image: RasterImage) -> Quad {
        let horizontal = Double(image.width) / Double(scaled.width)
        let vertical = Double(image.height) / Double(scaled.height)
        var quad = mapped { point in
            let upright = turn.mapBack(point, width: scaled.width, height: scaled.height)
            return Point(x: upright.x * horizontal, y: upright.y * vertical)
        }
        // A region that is clearly taller than wide in the frame holds text that runs across it.
        if quad.thickness > 1.2 * quad.length { quad = quad.quarterTurned }
        let orientation = quad.orientation
        return orientation == .inverted || orientation == .counterclockwise ? quad.reversed : quad
    }
}
