import Basics
import CaptureReading
import ContextSpace
import Foundation

/// Narrator by rules of known facts only: deterministic, and always valid.
package struct RuleNarrator: NarrativeGenerator {
    package init() {}

    package var name: String { "rules" }

    package func narrative(of input: NarrativeInput) async -> Narrative { tell(input) }

    package func tell(_ input: NarrativeInput) -> Narrative {
        let story = Story(input)
        var statements = PlainText.unique(
            story.statements.map { cleaned($0, input, most: Narrative.mostStatement) }
        )
        if statements.isEmpty { statements = [story.hasSecret ? Self.keptBack : Self.nothing(input.items.count)] }
        let purpose = Intent.of(input).map { Self.purpose($0, input) }
        let places = PlainText.unique(input.items.map { $0.isHome ? "home" : $0.place })
            .prefix(Narrative.mostStatements)
            .map { cleaned("At \($0)", input, most: Narrative.mostStatement) }.filter { !$0.isEmpty }
        var narrative = Narrative(
            summary: summary(input, story, statements),
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

    /// Returns an intent with its subject, where a concept or a class names one ("Researching volcanoes").
    private static func purpose(_ intent: Intent, _ input: NarrativeInput) -> String {
        guard [.researching, .coding, .shopping].contains(intent) else { return intent.rawValue }
        let text = input.items.flatMap { [$0.title, $0.text, $0.transcription] }.map { $0.bounded(to: 20_000) }
            .joined(separator: " ")
        let stems = WordStem.key(text)
        let concept = input.concepts.first { concept in
            concept.name.lowercased() != intent.rawValue.lowercased() && !isSecret(concept.name, input)
                && Intent(rawValue: PlainText.capitalised(concept.name.lowercased())) == nil
                && WordStem.contains(concept.name, in: stems)
        }
        guard let concept else { return intent.rawValue }
        return PlainText.line(
            "\(intent.rawValue) \(intent == .shopping ? "for " : "")\(concept.name)",
            most: Narrative.mostPurpose
        )
    }

    private static let keptBack = "[redacted]."

    private static func nothing(_ count: Int) -> String {
        count == 1 ? "A picture with unknown content." : "Pictures with unknown content."
    }

    /// Returns the story of the captures; of one capture, its statement and the best sentences of its text.
    private func summary(_ input: NarrativeInput, _ story: Story, _ statements: [String]) -> String {
        switch input.scope {
        case .day:
            let text = story.text(most: Narrative.mostStory, names: 12)
            return text.known ?? statements[0]
        case .session where input.items.count > 1:
            let text = story.text(most: Narrative.mostSummary, names: 6)
            return text.known ?? statements[0]
        case .item, .session: break
        }
        var summary = statements[0]
        let texts = input.items.prefix(1).filter { !$0.isNote }.map(\.text).joined(separator: "\n")
        for sentence in TextRank.sentences(of: texts, count: 2, shown: { PlainText.line($0, most: 1_000) }) {
            let sentence = cleaned(sentence, input, most: 160)
            let next = "\(summary) \(sentence)"
            guard !sentence.isEmpty, !summary.contains(sentence.dropLast()), next.count <= Narrative.mostSummary,
                next.utf8.count <= PlainText.bytes(of: Narrative.mostSummary)
            else { continue }
            summary = next
        }
        return summary
    }

    /// Returns tags of the captures, the most frequent first; concepts above 1.2 count by their weight.
    private func tags(_ input: NarrativeInput) -> [String] {
        var counts: [String: (name: String, count: Double, order: Int)] = [:]
        func add(_ name: String, _ weight: Double) {
            let tag = PlainText.line(name, most: Narrative.mostTag)
            // A tag is whole, and has a letter.
            guard tag.count > 1, !tag.hasSuffix("…"), tag.contains(where: \.isLetter), !Self.isSecret(tag, input)
            else { return }
            let order = counts.count
            counts[tag.lowercased(), default: (tag, 0, order)].count += weight
        }
        for item in input.items {
            for category in item.categories { add(category, 1) }
            if let thing = item.thing, thing.isSure { add(PlainText.capitalised(thing.name), 1) }
            if item.bookCount > 0 || item.book != nil { add("Books", 1) }
            if item.music != nil { add("Music", 1) }
        }
        if let intent = Intent.of(input) { add(intent.rawValue, 0.9) }
        let text = input.items.flatMap { [$0.title, $0.text, $0.transcription, $0.book?.title ?? ""] }
            .map { $0.bounded(to: 20_000) }.joined(separator: " ")
        let words = WordStem.key(text)
        let isHome = input.items.contains(where: \.isHome)
        // A tag does not go when another capture is deleted.
        for concept in input.concepts where concept.isOwn || concept.isOfHome {
            guard concept.isNear || WordStem.contains(concept.name, in: words) else { continue }
            // At home, concepts of home come first.
            let weight = ConceptWeight.isBoosted(concept.weight) ? concept.weight : 0.5
            add(concept.name, isHome && concept.isOfHome ? weight * ConceptWeight.home : weight)
        }
        return counts.values.sorted { ($1.count, $0.order) < ($0.count, $1.order) }.prefix(Narrative.mostTags).map(
            \.name
        )
    }

    /// Returns a quoted name of a model's narrative that is in none of the facts; nil where all are.
    static func invented(_ narrative: Narrative, _ input: NarrativeInput) -> String? {
        let facts =
            input.items.flatMap { item -> [String] in
                let books = item.books + [item.book].compactMap(\.self)
                return [
                    item.title, item.text.bounded(to: 20_000), item.transcription.bounded(to: 20_000), item.site,
                    item.place,
                ]
                    + books.flatMap { [$0.title] + $0.authors } + item.codes.flatMap { [$0.name, $0.content] }
                    + [item.music?.title ?? "", item.thing?.name ?? ""]
            } + input.before.flatMap { [$0.title, $0.book?.title ?? ""] }
        let known = facts.map { FoldedText.key($0) }.joined(separator: " | ")
        return ([narrative.summary] + narrative.statements).joined(separator: " ").matches(of: /“([^”]*)”/)
            .map { String($0.1) }.first { !known.contains(FoldedText.key($0)) }
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
}
