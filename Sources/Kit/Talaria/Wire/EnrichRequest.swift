public import Foundation

/// Request of Tier 2: the text that was read on the device, and never the picture (S0-N02).
public struct EnrichRequest: Sendable, Equatable {
    /// The text of the spine, a line of it on each line.
    public var rawText: String
    /// The device's identity.
    public var deviceID: UUID
    /// Position and direction of the text on the picture.
    public var geometry: Geometry?

    /// Creates a request to name the book with this text on its spine.
    public init(rawText: String, deviceID: UUID, geometry: Geometry? = nil) {
        (self.rawText, self.deviceID, self.geometry) = (rawText, deviceID, geometry)
    }

    /// The position and direction of the text.
    public struct Geometry: Sendable, Equatable {
        /// The box around the text.
        public var boundingBox: NormalizedBox?
        /// "vertical", "horizontal" or another word that the server may know.
        public var orientation: String?

        /// Creates a box and an orientation.
        public init(boundingBox: NormalizedBox? = nil, orientation: String? = nil) {
            (self.boundingBox, self.orientation) = (boundingBox, orientation)
        }
    }
}

extension EnrichRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case rawText = "raw_text"
        case deviceID = "device_id"
        case geometry
    }

    /// Reads the seed's names, and `rawText`, `text` and `deviceId` of other generations.
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        guard let text = fields.value(String.self, "raw_text", "rawText", "text") else {
            throw fields.missing("raw_text", in: "a request for enrichment")
        }
        guard let device = fields.text("device_id", "deviceId").flatMap(UUID.init(uuidString:)) else {
            throw fields.missing("device_id (a UUID)", in: "a request for enrichment")
        }
        // Not tolerant: an invalid box is the sender's error, and is reported to it.
        let geometry = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Geometry.self, forKey: .geometry)
        self.init(rawText: text, deviceID: device, geometry: geometry)
    }
}

extension EnrichRequest.Geometry: Codable {
    private enum CodingKeys: String, CodingKey {
        case boundingBox = "bounding_box"
        case orientation
    }

    /// Writes the box as its four edges.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(boundingBox?.edges, forKey: .boundingBox)
        try container.encodeIfPresent(orientation, forKey: .orientation)
    }
}

/// Books that answer a search: `GET /v3/books/search`.
package struct BookSearchResults: Sendable, Equatable {
    /// The books, the best first.
    package var books: [BookMetadata]
    /// Total number; nil if the server does not report it.
    package var total: Int?

    package init(books: [BookMetadata], total: Int? = nil) { (self.books, self.total) = (books, total) }
}

extension BookSearchResults: Codable {
    /// Reads the books under `books`, `results` or `items`, in an envelope or not.
    package init(from decoder: any Decoder) throws {
        let outer = try Fields(decoder)
        let fields = outer.unwrapped
        guard
            let books = fields.list(BookMetadata.self, "books", "results", "items")
                ?? outer.list(BookMetadata.self, "data")
        else { throw outer.missing("books", in: "the answer to a search") }
        self.init(books: books, total: fields.integer("total", "totalResults", "totalCount"))
    }

    /// Writes `{"success", "data": {"books", "total"}}`.
    package func encode(to encoder: any Encoder) throws {
        try Envelope(data: Content(books: books, total: total)).encode(to: encoder)
    }

    private struct Content: Encodable {
        let books: [BookMetadata]
        let total: Int?
    }
}
