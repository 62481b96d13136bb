public import Raster

/// A region that a detector takes for one line of text.
public struct DetectedLine: Sendable, Equatable {
    /// In the pixels of the image that was searched. `topLeft` to `topRight` runs along the text; whether the text
    /// is right way up in it is not known yet.
    public var quad: Quad
    /// Mean text probability inside the quad, 0…1.
    public var score: Double

    public init(quad: Quad, score: Double) {
        self.quad = quad
        self.score = score
    }
}

/// Finds lines of text in an image. The image has been turned so that most text should run left to right.
public protocol TextDetector: Sendable {
    /// Lines in no particular order; empty when there is no text.
    func detect(in image: RasterImage) throws -> [DetectedLine]
}

/// What a recogniser makes of one line image.
public struct LineRecognition: Sendable, Equatable {
    /// Empty when nothing was recognised.
    public var text: String
    /// Mean probability of the emitted characters, 0…1; 0 when the text is empty.
    public var confidence: Double

    public init(text: String, confidence: Double) {
        self.text = text
        self.confidence = confidence
    }
}

/// Reads images that each hold one line of text, left to right.
public protocol LineRecognizer: Sendable {
    /// The height in pixels of the line images that this recogniser works on.
    var lineHeight: Int { get }
    /// One recognition per image, in the same order. Each image is `lineHeight` pixels high, of any width.
    func recognize(_ lines: [RasterImage]) throws -> [LineRecognition]
}
