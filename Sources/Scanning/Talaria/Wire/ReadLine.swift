/// A line of text as the server read it off a photo.
public struct ReadLine: Sendable, Equatable {
    /// The text.
    public var text: String
    /// The probability that it was read right, 0 to 1; nil where the server does not say.
    public var confidence: Double?
    /// Its corners: the first is where the text begins at its top, and the others follow clockwise as it is read.
    ///
    /// nil where the server does not say where it lies.
    public var corners: [NormalizedPoint]?

    /// A line of text.
    public init(text: String, confidence: Double? = nil, corners: [NormalizedPoint]? = nil) {
        self.text = text
        self.confidence = confidence
        self.corners = corners
    }
}

extension ReadLine: Codable {
    /// Reads `{"text", "confidence", "quad"}`; a quad that is none, or lies outside of the photo, is absent.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        guard let text = fields.text("text") else { throw fields.missing("text", in: "a line") }
        let corners = fields.list(NormalizedPoint.self, "quad")
        self.init(text: text, confidence: fields.share("confidence"), corners: corners?.count == 4 ? corners : nil)
    }

    /// Writes `{"text", "confidence", "quad"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: WireKey.self)
        try container.encode(text, forKey: WireKey("text"))
        try container.encodeIfPresent(confidence, forKey: WireKey("confidence"))
        try container.encodeIfPresent(corners, forKey: WireKey("quad"))
    }
}

/// A point in shares of the picture's width and height; the origin is the top left, y grows down.
public struct NormalizedPoint: Sendable, Hashable {
    /// From the left edge, 0 to 1.
    public var x: Double
    /// From the upper edge, 0 to 1.
    public var y: Double

    /// A point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

extension NormalizedPoint: Codable {
    /// Reads `[x, y]`.
    public init(from decoder: any Decoder) throws {
        let numbers = try [Double](from: decoder)
        guard numbers.count == 2, numbers.allSatisfy((0...1).contains) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a point is [x, y] from 0 to 1, not \(numbers)"
                )
            )
        }
        self.init(x: numbers[0], y: numbers[1])
    }

    /// Writes `[x, y]`, rounded to a millionth, far less than a pixel.
    public func encode(to encoder: any Encoder) throws {
        try [x, y].map { ($0 * 1e6).rounded() / 1e6 }.encode(to: encoder)
    }
}
