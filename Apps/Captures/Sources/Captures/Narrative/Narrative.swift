import Basics
import CaptureReading
import CaptureSpace
import Foundation

package struct Narrative: Sendable, Equatable {
    var summary: String
    /// Statements about visible content, most certain first ("Reading “Emma” by Jane Austen.").
    var statements: [String] = []
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
    static let mostStatements = 2
    static let mostStatement = 200
    static let mostPurpose = 80
    static let mostTags = 5
    static let mostTag = 30

    /// Returns the schema violations of a narrative; empty for a valid one.
    func problems(of scope: NarrativeInput.Scope = .item) -> [String] {
        var problems: [String] = []
        func check(_ name: String, _ text: String, _ most: Int) {
            if text.allSatisfy(\.isWhitespace) { problems.append("\(name) is empty") }
            if text.count > most { problems.append("\(name) has \(text.count) characters; at most \(most)") }
            let (bytes, mostBytes) = (text.utf8.count, PlainText.bytes(of: most))
            if bytes > mostBytes { problems.append("\(name) has \(bytes) bytes; at most \(mostBytes)") }
            if text.unicodeScalars.contains(where: SafeText.isForbidden) {
                problems.append("\(name) has control characters")
            }
        }
        let mostSummary = scope == .day ? Self.mostStory : Self.mostSummary
        check("summary", summary, mostSummary)
        if scope == .day, !PlainText.isEnded(summary) { problems.append("summary does not end with a full stop") }
        if statements.isEmpty { problems.append("no statement") }
        if statements.count > Self.mostStatements { problems.append("\(statements.count) statements") }
        for text in statements {
            check("statement", text, Self.mostStatement)
            if !PlainText.isEnded(text) { problems.append("statement does not end with a full stop") }
        }
        if let purpose { check("purpose", purpose, Self.mostPurpose) }
        if tags.count > Self.mostTags { problems.append("\(tags.count) tags") }
        for tag in tags { check("tag", tag, Self.mostTag) }
        if Set(tags.map { $0.lowercased() }).count < tags.count { problems.append("duplicate tag") }
        return problems
    }
}

/// Facts about captures as a narrator gets them: without secrets.
package struct NarrativeInput: Sendable {
    /// Part of a person's captures that is narrated.
    enum Scope: Sendable {
        case item, session, day
    }

    /// Facts about an item, enough for one sentence; unknown facts are empty.
    struct Item: Sendable {
        var time: Date
        var subject = Subject(.unknown)
        /// Description, or readable text of a page.
        var text = ""
        /// Text that was read off the picture, or that its owner wrote.
        var written = ""
        var place = ""
        var isHome = false
        /// Classes that providers gave.
        var categories: [String] = []
        /// Purpose, once it is known.
        var intent: Intent?
        /// Kind, tags, categories and labels, by whose counts it is rare or common.
        var features: Set<String> = []
        /// Whether its name has a secret, and is left out.
        var isRedacted = false

        /// Its words, in which its purpose and concepts show.
        var words: String {
            [subject.words, text, written].filter { !$0.isEmpty }.map { $0.bounded(to: 20_000) }.joined(separator: ". ")
        }
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

    var scope: Scope
    /// Items in the order in which they were captured.
    var items: [Item]
    /// Number of earlier captures of the day that are not among the items.
    var omitted = 0
    /// Number of the person's captures by feature, the items included.
    var counts: [String: Int] = [:]
    var concepts: [Concept]
    /// Tags that the person has removed from the items, in lower case.
    var removedTags: Set<String> = []

    /// The purpose that most items have; nil for a tie, or where fewer than a third have it.
    var intent: Intent? {
        let counts = Dictionary(grouping: items.compactMap(\.intent), by: \.self).mapValues(\.count)
        guard let most = counts.values.max(), 3 * most >= items.count, counts.values.count(where: { $0 == most }) == 1
        else { return nil }
        return counts.first { $0.value == most }?.key
    }

    /// Creates the facts of items without private texts, such as the home's address: what has one is left out.
    init(_ items: [Item] = [], scope: Scope = .item, concepts: [Concept] = [], secrets: [String] = []) {
        let redactor = Redactor(secrets)
        self.scope = scope
        self.items = secrets.isEmpty ? items : items.map { $0.redacted(by: redactor) }
        self.concepts = concepts.filter { !redactor.isSaid(in: $0.name) }
    }
}

extension NarrativeInput.Item {
    /// Creates the facts of an item with those that were found in it.
    init(_ item: CapturedItem, children: [CapturedItem] = []) {
        self.init(time: item.capturedAt, subject: Subject(item, children: children))
        let facts = item.enrichment
        text = facts.webContext?.textContent ?? facts.descriptionText ?? ""
        // Of a spine that nobody identified, few letters are right.
        if subject.kind != .unidentified { written = item.media.transcription ?? "" }
        written = TextSecrets(in: written.bounded(to: 20_000)).redacted
        place = facts.placeContext?.name ?? ""
        isHome = facts.placeContext?.isHome ?? false
        categories = facts.categories
        features = item.features
        intent = subject.intent ?? item.purposes.first.flatMap { Intent(rawValue: $0) }
    }

    /// Returns it without what has a secret, or a secret that is spread over several of its texts.
    fileprivate func redacted(by redactor: Redactor) -> Self {
        var item = self
        func kept(_ text: String) -> String {
            guard redactor.isSaid(in: text) else { return text }
            let lines = text.split(whereSeparator: \.isNewline).filter { !redactor.isSaid(in: String($0)) }
            let rest = lines.joined(separator: "\n")
            return redactor.isSaid(in: rest) ? "" : rest
        }
        func isSaid(in texts: [String]) -> Bool { redactor.isSaid(in: texts.joined(separator: " ")) }
        (item.text, item.written) = (kept(text), kept(written))
        if isSaid(in: [place]) { item.place = "" }
        if isSaid(in: categories) { item.categories = [] }
        item.subject.books.removeAll { isSaid(in: [$0.title] + $0.makers) }
        if isSaid(in: item.subject.texts) { (item.subject, item.isRedacted) = (subject.anonymous, true) }
        if isSaid(in: item.subject.texts + [item.place] + item.categories + [item.text, item.written]) {
            (item.subject, item.isRedacted) = (subject.anonymous, true)
            (item.text, item.written, item.place, item.categories) = ("", "", "", [])
        }
        return item
    }
}

package protocol NarrativeGenerator: Sendable {
    /// Source that narratives of this generator name: "rules", or a model's name.
    var name: String { get }
    func narrative(of input: NarrativeInput) async throws -> Narrative
}

/// Texts of a narrative: on one line, and bounded.
enum PlainText {
    /// Returns the UTF-8 bytes of the longest text with a number of characters: one may carry any number of marks.
    static func bytes(of characters: Int) -> Int { characters * 4 }

    /// Returns a text on one line, cut between words to a maximum number of characters, "…" for the cut included.
    static func line(_ text: String, most: Int) -> String {
        // Bounded first: a text may be of any length.
        let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(most * 8)))
        let words = SafeText.collapsed(bounded).split(separator: " ")
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
