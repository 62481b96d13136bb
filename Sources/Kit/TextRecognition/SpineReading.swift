public import Basics
public import Imaging

/// Orientation of text in an image.
public enum TextOrientation: String, Sendable, Codable, CaseIterable {
    /// Left to right, right way up.
    case upright
    /// Turned 90° clockwise: reads from top to bottom, as on most English spines.
    case clockwise = "cw"
    /// Turned 90° counter-clockwise: reads from bottom to top, as on most French and German spines.
    case counterclockwise = "ccw"
    /// Upside down.
    case inverted
}

extension TextOrientation {
    /// Creates the orientation of text in an image in which it is upright after `turn`.
    init(uprightAfter turn: QuarterTurn) {
        switch turn {
        case .none: self = .upright
        case .counterclockwise: self = .clockwise
        case .clockwise: self = .counterclockwise
        case .half: self = .inverted
        }
    }
}

/// One line of text that was read.
public struct RecognizedLine: Sendable, Equatable, PlacedText {
    /// Text, without spaces at its ends.
    public var text: String
    /// Mean probability of the emitted characters, 0…1, as the engine reports it; not calibrated.
    public var confidence: Double
    /// Probability that every character of the text is right and none is missing, 0…1, calibrated on labelled lines.
    ///
    /// Nil without a calibration of the engine, or without the word lists that it was calibrated with.
    public var probability: Double?
    /// Possible texts of the line, if the chosen one is in doubt: five at most, that one first, however probable it
    /// is, then the others by falling probability.
    ///
    /// Empty if the text is not in doubt, or if the engine does not report alternatives. The probability is the
    /// network's, over all alignments of the text; not calibrated.
    public var alternatives: [PossibleText]
    /// Position of the line, in the source image's pixels; corners as the reader of the text sees them.
    public var quad: Quad
    /// Name of the network that read it; nil from a recogniser without names.
    public var network: String?

    /// Creates a line from its parts: see the properties.
    public init(
        text: String,
        confidence: Double,
        probability: Double? = nil,
        alternatives: [PossibleText] = [],
        quad: Quad
    ) {
        (self.text, self.confidence, self.probability) = (text, confidence, probability)
        (self.alternatives, self.quad) = (alternatives, quad)
    }
}

/// Durations of the parts of one reading.
///
/// Detail, not evidence: a measurement of a reading uses its own clock.
public struct StageTimings: Sendable, Equatable {
    /// Inside the detection model.
    public var detectionInference: Duration = .zero
    /// Inside the recognition and orientation models.
    public var recognitionInference: Duration = .zero
    /// The whole reading, from the decoded image to the lines.
    public var total: Duration = .zero

    /// Creates timings of zero.
    public init() {}
}

/// Reading of one spine.
public struct SpineReading: Sendable, Equatable {
    /// Lines in reading order; empty without text.
    public var lines: [RecognizedLine]
    /// The direction of most of the text; nil when nothing was read.
    public var orientation: TextOrientation?
    /// Durations of the parts of the reading.
    public var timings: StageTimings
    /// Signs of text outside the lines, 0…1, of the detector in its last pass; nil from a reader without one.
    public var missed: Double?

    /// Creates a reading from its parts: see the properties; by default one of no text.
    public init(
        lines: [RecognizedLine] = [],
        orientation: TextOrientation? = nil,
        timings: StageTimings = StageTimings()
    ) {
        (self.lines, self.orientation, self.timings) = (lines, orientation, timings)
    }

    /// Mean confidence of the lines, weighted by their length; nil when nothing was read.
    public var confidence: Double? {
        let characters = lines.reduce(0) { $0 + $1.text.count }
        guard characters > 0 else { return nil }
        return weight / Double(characters)
    }

    /// Characters of the lines, each weighted by its line's confidence.
    private var weight: Double { lines.reduce(0) { $0 + $1.confidence * Double($1.text.count) } }

    /// Creates the reading of lines in any order, on a spine that is taller than wide or is not; with the orientation of
    /// most of the text if it is nil.
    init(
        ordering lines: [RecognizedLine],
        isTall: Bool,
        orientation: TextOrientation? = nil,
        timings: StageTimings = StageTimings()
    ) {
        let orientation = orientation ?? TextOrientation.dominant(of: lines)
        let order = ReadingOrder(orientation: orientation ?? .upright, isTall: isTall)
        self.init(lines: order.sorted(lines, quad: \.quad), orientation: orientation, timings: timings)
    }

    /// Returns the reading with its lines at other places.
    func mapped(_ place: (Point) -> Point) -> SpineReading {
        var reading = self
        for index in lines.indices { reading.lines[index].quad = lines[index].quad.mapped(place) }
        return reading
    }

    /// Creates the better of two readings of a whole spine, turned so that its long side is horizontal, once each way
    /// up: the one with more characters, each weighted by its line's confidence.
    ///
    /// `read` returns the lines of the image after a turn, in the pixels of the unturned one, and the engine's time:
    /// in the timings `recognitionInference` is all of that. The caller sets the total.
    package init(
        bothWaysUp image: RasterImage,
        _ read: (QuarterTurn) throws -> (lines: [RecognizedLine], time: Duration)
    ) rethrows {
        self.init()
        let isTall = image.height > image.width
        let lying: QuarterTurn = isTall ? .counterclockwise : .none
        for turn in [lying, lying.followed(by: .half)] {
            let (found, time) = try read(turn)
            timings.recognitionInference += time
            let other = SpineReading(ordering: found, isTall: isTall, orientation: TextOrientation(uprightAfter: turn))
            if other.weight > weight { (lines, orientation) = (other.lines, other.orientation) }
        }
    }
}

/// Reads the text of one spine image: the interface of every engine and variant for the pipeline.
public protocol SpineTextReader: Sendable {
    /// Reads one spine.
    ///
    /// - Parameter image: One spine, any size of at least one pixel, any orientation.
    /// - Returns: Its lines in reading order; an empty result is not an error.
    /// - Throws: The engine's error when inference itself fails.
    func read(_ image: RasterImage) throws -> SpineReading
}

extension [RecognizedLine] {
    /// Letters of all lines together: the amount of text.
    public var letterCount: Int { reduce(0) { $0 + $1.text.count { $0.isLetter } } }
}
