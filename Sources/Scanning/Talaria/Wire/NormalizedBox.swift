/// An axis-aligned box in shares of the picture's width and height; the origin is the top left, y grows down.
public struct NormalizedBox: Sendable, Hashable {
    /// The left edge, 0 to 1.
    public var x: Double
    /// The upper edge, 0 to 1.
    public var y: Double
    /// The share of the picture's width.
    public var width: Double
    /// The share of the picture's height.
    public var height: Double

    /// A box by its upper left corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The left, upper, right and lower edges, as the text enrichment writes a box.
    ///
    /// Rounded to a millionth, far less than a pixel: sums of doubles are seldom what they should be.
    public var edges: [Double] { [x, y, x + width, y + height].map { ($0 * 1e6).rounded() / 1e6 } }

    /// A box by its left, upper, right and lower edges; nil when these are not four numbers from 0 to 1 in order.
    public init?(edges: [Double]) {
        guard edges.count == 4, edges.allSatisfy((0...1).contains), edges[0] <= edges[2], edges[1] <= edges[3]
        else { return nil }
        self.init(x: edges[0], y: edges[1], width: edges[2] - edges[0], height: edges[3] - edges[1])
    }
}

extension NormalizedBox: Codable {
    /// Reads `{"x", "y", "width", "height"}` or `[left, upper, right, lower]`.
    public init(from decoder: any Decoder) throws {
        if let edges = try? [Double](from: decoder) {
            guard let box = NormalizedBox(edges: edges) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "a box is [left, upper, right, lower] from 0 to 1, not \(edges)"
                    )
                )
            }
            self = box
            return
        }
        let fields = try Fields(decoder)
        guard let x = fields.share("x"), let y = fields.share("y"), let width = fields.share("width", "w"),
            let height = fields.share("height", "h")
        else { throw fields.missing("x, y, width and height from 0 to 1", in: "a box") }
        self.init(x: x, y: y, width: width, height: height)
    }

    /// Writes `{"x", "y", "width", "height"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: WireKey.self)
        try container.encode(x, forKey: WireKey("x"))
        try container.encode(y, forKey: WireKey("y"))
        try container.encode(width, forKey: WireKey("width"))
        try container.encode(height, forKey: WireKey("height"))
    }
}
