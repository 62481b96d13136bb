import Basics
import Foundation

/// Narrator by rules of known facts only: deterministic, and always valid.
package struct RuleNarrator: NarrativeGenerator {
    package init() {}

    package var name: String { "rules" }

    package func narrative(of input: NarrativeInput) async -> Narrative { tell(input) }

    package func tell(_ input: NarrativeInput) -> Narrative {
        var statements: [String] = []
        var isKeptBack = false
        for item in input.items {
            let whole = Self.statement(of: item)
            let statement = cleaned(whole, input, most: Narrative.mostStatement)
            if !statement.isEmpty, !statements.contains(statement) { statements.append(statement) }
            if statement.isEmpty, !whole.isEmpty { isKeptBack = true }
        }
        let purpose = Intent.of(input).flatMap(\.purpose)
        let places = Self.unique(input.items.map(\.place)).prefix(Narrative.mostStatements)
            .map { cleaned("At \($0)", input, most: Narrative.mostStatement) }.filter { !$0.isEmpty }
        if statements.isEmpty { statements = [isKeptBack ? Self.keptBack : Self.nothing(input.items.count)] }
        var narrative = Narrative(
            summary: summary(input, statements),
            statements: Array(statements.prefix(Narrative.mostStatements)),
            locationStatements: Array(places),
            purpose: purpose,
            tags: tags(input)
        )
        if Self.saysSecret(narrative, input) {
            // Spread over its parts.
            narrative = Narrative(summary: Self.keptBack, statements: [Self.keptBack])
        }
        narrative.narrator = name
        return narrative
    }

    /// Returns the statement of one item; "" when there are no facts.
    static func statement(of item: NarrativeInput.Item) -> String {
        func by(_ names: [String]) -> String {
            let names = names.filter { !$0.isEmpty }
            return names.isEmpty ? "" : " by \(names.prefix(2).joined(separator: " and "))"
        }
        if item.bookCount > 1 { return "A shelf with \(item.bookCount) identified books" }
        if let book = item.book, !book.title.isEmpty { return "Reading “\(book.title)”\(by(book.authors))" }
        if let music = item.music, !music.title.isEmpty { return "Listening to “\(music.title)”\(by(music.artists))" }
        if !item.site.isEmpty || item.label == "web" {
            let name = item.title.isEmpty ? item.site : "“\(item.title)”"
            let site = item.title.isEmpty || item.site.isEmpty ? "" : " on \(item.site)"
            return name.isEmpty ? "Opening a web page" : "Opening \(name)\(site)"
        }
        if let code = item.codes.first {
            return "Scanning \(words(for: code))" + (item.codes.count > 1 ? " and \(item.codes.count - 1) more" : "")
        }
        let first = PlainText.line(item.transcription, most: 80)
        switch item.label {
        case "page" where !first.isEmpty: return "Reading a page that begins “\(first)”"
        case "page": return "Reading a page"
        case "code": return "Scanning a code"
        // One letter or two are noise more often than text.
        default: return first.count(where: \.isLetter) < 3 ? "" : "A text that begins “\(first)”"
        }
    }

    private static func words(for code: NarrativeInput.Code) -> String {
        let content = PlainText.line(code.content, most: 80)
        let name = PlainText.line(code.name, most: 80)
        if code.isPartial {
            return "one of several codes with parts of a text, of which others are missing: “\(content)”"
        }
        switch code.subject {
        case .book: return name.isEmpty ? "the code of a book, \(content)" : "the code of the book “\(name)”"
        case .product: return name.isEmpty ? "the code of a product, \(content)" : "the code of the product “\(name)”"
        case .page: return "a code that leads to “\(content)”"
        case .text: return "a code with the text “\(content)”"
        }
    }

    private static let keptBack = "[redacted]."

    private static func nothing(_ count: Int) -> String {
        count == 1 ? "A picture with unknown content." : "Pictures with unknown content."
    }

    /// Returns the statements as sentences, and the most frequent words of the texts.
    private func summary(_ input: NarrativeInput, _ statements: [String]) -> String {
        var parts = Array(statements.prefix(3))
        if statements.count > 3 { parts.append("And \(statements.count - 3) more.") }
        let texts = Self.unique(input.items.map(\.text)).joined(separator: "\n")
        for sentence in TextRank.sentences(of: texts, count: 2) {
            let sentence = cleaned(sentence, input, most: 160)
            if !sentence.isEmpty { parts.append(sentence) }
        }
        var summary = ""
        for part in parts {
            let next = summary.isEmpty ? part : "\(summary) \(part)"
            guard next.count <= Narrative.mostSummary, next.utf8.count <= PlainText.bytes(of: Narrative.mostSummary)
            else { break }
            summary = next
        }
        return summary
    }

    /// Returns tags of the captures, the most frequent first; concepts above 1.2 count by their weight.
    private func tags(_ input: NarrativeInput) -> [String] {
        var counts: [String: (name: String, count: Double, order: Int)] = [:]
        func add(_ name: String, _ weight: Double) {
            let tag = PlainText.line(name, most: Narrative.mostTag)
            guard tag.count > 1, !Self.isSecret(tag, input) else { return }
            let order = counts.count
            counts[tag.lowercased(), default: (tag, 0, order)].count += weight
        }
        for item in input.items {
            for category in item.categories { add(category, 1) }
            if item.bookCount > 0 || item.book != nil { add("Books", 1) }
            if item.music != nil { add("Music", 1) }
        }
        if let intent = Intent.of(input) { add(intent.rawValue, 0.9) }
        let text = input.items.flatMap { [$0.title, $0.text, $0.transcription, $0.book?.title ?? ""] }
            .map { $0.bounded(to: 20_000) }.joined(separator: " ")
        let words = " \(FoldedText.key(text)) "
        for concept in input.concepts where words.contains(" \(FoldedText.key(concept.name)) ") {
            add(concept.name, concept.weight > 1.2 ? concept.weight : 0.5)
        }
        return counts.values.sorted { ($1.count, $0.order) < ($0.count, $1.order) }.prefix(Narrative.mostTags).map(
            \.name
        )
    }

    static func saysSecret(_ narrative: Narrative, _ input: NarrativeInput) -> Bool {
        let texts = [narrative.summary, narrative.purpose ?? ""] + narrative.statements + narrative.locationStatements
        return isSecret((texts + narrative.tags).joined(separator: " "), input)
    }

    private func cleaned(_ text: String, _ input: NarrativeInput, most: Int) -> String {
        let sentence = PlainText.sentence(text, most: most)
        return Self.isSecret(sentence, input) ? "" : sentence
    }

    static func isSecret(_ text: String, _ input: NarrativeInput) -> Bool {
        Redactor(input.secrets).isSaid(in: text)
    }

    static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
