internal import Dispatch
public import Raster
internal import Synchronization

/// Reads the text of a spine with a detector and a recogniser.
///
/// The crop is searched with its long side horizontal, because most titles run along the spine; each line found is
/// straightened and read, after the longest line of each direction has been read both ways up to tell how the book
/// stands. What this first look is not sure of is looked at again as the configuration says, and the readings are
/// merged line by line.
public struct SpineReader: SpineTextReader {
    fileprivate let detector: any TextDetector
    fileprivate let recognizer: any LineRecognizer
    fileprivate let classifier: (any LineDirectionClassifier)?
    fileprivate let configuration: SpineReaderConfiguration
    fileprivate let merger = LineMerger()

    /// A reader that finds lines with `detector` and reads them with `recognizer`.
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
        self.recognizer = recognizer
        self.classifier = classifier
        self.configuration = configuration
    }

    /// Reads one spine.
    ///
    /// - Parameter image: Any size, any way up; with a side under 8 pixels nothing is read.
    /// - Returns: The lines in reading order, quads in the image's pixels.
    /// - Throws: What the detector or the recogniser throws.
    public func read(_ image: RasterImage) throws -> SpineReading {
        // Nothing that small can be read, and networks see letters in noise that is blown up.
        guard min(image.width, image.height) >= 8 else {
            return SpineReading(lines: [], orientation: nil, timings: StageTimings())
        }
        let clock = ContinuousClock()
        let start = clock.now
        var search = SpineSearch(reader: self, image: image)
        var reading = try search.reading()
        reading.timings.total = start.duration(to: clock.now)
        return reading
    }
}

/// Search of one spine, with what it took so far.
private struct SpineSearch {
    let reader: SpineReader
    let image: RasterImage
    var timings = StageTimings()

    var configuration: SpineReaderConfiguration { reader.configuration }
    var isTall: Bool { image.height > image.width }

    mutating func reading() throws -> SpineReading {
        var lines = try look(configuration.firstLook)
        let isUnsure = isUnsure(lines)
        if configuration.furtherLooksWhen == .always || isUnsure {
            for look in configuration.furtherLooks {
                let known = configuration.furtherLooksWhen == .always ? [] : lines
                lines = reader.merger.merge(lines, try self.look(look, besides: known))
            }
        }
        // A reader in a hurry looks again or searches gaps, not both: a spine that is unsure rarely lacks only a word.
        if configuration.gapsSearched > 0, configuration.furtherLooksWhen == .always || !isUnsure {
            lines = try withFilledGaps(lines)
        }
        let kept = lines.filter {
            $0.recognition.confidence >= configuration.minimumConfidence && !$0.recognition.text.isEmpty
        }
        guard let orientation = dominantOrientation(of: kept) else {
            return SpineReading(lines: [], orientation: nil, timings: timings)
        }
        let recognized = ReadingOrder(orientation: orientation, isTall: isTall).sorted(kept, quad: \.quad).map {
            reader.recognizer.line(of: $0.recognition, at: $0.quad)
        }
        return SpineReading(lines: recognized, orientation: orientation, timings: timings)
    }

    /// Whether a line may have been misread, or nothing was read that is sure.
    private func isUnsure(_ lines: [ReadLine]) -> Bool {
        let words = lines.filter { $0.recognition.text.count >= 3 }
        return words.isEmpty || words.contains { $0.recognition.confidence < configuration.sureConfidence }
    }

    private func dominantOrientation(of lines: [ReadLine]) -> TextOrientation? {
        var characters: [TextOrientation: Int] = [:]
        for line in lines { characters[line.quad.orientation, default: 0] += line.recognition.text.count }
        return TextOrientation.allCases.filter { characters[$0] != nil }.max {
            characters[$0, default: 0] < characters[$1, default: 0]
        }
    }

    // MARK: One look

    /// Finds and reads lines; `known` is what earlier looks read: a place where they are sure is not read again.
    private mutating func look(_ look: Look, besides known: [ReadLine] = []) throws -> [ReadLine] {
        let sure = known.filter { $0.recognition.confidence >= configuration.sureConfidence }
        let quads = try search(look).filter { quad in
            !sure.contains { reader.merger.isSamePlace($0.quad, quad) }
        }
        let crops = straightened(quads)
        let along = crops.filter { $0.quad.orientation == .clockwise }
        let across = crops.filter { $0.quad.orientation != .clockwise }
        return try readGroup(along) + readGroup(across)
    }

    /// Where the lines are, in the image's pixels, each with its text running as an English spine has it: to the right,
    /// or downwards.
    private mutating func search(_ look: Look) throws -> [Quad] {
        let short = Double(min(image.width, image.height))
        let long = Double(max(image.width, image.height))
        let scale = min(Double(look.shortSide) / short, Double(look.longSide) / long)
        let scaled = image.resized(
            width: max(1, Int((Double(image.width) * scale).rounded())),
            height: max(1, Int((Double(image.height) * scale).rounded()))
        )
        let turn: QuarterTurn =
            switch look.frame {
            case .turned: isTall ? .counterclockwise : .none
            case .across: isTall ? .none : .clockwise
            }
        let detection = try reader.detector.detect(in: scaled.rotated(turn))
        timings.detectionInference += detection.inferenceTime

        let horizontal = Double(image.width) / Double(scaled.width)
        let vertical = Double(image.height) / Double(scaled.height)
        return detection.lines.map { line in
            var quad = line.mapped { point in
                let upright = turn.mapBack(point, width: scaled.width, height: scaled.height)
                return Point(x: upright.x * horizontal, y: upright.y * vertical)
            }
            // A region that is clearly taller than wide in the frame holds text that runs across it.
            if quad.thickness > 1.2 * quad.length { quad = quad.quarterTurned }
            let orientation = quad.orientation
            return orientation == .inverted || orientation == .counterclockwise ? quad.reversed : quad
        }
    }

    /// Reads lines that run along the same axis, all in the direction that the configuration finds to be right.
    ///
    /// Text upside down reads as doubtful characters: when the longest line is sure, so is the direction.
    private mutating func readGroup(_ lines: [StraightLine]) throws -> [ReadLine] {
        guard let probe = lines.indices.max(by: { lines[$0].length < lines[$1].length }) else { return [] }
        if configuration.orientation == .classifier, let classifier = reader.classifier {
            let (isUpsideDown, time) = try classifier.isUpsideDown(lines[probe].image)
            timings.recognitionInference += time
            return try recognize(isUpsideDown ? lines.map(\.reversed) : lines)
        }
        let forward = try recognize(lines)
        switch configuration.orientation {
        case .none, .classifier: return forward
        case .longestLine where forward[probe].isWord: return forward
        case .longestLine, .bothWays: break
        }
        let reversed = try recognize([lines[probe].reversed])
        guard reversed[0].worth() > forward[probe].worth() else { return forward }
        let others = lines.indices.filter { $0 != probe }
        return try reversed + recognize(others.map { lines[$0].reversed })
    }

    private mutating func recognize(_ lines: [StraightLine]) throws -> [ReadLine] {
        guard !lines.isEmpty else { return [] }
        let recognitions = try reader.recognizer.recognize(lines.map(\.image))
        timings.recognitionInference += recognitions.inferenceTime
        return zip(lines, recognitions.lines).map { ReadLine(quad: $0.quad, recognition: $1) }
    }

    // MARK: Gaps

    private mutating func withFilledGaps(_ lines: [ReadLine]) throws -> [ReadLine] {
        // The title is among the largest lines; what stands between the letters of the others is not worth the time.
        let largest = lines.map(\.quad.area).max() ?? 0
        return try lines.flatMap { line in
            line.quad.area >= 0.5 * largest ? try filledGaps(of: line) : [line]
        }
    }

    /// The line, taken apart where words were found in its gaps, with those words between its parts.
    private mutating func filledGaps(of line: ReadLine) throws -> [ReadLine] {
        guard line.recognition.text.count >= 3, line.recognition.confidence >= configuration.minimumConfidence,
            let straight = reader.straightened(line.quad, of: image)?.image
        else { return [line] }
        var parts: [ReadLine] = []
        var taken = 0
        var start = 0.0
        let gaps = GapFinder().gaps(in: line.recognition, image: straight)
            .sorted { $0.length > $1.length }.prefix(configuration.gapsSearched)
        for gap in gaps.sorted(by: { $0.start < $1.start }) {
            let words = try wordsInGap(line.quad.part(from: gap.start, to: gap.end))
            guard !words.isEmpty else { continue }
            parts += [line.part(taken..<gap.characters.lowerBound, from: start, to: gap.start)].compactMap(\.self)
            parts += words
            (taken, start) = (gap.characters.upperBound, gap.end)
        }
        guard taken > 0 || !parts.isEmpty else { return [line] }
        let last = line.part(taken..<line.recognition.characters.count, from: start, to: 1)
        return parts + [last].compactMap(\.self)
    }

    /// Words that are printed in a gap, searched at the size of a small spine.
    private mutating func wordsInGap(_ region: Quad) throws -> [ReadLine] {
        let height = configuration.firstLook.shortSide
        let width = Int((Double(height) * region.length / max(1, region.thickness)).rounded())
        guard width >= 8, width <= configuration.firstLook.longSide,
            let crop = image.cropped(to: region, width: width, height: height),
            let map = Homography(width: Double(width), height: Double(height), to: region)
        else { return [] }
        let detection = try reader.detector.detect(in: crop)
        timings.detectionInference += detection.inferenceTime
        return try detection.lines.compactMap { found in
            let level = found.mapped(map.apply)
            // A small word may stand at any angle, but it is longer than high or nearly so.
            let ways = [level, level.reversed, level.quarterTurned, level.quarterTurned.reversed]
            let candidates = straightened(ways.filter { 1.7 * $0.length > $0.thickness })
            let best = try recognize(candidates)
                .max { $0.recognition.confidence < $1.recognition.confidence }
            guard let best, best.recognition.text.count >= 2, best.recognition.confidence >= 0.9,
                isNew(best.quad, in: region)
            else { return nil }
            return best
        }
    }

    /// Whether a word found in a gap can have escaped the reading of the line: it leans by 20° and more, or is smaller.
    ///
    /// Anything else is a piece of the letters beside the gap.
    private func isNew(_ word: Quad, in gap: Quad) -> Bool {
        word.cosineOfAngle(with: gap) < 0.94 || word.thickness < 0.75 * gap.thickness
    }

    // MARK: Straightening

    /// The lines that have an area, each as an image of the recogniser's height; straightened side by side.
    private func straightened(_ quads: [Quad]) -> [StraightLine] {
        let lines = Mutex([StraightLine?](repeating: nil, count: quads.count))
        DispatchQueue.concurrentPerform(iterations: quads.count) { [reader, image] index in
            let line = reader.straightened(quads[index], of: image)
            lines.withLock { $0[index] = line }
        }
        return lines.withLock { $0.compactMap(\.self) }
    }
}

extension SpineReader {
    /// Nil when the quad has no area.
    fileprivate func straightened(_ quad: Quad, of image: RasterImage) -> StraightLine? {
        guard quad.length >= 1, quad.thickness >= 1 else { return nil }
        let natural = (Double(recognizer.lineHeight) * quad.length / quad.thickness).rounded()
        // A line is a hundred times as long as it is high at most: anything longer is a rule or a border.
        let width = min(max(8, Int(natural)), 100 * recognizer.lineHeight)
        return image.cropped(to: quad, width: width, height: recognizer.lineHeight)
            .map { StraightLine(quad: quad, image: $0) }
    }
}

/// A line cut out of the spine, running from left to right.
private struct StraightLine: Sendable {
    var quad: Quad
    /// As high as the recogniser wants it.
    var image: RasterImage

    var length: Int { image.width }

    /// The same place, to be read the other way up.
    var reversed: StraightLine { StraightLine(quad: quad.reversed, image: image.rotated(.half)) }
}
