import Basics
import CaptureSpace

/// Narrator by rules of known facts only: deterministic, and always valid.
package struct RuleNarrator: NarrativeGenerator {
    package init() {}

    package var name: String { "rules" }

    package func narrative(of input: NarrativeInput) -> Narrative {
        let story = Story(input)
        var statements = PlainText.unique(story.statements)
        if statements.isEmpty {
            let text = input.items.count == 1 ? input.items[0].subject.sentence : story.text(most: 200, names: 0)
            let isRedacted = input.items.contains(where: \.isRedacted) && input.items.count == 1
            statements = [isRedacted ? "[redacted]." : text.known ?? "Pictures with unknown content."]
        }
        return Narrative(
            summary: summary(input, story, statements[0]),
            statements: Array(statements.prefix(Narrative.mostStatements)),
            purpose: input.intent?.rawValue,
            tags: tags(input),
            narrator: name
        )
    }

    /// Returns the story of the captures; of one capture, its statement and the best sentences of its text.
    private func summary(_ input: NarrativeInput, _ story: Story, _ statement: String) -> String {
        if input.scope == .day || input.scope == .session && input.items.count > 1 {
            let most = input.scope == .day ? Narrative.mostStory : Narrative.mostSummary
            return story.text(most: most, names: 6).known ?? statement
        }
        var summary = statement
        let text = input.items.first?.text ?? ""
        for sentence in TextRank.sentences(of: text, count: 2, shown: { PlainText.line($0, most: 1_000) }) {
            let sentence = PlainText.sentence(sentence, most: 160)
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
            guard tag.count > 1, !tag.hasSuffix("…"), tag.contains(where: \.isLetter) else { return }
            let order = counts.count
            counts[tag.lowercased(), default: (tag, 0, order)].count += weight
        }
        for item in input.items {
            for category in item.categories { add(category, 1) }
            switch item.subject.kind {
            case .thing where item.subject.isSure: add(PlainText.capitalised(item.subject.text), 1)
            case .book, .shelf: add("Books", 1)
            case .music: add("Music", 1)
            default: break
            }
        }
        if let intent = input.intent { add(intent.rawValue, 0.9) }
        let words = WordStem.key(input.items.map(\.words).joined(separator: " "))
        let isHome = input.items.contains(where: \.isHome)
        // A tag does not go when another capture is deleted.
        for concept in input.concepts where concept.isOwn || concept.isOfHome {
            guard concept.isNear || WordStem.contains(concept.name, in: words) else { continue }
            // At home, concepts of home come first.
            let weight = ConceptWeight.isBoosted(concept.weight) ? concept.weight : 0.5
            add(concept.name, isHome && concept.isOfHome ? weight * ConceptWeight.home : weight)
        }
        let kept = counts.filter { !input.removedTags.contains($0.key) }.values
        return kept.sorted { ($1.count, $0.order) < ($0.count, $1.order) }.prefix(Narrative.mostTags).map(\.name)
    }

    /// Returns a quoted name of a model's narrative that is in none of the facts; nil where all are.
    static func invented(_ narrative: Narrative, _ input: NarrativeInput) -> String? {
        let facts = input.items.flatMap { $0.subject.texts + [$0.text, $0.written, $0.place] }
        let known = facts.map { FoldedText.key($0) }.joined(separator: " | ")
        return ([narrative.summary] + narrative.statements).joined(separator: " ").matches(of: /“([^”]*)”/)
            .map { String($0.1) }.first { !known.contains(FoldedText.key($0)) }
    }
}
