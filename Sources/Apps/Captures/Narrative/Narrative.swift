public import Foundation

/// Description of an item, a session or a day.
public struct Narrative: Codable, Sendable, Equatable {
    /// A sentence or a few.
    public var summary: String
    /// Statements about visible content, most certain first ("Reading “Emma” by Jane Austen.").
    public var statements: [String]
    /// Statements about the location ("At Café Central.").
    public var locationStatements: [String]
    /// Purpose ("Reading novels"); nil when it is unknown.
    public var purpose: String?
    /// Tags, each once.
    public var tags: [String]
    /// Generator of the text, if not the requested one: "rules" for a fallback; nil for the requested generator.
    public var narrator: String?
    /// Reason why the requested generator produced nothing; nil when it did.
    public var fallback: String?

    /// Creates a narrative by its parts.
    public init(
        summary: String,
        statements: [String] = [],
        locationStatements: [String] = [],
        purpose: String? = nil,
        tags: [String] = []
    ) {
        self.summary = summary
        self.statements = statements
        self.locationStatements = locationStatements
        self.purpose = purpose
        self.tags = tags
    }

    /// Characters of the longest summary.
    public static let mostSummary = 400
    /// Statements of either kind at most.
    public static let mostStatements = 2
    /// Characters of the longest statement.
    public static let mostStatement = 200
    /// Characters of the longest purpose.
    public static let mostPurpose = 80
    /// Tags at most.
    public static let mostTags = 5
    /// Characters of the longest tag.
    public static let mostTag = 30

    /// Schema violations of the narrative; empty for a valid one.
    public var problems: [String] {
        var problems: [String] = []
        func check(_ name: String, _ text: String, _ most: Int) {
            if text.allSatisfy(\.isWhitespace) { problems.append("\(name) is empty") }
            if text.count > most { problems.append("\(name) has \(text.count) characters; at most \(most)") }
            let (bytes, mostBytes) = (text.utf8.count, PlainText.bytes(of: most))
            if bytes > mostBytes { problems.append("\(name) has \(bytes) bytes; at most \(mostBytes)") }
            if text.unicodeScalars.contains(where: PlainText.isForbidden) {
                problems.append("\(name) has control characters")
            }
        }
        check("summary", summary, Self.mostSummary)
        if statements.isEmpty { problems.append("no statement") }
        for (name, list) in [("statement", statements), ("location statement", locationStatements)] {
            if list.count > Self.mostStatements { problems.append("\(list.count) \(name)s") }
            for text in list {
                check(name, text, Self.mostStatement)
                if !text.hasSuffix(".") { problems.append("\(name) does not end with a full stop") }
            }
        }
        if let purpose { check("purpose", purpose, Self.mostPurpose) }
        if tags.count > Self.mostTags { problems.append("\(tags.count) tags") }
        for tag in tags { check("tag", tag, Self.mostTag) }
        if Set(tags.map { $0.lowercased() }).count < tags.count { problems.append("duplicate tag") }
        return problems
    }
}

/// Input of a narrative.
public struct NarrativeInput: Sendable {
    /// QR or bar code, and its subject.
    public struct Code: Sendable {
        /// Subject of a code.
        public enum Subject: Sendable {
            case book, product
            /// An address of the web.
            case page
            /// Any other text: only the content is known.
            case text
        }

        /// Content of the code.
        public var content: String
        /// Subject of the code.
        public var subject: Subject
        /// Name of the book or product; "" where it is not known.
        public var name: String
        /// Whether its content is a part of a text whose other parts are missing.
        public var isPartial = false

        /// Creates a code of a content.
        public init(_ content: String, subject: Subject = .text, name: String = "") {
            (self.content, self.subject, self.name) = (content, subject, name)
        }
    }

    /// Facts about an item, enough for one sentence; unknown facts are empty.
    public struct Item: Sendable {
        /// Time of the capture.
        public var time: Date
        /// Label of the visible content ("bookshelf"), "" or "unknown" for none.
        public var label = ""
        /// Title.
        public var title = ""
        /// Description, or readable text of a page.
        public var text = ""
        /// Text that was read off the picture.
        public var transcription = ""
        /// A book's title and authors.
        public var book: (title: String, authors: [String])?
        /// Books that were named on it.
        public var bookCount = 0
        /// Name of the site of a page.
        public var site = ""
        /// The code that it is, or codes that were found on it.
        public var codes: [Code] = []
        /// Title and artists of music.
        public var music: (title: String, artists: [String])?
        /// Name of the place.
        public var place = ""
        /// Classes that providers gave.
        public var categories: [String] = []
        /// Weather in words.
        public var weather = ""

        /// Creates an item at a time.
        public init(time: Date) { self.time = time }
    }

    /// Items in the order in which they were captured.
    public var items: [Item] = []
    /// Names of the user's concepts with their weights.
    public var concepts: [(name: String, weight: Double)] = []
    /// Private texts such as the home address, which a narrative must not contain.
    public var secrets: [String] = []

    /// Creates an input of nothing.
    public init() {}
}

/// Generator of narratives.
public protocol NarrativeGenerator: Sendable {
    /// Source that narratives of this generator name: "rules", or a model's name.
    var name: String { get }
    /// Returns a narrative of captured items.
    func narrative(of input: NarrativeInput) async throws -> Narrative
}

/// Text that is safe to show: one line, no control characters, no direction marks.
package enum PlainText {
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x115F, 0x1160, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069,
            0x2800, 0x3164,
            0xFEFF, 0xFFA0, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Returns the UTF-8 bytes of the longest text with a number of characters: one may carry any number of marks.
    static func bytes(of characters: Int) -> Int { characters * 4 }

    /// Returns the beginning of a text, limited by its characters and by the bytes that those may have.
    static func bounded(_ text: String, most: Int) -> String {
        var left = bytes(of: most)
        let scalars = text.unicodeScalars.prefix { scalar in
            left -= scalar.utf8.count
            return left >= 0
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(most))
    }

    /// Returns a text on one line, cut between words to a maximum number of characters.
    package static func line(_ text: String, most: Int) -> String {
        // Bounded first: a text may be of any length.
        let bounded = text.unicodeScalars.prefix(most * 8).map { isForbidden($0) ? " " : Character($0) }
        let words = String(bounded).split(whereSeparator: \.isWhitespace)
        var line = ""
        for word in words {
            let next = line.isEmpty ? String(word) : "\(line) \(word)"
            guard next.count <= most, next.utf8.count <= bytes(of: most) else { break }
            line = next
        }
        if line.isEmpty, let first = words.first { line = Self.bounded(String(first), most: most) }
        return line
    }

    /// Returns a sentence: a line that ends with a full stop.
    static func sentence(_ text: String, most: Int) -> String {
        var line = line(text, most: most - 1)
        while let last = line.last, ".!?,;: ".contains(last) { line.removeLast() }
        return line.isEmpty ? "" : line + "."
    }
}
