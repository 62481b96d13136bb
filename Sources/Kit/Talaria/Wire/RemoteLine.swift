/// A line of text as the server read it off a photo.
public struct RemoteLine: Sendable, Equatable, Codable {
    /// The text.
    public var text: String
    /// Probability of a right reading, 0 to 1; nil if the server does not report it.
    public var confidence: Double?
    /// Corners: the first is at the beginning of the text at its top, and the others follow clockwise as it is read.
    ///
    /// nil if the server does not report a position.
    public var corners: [NormalizedPoint]?

    /// Creates a line of text.
    public init(text: String, confidence: Double? = nil, corners: [NormalizedPoint]? = nil) {
        (self.text, self.confidence, self.corners) = (text, confidence, corners)
    }
}

/// A point in shares of the picture's width and height; the origin is the top left, y grows down.
public struct NormalizedPoint: Sendable, Hashable {
    /// Distance from the left edge, 0 to 1.
    public var x: Double
    /// Distance from the upper edge, 0 to 1.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

extension NormalizedPoint: Codable {
    /// Reads `[x, y]`.
    public init(from decoder: any Decoder) throws {
        let numbers = try [Double](from: decoder)
        guard numbers.count == 2, numbers.allSatisfy((0...1).contains) else {
            let problem = "a point is [x, y] from 0 to 1, not \(numbers)"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
        self.init(x: numbers[0], y: numbers[1])
    }

    /// Writes `[x, y]`, rounded to a millionth, far less than a pixel.
    public func encode(to encoder: any Encoder) throws { try [x, y].map(rounded).encode(to: encoder) }
}

/// An axis-aligned box in shares of the picture's width and height; the origin is the top left, y grows down.
public struct NormalizedBox: Sendable, Hashable, Codable {
    /// The left edge, 0 to 1.
    public var x: Double
    /// The upper edge, 0 to 1.
    public var y: Double
    /// The share of the picture's width.
    public var width: Double
    /// The share of the picture's height.
    public var height: Double

    /// Creates a box by its upper left corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Left, upper, right and lower edges, in the box format of the text enrichment.
    public var edges: [Double] { [x, y, x + width, y + height].map(rounded) }

    /// Creates a box by its left, upper, right and lower edges; nil when these are not four numbers from 0 to 1 in
    /// order.
    init?(edges: [Double]) {
        guard edges.count == 4, edges.allSatisfy((0...1).contains), edges[0] <= edges[2], edges[1] <= edges[3]
        else { return nil }
        self.init(x: edges[0], y: edges[1], width: edges[2] - edges[0], height: edges[3] - edges[1])
    }
}

/// Rounds to a millionth, as sums of doubles are seldom exact.
private func rounded(_ share: Double) -> Double { (share * 1e6).rounded() / 1e6 }

/// Place of a book on a photo of shelves.
public struct SpinePlace: Sendable, Equatable, Codable {
    /// Photo of the job, from 1.
    public var photo: Int
    /// Row of books that contains the spine, from 1 at the top.
    public var row: Int
    /// Place in its row, from 1 at the left.
    public var index: Int
    /// Corners of the spine, clockwise from the photo's top left; nil if the server does not report them.
    public var outline: [NormalizedPoint]?

    /// Creates a place from its parts: see the properties.
    public init(photo: Int = 1, row: Int, index: Int, outline: [NormalizedPoint]? = nil) {
        (self.photo, self.row, self.index, self.outline) = (photo, row, index, outline)
    }

    func isSame(as other: SpinePlace) -> Bool { (photo, row, index) == (other.photo, other.row, other.index) }
}
