import ContextSpace
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
    /// Characters of a day's story.
    static let mostStory = 1_000
    /// Statements of either kind at most.
    static let mostStatements = 2
    static let mostStatement = 200
    static let mostPurpose = 80
    static let mostTags = 5
    static let mostTag = 30

    /// Schema violations of the narrative of an item or a session; empty for a valid one.
    var problems: [String] { problems(of: .item) }

    /// Returns the schema violations of a narrative; empty for a valid one.
    func problems(of scope: NarrativeInput.Scope) -> [String] {
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
        let mostSummary = scope == .day ? Self.mostStory : Self.mostSummary
        check("summary", summary, mostSummary)
        if scope == .day, !PlainText.isEnded(summary) { problems.append("summary does not end with a full stop") }
        if statements.isEmpty { problems.append("no statement") }
        for (name, list) in [("statement", statements), ("location statement", locationStatements)] {
            if list.count > Self.mostStatements { problems.append("\(list.count) \(name)s") }
            for text in list {
                check(name, text, Self.mostStatement)
                if !PlainText.isEnded(text) { problems.append("\(name) does not end with a full stop") }
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
            /// Content that phones understand: a network, a contact, a place.
            case meaning
            /// Any other text: only the content is known.
            case text
        }

        var content: String
        var subject: Subject
        /// Name of the book or product; "" where it is not known.
        var name: String
        /// Whether its content is a part of a text whose other parts are missing.
        var isPartial = false
        /// Authors of the book.
        var authors: [String] = []

        init(_ content: String, subject: Subject = .text, name: String = "") {
            (self.content, self.subject, self.name) = (content, subject, name)
        }
    }

    /// Part of a person's captures that is narrated.
    enum Scope: Sendable {
        case item, session, day
    }

    /// Thing that a picture shows.
    struct Thing: Sendable, Equatable {
        var name: String
        /// Confidence, 0 to 1.
        var confidence: Double

        /// Confidence from which a thing is stated; from ``leastPerhaps`` on it is stated as "perhaps".
        static let leastSure = 0.6
        static let leastPerhaps = 0.4

        var isSure: Bool { confidence >= Self.leastSure }

        /// The name with its article ("an astronaut"); plurals have none.
        var phrase: String {
            let name = String(PlainText.name(name).prefix { $0 != "(" }).trimmingSpace
            let isPlural = name.hasSuffix("s") && !["ss", "us", "is"].contains { name.hasSuffix($0) }
            if isPlural || name.isEmpty { return name }
            return (["a", "e", "i", "o", "u"].contains(name.prefix(1).lowercased()) ? "an " : "a ") + name
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
        /// Books on it, named or not.
        var bookCount = 0
        /// Books that were named on it.
        var books: [(title: String, authors: [String])] = []
        /// Thing with the highest confidence, of those that may be stated.
        var thing: Thing?
        /// Whether its page was reached, if it is an address.
        var isReached = true
        /// Whether its owner wrote it.
        var isNote = false
        /// Name of the site of a page.
        var site = ""
        var address = ""
        /// The code that it is, or codes that were found on it.
        var codes: [Code] = []
        var music: (title: String, artists: [String])?
        var place = ""
        /// Classes that providers gave.
        var categories: [String] = []
        var weather = ""
        var isHome = false
        /// Intent by meaning, which may be none; nil where the meaning is not known.
        var meaning: Intent??
        /// Kind, tags, categories and labels, by whose counts it is rare or common.
        var features: Set<String> = []
    }

    /// Concept of the person's own.
    struct Concept: Sendable {
        var name: String
        var weight: Double
        /// Whether the person has saved it; others came from captures and are deleted with them.
        var isOwn = true
        /// Whether it came from captures at home.
        var isOfHome = false
        /// Whether the item is near to it by meaning.
        var isNear = false
    }

    var scope = Scope.item
    /// Items in the order in which they were captured.
    var items: [Item] = []
    /// Number of earlier captures of the day that are not among the items.
    var omitted = 0
    /// Captures of the same session before the items, the last one last.
    var before: [Item] = []
    /// Number of the person's captures by feature, the items included.
    var counts: [String: Int] = [:]
    /// Number of earlier days with captures, of the last seven, by folded place.
    var recent: [String: Int] = [:]
    /// Calendar by which parts of the day and weekdays are named.
    var calendar = Calendar(identifier: .gregorian)
    var concepts: [Concept] = []
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

    /// Returns a text on one line, cut between words to a maximum number of characters, "…" for the cut included.
    static func line(_ text: String, most: Int) -> String {
        // Bounded first: a text may be of any length.
        let bounded = text.unicodeScalars.prefix(most * 8).map { isForbidden($0) ? " " : Character($0) }
        let words = String(bounded).split(whereSeparator: \.isWhitespace)
        var line = ""
        var (whole, isCut) = ("", false)
        for word in words {
            let next = whole.isEmpty ? String(word) : "\(whole) \(word)"
            guard next.count <= most, next.utf8.count <= bytes(of: most) else {
                isCut = true
                break
            }
            whole = next
            if next.count < most, next.utf8.count <= bytes(of: most) - 3 { line = next }
        }
        if !isCut { return whole }
        if line.isEmpty, let first = words.first { line = String(first).bounded(to: most - 1) }
        while let last = line.last, " .,;:–—-(“".contains(last) { line.removeLast() }
        return line + "…"
    }

    /// Returns a sentence of at most `most` characters; a longer one ends with "…" at a clause or a word.
    static func sentence(_ text: String, most: Int) -> String {
        var line = line(text, most: most - 1)
        if line.last == "…", let cut = cutAtClause(line) { line = cut }
        while let last = line.last, ",;: ".contains(last) { line.removeLast() }
        if !line.contains(where: { $0.isLetter || $0.isNumber || $0 == "]" }) { return "" }
        if line.filter({ $0 == "“" }).count > line.filter({ $0 == "”" }).count { line += "”" }
        return line + stop(after: line)
    }

    /// Returns a cut line without its last incomplete clause, where one ends in its second half; nil where none does.
    private static func cutAtClause(_ line: String) -> String? {
        guard let comma = line.lastIndex(where: { ",;:".contains($0) }),
            line.distance(from: line.startIndex, to: comma) > line.count / 2
        else { return nil }
        return line[..<comma] + "…"
    }

    /// Returns the full stop that a text lacks as a sentence; "" where it ends with a stop of any kind.
    static func stop(after text: String) -> String { isEnded(text) ? "" : "." }

    /// Returns whether a text ends with a stop.
    static func isEnded(_ text: String) -> Bool { text.last.map { ".!?…".contains($0) } ?? false }

    /// Returns a name on one line of at most 60 characters, without quotes; "" for none.
    static func name(_ text: String) -> String { line(text.replacing(/[“”"]/, with: ""), most: 60) }

    /// Returns a text in quotes, of at most 80 characters; its own quotes are single.
    static func quoted(_ text: String) -> String {
        let inner = text.bounded(to: 700).replacing("“", with: "‘").replacing("”", with: "’").replacing("\"", with: "’")
        return "“\(line(inner, most: 80))”"
    }

    static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// Returns a list in words: "a, b and c".
    static func list(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        // A part with its own "and" is set off.
        let isNested = parts.contains { outsideQuotes($0).contains(" and ") }
        return parts.dropLast().joined(separator: ", ") + (isNested ? ", and " : " and ") + last
    }

    private static func outsideQuotes(_ text: String) -> String { text.replacing(/“[^”]*”/, with: "") }

    /// Returns the texts that are not empty, each once.
    static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
