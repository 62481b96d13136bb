public import Imaging

/// Finds lines of text in an image.
public protocol TextDetector: Sendable {
    /// Finds the lines of an image that has already been scaled to the size for the search.
    ///
    /// - Returns: The lines in no particular order, empty without text, and the wall-clock time inside the model.
    ///   `topLeft` to `topRight` runs along the text; whether the text is right way up in it is not known yet.
    ///   `missed` is the mean over the image, 0…1, of signs of text outside the lines; 0 from a model that reports none.
    /// - Throws: The engine's error when inference itself fails. An image without text is not an error.
    func detect(in image: RasterImage) throws -> (lines: [Quad], missed: Double, inferenceTime: Duration)
}

/// One character that was read, and where.
public struct RecognizedCharacter: Sendable, Equatable {
    /// The character as the model's alphabet writes it: mostly one, at times two letters.
    public var text: String
    /// Probability of the character, 0…1.
    public var confidence: Double
    /// Horizontal place in the line image, in its pixels from the left.
    public var position: Double

    /// Returns a space between two characters, with the confidence of the less sure of them.
    static func space(between left: RecognizedCharacter, and right: RecognizedCharacter) -> RecognizedCharacter {
        RecognizedCharacter(
            text: " ",
            confidence: min(left.confidence, right.confidence),
            position: (left.position + right.position) / 2
        )
    }
}

/// Recognition of one line image.
public struct LineRecognition: Sendable, Equatable {
    /// Empty when nothing was recognised.
    public var text: String
    /// Mean probability of the emitted characters, 0…1; 0 when the text is empty.
    public var confidence: Double
    /// Characters of `text`, in order; empty if the recogniser does not report their positions.
    public var characters: [RecognizedCharacter]
    /// Emissions of the network at each step; nil when the recogniser has no such thing.
    public var emissions: CTCEmissions?

    /// Creates a recognition from its parts: see the properties.
    public init(
        text: String,
        confidence: Double,
        characters: [RecognizedCharacter] = [],
        emissions: CTCEmissions? = nil
    ) {
        (self.text, self.confidence) = (text, confidence)
        (self.characters, self.emissions) = (characters, emissions)
    }
}

/// Reads images that each hold one line of text, left to right.
public protocol LineRecognizer: Sendable {
    /// The height in pixels of the line images that this recogniser works on.
    var lineHeight: Int { get }
    /// Reads each image.
    ///
    /// - Parameter lines: Images that are `lineHeight` pixels high, of any width; none is allowed.
    /// - Returns: One recognition for each, in the same order, and the wall-clock time during which a model was
    ///   running.
    /// - Throws: The engine's error when inference itself fails. A line without text is not an error.
    func recognize(_ lines: [RasterImage]) throws -> (lines: [LineRecognition], inferenceTime: Duration)
    /// Returns the line of a recognition, at its position; called only for text that stays in the reading.
    ///
    /// A recogniser with more information than the text adds alternatives and their probabilities here.
    func line(of recognition: LineRecognition, at quad: Quad) -> RecognizedLine
}

extension LineRecognizer {
    /// Returns the line with its text and confidence, and nothing besides.
    public func line(of recognition: LineRecognition, at quad: Quad) -> RecognizedLine {
        RecognizedLine(text: recognition.text, confidence: recognition.confidence, quad: quad)
    }
}

/// Determines whether a line image is upside down.
public protocol LineDirectionClassifier: Sendable {
    /// Classifies one line image of any size whose text runs level.
    ///
    /// - Returns: Whether its text has to be turned by half a turn to be read, and the wall-clock time inside the
    ///   model.
    /// - Throws: The engine's error when inference itself fails.
    func isUpsideDown(_ line: RasterImage) throws -> (answer: Bool, inferenceTime: Duration)
}
