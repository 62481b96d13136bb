/// A book that a spine may be of.
package struct BookCandidate: Sendable, Equatable, Codable {
    package var title: String
    package var authors: [String]
    /// Digits, and X at the end of an ISBN-10; nil when it is not known.
    package var isbn: String?
    /// As the system reports it, 0…1; nil when it reports none.
    package var confidence: Double?
    /// True for what was put together from the text, without a record of a catalogue; nil for others.
    package var isDraft: Bool?

    package init(title: String, authors: [String] = [], isbn: String? = nil, confidence: Double? = nil) {
        self.title = title
        self.authors = authors
        self.isbn = isbn
        self.confidence = confidence
    }
}
