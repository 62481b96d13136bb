public import Raster

/// Reads the text of a spine with a detector and a recogniser.
///
/// The crop is searched with its long side horizontal, because most titles run along the spine; each line found is
/// straightened and read, after the longest line of each direction has been read both ways up to tell how the book
/// stands. What this first look is not sure of is looked at again as the configuration says, and the readings are
/// merged line by line.
public struct SpineReader: SpineTextReader {
    private let detector: any TextDetector
    private let recognizer: any LineRecognizer
    private let configuration: SpineReaderConfiguration
    private let merger = LineMerger()

    public init(
        detector: any TextDetector, recognizer: any LineRecognizer, configuration: SpineReaderConfiguration
    ) {
        self.detector = detector
        self.recognizer = recognizer
        self.configuration = configuration
    }

    public func read(_ image: RasterImage) throws -> SpineReading {
        let clock = ContinuousClock()
        let start = clock.now
        var timings = StageTimings()
        var lines = try look(configuration.firstLook, at: image, timings: &timings)
        if configuration.furtherLooksWhen == .always || isUnsure(lines) {
            for look in configuration.furtherLooks {
                lines = merger.merge(lines, try self.look(look, at: image, timings: &timings))
            }
        }
        let kept = lines.filter {
            $0.recognition.confidence >= configuration.minimumConfidence && !$0.recognition.text.isEmpty
        }
        let orientation = dominantOrientation(of: kept)
        var recognized: [RecognizedLine] = []
        if let orientation {
            let order = ReadingOrder(orientation: orientation, isTall: image.height > image.width)
            recognized = order.sorted(kept, quad: \.quad).map {
                RecognizedLine(text: $0.recognition.text, confidence: $0.recognition.confidence, quad: $0.quad)
            }
        }
        timings.total = start.duration(to: clock.now)
        return SpineReading(lines: recognized, orientation: orientation, timings: timings)
    }

    /// Whether a line may have been misread, or nothing was read that is sure.
    private func isUnsure(_ lines: [ReadLine]) -> Bool {
        let words = lines.filter { $0.recognition.text.count >= 3 }
        return words.isEmpty || words.contains { $0.recognition.confidence < configuration.sureConfidence }
    }

    /// The direction of most characters.
    private func dominantOrientation(of lines: [ReadLine]) -> TextOrientation? {
        var characters: [TextOrientation: Int] = [:]
        for line in lines { characters[line.quad.orientation, default: 0] += line.recognition.text.count }
        return TextOrientation.allCases.filter { characters[$0] != nil }.max {
            characters[$0, default: 0] < characters[$1, default: 0]
        }
    }

    // MARK: One look

    private func look(_ look: Look, at image: RasterImage, timings: inout StageTimings) throws -> [ReadLine] {
        let quads = try search(image, look: look, timings: &timings)
        var lines: [ReadLine] = []
        let isAlong: (Quad) -> Bool = { quad in
            let orientation = quad.orientation
            return orientation == .clockwise || orientation == .counterclockwise
        }
        for group in [quads.filter(isAlong), quads.filter { !isAlong($0) }] where !group.isEmpty {
            lines += try readGroup(group, in: image, timings: &timings)
        }
        return lines
    }

    /// Where the lines are, in the image's pixels, each with its text running as an English spine has it: to the right,
    /// or downwards.
    private func search(_ image: RasterImage, look: Look, timings: inout StageTimings) throws -> [Quad] {
        let short = Double(min(image.width, image.height))
        let long = Double(max(image.width, image.height))
        let scale = min(Double(look.shortSide) / short, Double(look.longSide) / long)
        let scaled = image.resized(
            width: max(1, Int((Double(image.width) * scale).rounded())),
            height: max(1, Int((Double(image.height) * scale).rounded())))
        let turn: QuarterTurn = look.frame == .turned && image.height > image.width ? .counterclockwise : .none
        let detection = try detector.detect(in: scaled.rotated(turn))
        timings.detectionInference += detection.inferenceTime

        let horizontal = Double(image.width) / Double(scaled.width)
        let vertical = Double(image.height) / Double(scaled.height)
        return detection.lines.map { line in
            var quad = line.quad.mapped { point in
                let upright = turn.mapBack(point, width: scaled.width, height: scaled.height)
                return Point(x: upright.x * horizontal, y: upright.y * vertical)
            }
            // A region that is clearly taller than wide in the frame holds text that runs across it.
            if quad.thickness > 1.2 * quad.length { quad = quad.quarterTurned }
            let orientation = quad.orientation
            return orientation == .inverted || orientation == .counterclockwise ? quad.reversed : quad
        }
    }

    /// Reads lines that run along the same axis, all in the direction that reads better.
    private func readGroup(_ quads: [Quad], in image: RasterImage, timings: inout StageTimings) throws -> [ReadLine] {
        var crops: [(quad: Quad, image: RasterImage)] = quads.compactMap { quad in
            straightened(quad, of: image).map { (quad, $0) }
        }
        crops.sort { $0.image.width > $1.image.width }
        guard let longest = crops.first else { return [] }

        var probe = try recognizer.recognize([longest.image, longest.image.rotated(.half)])
        timings.recognitionInference += probe.inferenceTime
        let isReversed = probe.lines[1].confidence > probe.lines[0].confidence
        if isReversed { probe.lines.swapAt(0, 1) }

        let others = crops.dropFirst()
        let rest = try recognizer.recognize(others.map { isReversed ? $0.image.rotated(.half) : $0.image })
        timings.recognitionInference += rest.inferenceTime
        return zip(crops, [probe.lines[0]] + rest.lines).map { crop, recognition in
            ReadLine(quad: isReversed ? crop.quad.reversed : crop.quad, recognition: recognition)
        }
    }

    /// The line as an image of the recogniser's height; nil when the quad has no area.
    private func straightened(_ quad: Quad, of image: RasterImage) -> RasterImage? {
        guard quad.length >= 1, quad.thickness >= 1 else { return nil }
        let width = Double(recognizer.lineHeight) * quad.length / quad.thickness
        return image.cropped(
            to: quad, width: min(max(8, Int(width.rounded())), 100 * recognizer.lineHeight),
            height: recognizer.lineHeight)
    }
}
