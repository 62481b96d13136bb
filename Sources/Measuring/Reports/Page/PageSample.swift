/// One sample with what each measurement made of it.
///
/// A page may hold tens of thousands: keys are single letters, and what is absent takes no room.
package struct PageSample: Sendable, Encodable {
    package var id: String
    package var category: String
    package var title: String?
    package var author: String?
    package var transcription: String
    /// The photo that it was cut from.
    package var group: String?
    /// How the title runs: upright, cw, ccw or inverted; nil when nobody labelled it.
    package var orientation: String?
    package var legible: Bool
    /// The full-size picture's, which the quads are in; nil when it could not be read.
    package var width: Int?
    package var height: Int?
    /// Its index in ``ReportPage/pictures``; nil when it has no picture.
    package var picture: Int?
    /// One of each measurement, in their order; nil where the sample was not part of it.
    package var readings: [PageReading?]

    package init(
        id: String,
        category: String,
        title: String?,
        author: String? = nil,
        transcription: String,
        group: String? = nil,
        orientation: String? = nil,
        legible: Bool = true,
        readings: [PageReading?] = []
    ) {
        self.id = id
        self.category = category
        self.title = title
        self.author = author
        self.transcription = transcription
        self.group = group
        self.orientation = orientation
        self.legible = legible
        self.readings = readings
    }

    private enum CodingKeys: String, CodingKey {
        case id = "i"
        case category = "c"
        case title = "t"
        case author = "a"
        case transcription = "x"
        case group = "g"
        case orientation = "o"
        case illegible = "n"
        case width = "w"
        case height = "h"
        case picture = "p"
        case readings = "r"
    }

    /// Encodes what is there; `"n": 1` marks what nobody can read.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(category, forKey: .category)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encodeIfPresent(author, forKey: .author)
        try container.encode(transcription, forKey: .transcription)
        try container.encodeIfPresent(group, forKey: .group)
        try container.encodeIfPresent(orientation, forKey: .orientation)
        if !legible { try container.encode(1, forKey: .illegible) }
        try container.encodeIfPresent(width, forKey: .width)
        try container.encodeIfPresent(height, forKey: .height)
        try container.encodeIfPresent(picture, forKey: .picture)
        try container.encode(readings, forKey: .readings)
    }
}
