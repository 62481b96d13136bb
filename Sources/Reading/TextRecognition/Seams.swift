public import Raster

/// A region that a detector takes for one line of text.
public struct DetectedLine: Sendable, Equatable {
    /// Where the line lies, in the pixels of the image that was searched.
    ///
    /// `topLeft` to `topRight` runs along the text; whether the text is right way up in it is not known yet.
    public var quad: Quad
    /// Mean text probability inside the quad, 0…1.
    public var score: Double

    /// A region by its parts: see the properties.
    public init(quad: Quad, score: Double) {
        self.quad = quad
        self.score = score
    }
}

/// Detections in an image.
public struct Detection: Sendable, Equatable {
    /// In no particular order; empty when there is no text.
    public var lines: [DetectedLine]
    /// Wall-clock time inside the model alone.
    public var inferenceTime: Duration

    /// A finding by its parts: see the properties.
    public init(lines: [DetectedLine], inferenceTime: Duration = .zero) {
        self.lines = lines
        self.inferenceTime = inferenceTime
    }
}

/// Finds lines of text in an image.
public protocol TextDetector: Sendable {
    /// Finds the lines of an image that has already been scaled to the size at which it should be searched.
    ///
    /// - Throws: What the engine reports when inference itself fails. An image without text is not an error.
    func detect(in image: RasterImage) throws -> Detection
}

/// One character that was read, and where.
public struct RecognizedCharacter: Sendable, Equatable {
    /// The character as the model's alphabet writes it: mostly one, at times two letters.
    public var text: String
    /// Probability of the character, 0…1.
    public var confidence: Double
    /// Horizontal place in the line image, in its pixels from the left.
    public var position: Double

    /// A character by its parts: see the properties.
    public init(text: String, confidence: Double, position: Double) {
        self.text = text
        self.confidence = confidence
        self.position = position
    }
}

/// Recognition of one line image.
public struct LineRecognition: Sendable, Equatable {
    /// Empty when nothing was recognised.
    public var text: String
    /// Mean probability of the emitted characters, 0…1; 0 when the text is empty.
    public var confidence: Double
    /// The characters of `text`, in order; empty when the recogniser does not say where they are.
    public var characters: [RecognizedCharacter]
    /// Emissions of the network at each step; nil when the recogniser has no such thing.
    public var emissions: CTCEmissions?

    /// A recognition by its parts: see the properties.
    public init(
        text: String,
        confidence: Double,
        characters: [RecognizedCharacter] = [],
        emissions: CTCEmissions? = nil
    ) {
        self.text = text
        self.confidence = confidence
        self.characters = characters
        self.emissions = emissions
    }
}

/// Recognitions of several line images.
public struct Recognitions: Sendable, Equatable {
    /// One for each image, in the same order.
    public var lines: [LineRecognition]
    /// Wall-clock time during which a model was running.
    public var inferenceTime: Duration

    /// Recognitions by their parts: see the properties.
    public init(lines: [LineRecognition], inferenceTime: Duration = .zero) {
        self.lines = lines
        self.inferenceTime = inferenceTime
    }
}

/// Reads images that each hold one line of text, left to right.
public protocol LineRecognizer: Sendable {
    /// The height in pixels of the line images that this recogniser works on.
    var lineHeight: Int { get }
    /// Reads each image.
    ///
    /// - Parameter lines: Images that are `lineHeight` pixels high, of any width; none is allowed.
    /// - Returns: One recognition for each, in the same order.
    /// - Throws: What the engine reports when inference itself fails. A line without text is not an error.
    func recognize(_ lines: [RasterImage]) throws -> Recognitions
}

/// Tells whether a line image stands upside down.
public protocol LineDirectionClassifier: Sendable {
    /// Looks at one line image of any size whose text runs level.
    ///
    /// - Returns: Whether its text has to be turned by half a turn to be read, and the wall-clock time inside the model.
    /// - Throws: What the engine reports when inference itself fails.
    func isUpsideDown(_ line: RasterImage) throws -> (answer: Bool, inferenceTime: Duration)
}
