import Foundation

package struct Narrative: Codable, Sendable, Equatable {
    var summary: String
    /// Statements about visible content, most certain first ("Reading “Emma” by Jane Austen.").
    var statements: [String] = []
    /// Statements about the location ("At Café Central.").
    var locationStatements: [String] = []
    /// Purpose ("Reading novels"); nil when it is unknown.
    var purpose: String?
    var tags: [String] = []
    /// Generator of the text, if not the requested one: "rules" for a fallback; nil for the requested generator.
    var narrator: String?
    /// Reason why the requested generator produced nothing; nil when it did.
    var fallback: String?

    static let mostSummary = 400
    /// Statements of either kind at most.
    static let mostStatements = 2
    static let mostStatement = 200
    static let mostPurpose = 80
    static let mostTags = 5
    static let mostTag = 30

    /// Schema violations of the narrative; empty for a valid one.
    var problems: [String] {
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

package struct NarrativeInput: Sendable {
    struct Code: Sendable {
        enum Subject: Sendable {
            case book, product
            case page
            /// Any other text: only the content is known.
            case text
        }

        var content: String
        var subject: Subject
        /// Name of the book or product; "" where it is not known.
        var name: String
        /// Whether its content is a part of a text whose other parts are missing.
        var isPartial = false

        init(_ content: String, subject: Subject = .text, name: String = "") {
            (self.content, self.subject, self.name) = (content, subject, name)
        }
    }

    /// Facts about an item, enough for one sentence; unknown facts are empty.
    struct Item: Sendable {
        var time: Date
        /// Label of the visible content ("bookshelf"), "" or "unknown" for none.
        var label = ""
        var title = ""
        /// Description, or readable text of a page.
        var text = ""
        /// Text that was read off the picture.
        var transcription = ""
        var book: (title: String, authors: [String])?
        /// Books that were named on it.
        var bookCount = 0
        /// Name of the site of a page.
        var site = ""
        /// The code that it is, or codes that were found on it.
        var codes: [Code] = []
        var music: (title: String, artists: [String])?
        var place = ""
        /// Classes that providers gave.
        var categories: [String] = []
        var weather = ""
    }

    /// Items in the order in which they were captured.
    var items: [Item] = []
    var concepts: [(name: String, weight: Double)] = []
    /// Private texts such as the home address, which a narrative must not contain.
    var secrets: [String] = []
}

package protocol NarrativeGenerator: Sendable {
    /// Source that narratives of this generator name: "rules", or a model's name.
    var name: String { get }
    func narrative(of input: NarrativeInput) async throws -> Narrative
}

/// Text that is safe to show: one line, no control characters, no direction marks.
enum PlainText {
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

    /// Returns a text on one line, cut between words to a maximum number of characters.
    static func line(_ text: String, most: Int) -> String {
        // Bounded first: a text may be of any length.
        let bounded = text.unicodeScalars.prefix(most * 8).map { isForbidden($0) ? " " : Character($0) }
        let words = String(bounded).split(whereSeparator: \.isWhitespace)
        var line = ""
        for word in words {
            let next = line.isEmpty ? String(word) : "\(line) \(word)"
            guard next.count <= most, next.utf8.count <= bytes(of: most) else { break }
            line = next
        }
        if line.isEmpty, let first = words.first { line = String(first).bounded(to: most) }
        return line
    }

    /// Returns a sentence: a line that ends with a full stop.
    static func sentence(_ text: String, most: Int) -> String {
        var line = line(text, most: most - 1)
        while let last = line.last, ".!?,;: ".contains(last) { line.removeLast() }
        return line.isEmpty ? "" : line + "."
    }
}
