/// Place of a book on a photo of shelves.
public struct SpinePlace: Sendable, Equatable {
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
        self.photo = photo
        self.row = row
        self.index = index
        self.outline = outline
    }

    func isSame(as other: SpinePlace) -> Bool { (photo, row, index) == (other.photo, other.row, other.index) }
}

extension SpinePlace: Codable {
    /// Reads `{"photo", "row", "index", "outline"}`; an invalid outline, or one outside of the photo, is absent.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        guard let row = fields.integer("row"), let index = fields.integer("index") else {
            throw fields.missing("row and index", in: "a place")
        }
        let outline = fields.list(NormalizedPoint.self, "outline")
        self.init(
            photo: fields.integer("photo") ?? 1,
            row: row,
            index: index,
            outline: outline?.count == 4 ? outline : nil
        )
    }

    /// Writes `{"photo", "row", "index", "outline"}`.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([("photo", photo), ("row", row), ("index", index), ("outline", outline)])
    }
}
