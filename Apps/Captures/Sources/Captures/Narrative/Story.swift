import Basics
import Foundation

/// Story of captures in at most three sentences, by their titles: the rarest first, and of equally rare ones the
/// newest; where it was; and the number of what is not named.
struct Story {
    private let input: NarrativeInput
    /// Captures of which something is said, each once.
    private var named: [NarrativeInput.Item] = []
    private var others: [NarrativeInput.Item] = []

    init(_ input: NarrativeInput) {
        self.input = input
        func rarity(_ item: NarrativeInput.Item) -> Int { item.features.map { input.counts[$0] ?? 1 }.min() ?? Int.max }
        // Of one moment, the one that came last.
        let sorted = input.items.enumerated().sorted { one, other in
            let (a, b) = (one.element, other.element)
            return (rarity(a), b.time, other.offset) < (rarity(b), a.time, one.offset)
        }.map(\.element)
        var seen: Set<String> = []
        for item in sorted {
            let subject = item.subject
            guard subject.isNamed else {
                others.append(item)
                continue
            }
            // A page that was opened twice is one, whatever its title was; a code is not its page.
            let key = "\(subject.kind == .code) \(subject.address.known ?? subject.key)"
            if seen.insert(key).inserted { named.append(item) }
        }
    }

    /// Statements about single captures, in the order of the story.
    var statements: [String] { named.map(\.subject.sentence) }

    /// Returns the story in at most `most` characters: as many things are named as there is room for, at most `names`.
    func text(most: Int, names: Int) -> String {
        for count in stride(from: min(names, named.count), through: 1, by: -1) {
            let text = self.text(naming: count)
            if text.count <= most, text.utf8.count <= PlainText.bytes(of: most) { return text }
        }
        return PlainText.sentence(text(naming: min(1, named.count)), most: most)
    }

    private func text(naming count: Int) -> String {
        var said: Set<String> = []
        func isNew(_ key: String) -> Bool { said.insert(key).inserted }
        var phrases: [(verb: String, objects: [String])] = []
        func add(_ object: String, _ kind: Subject.Kind) {
            if let same = phrases.firstIndex(where: { $0.verb == kind.words.verb }) {
                phrases[same].objects.append(object)
            } else {
                phrases.append((kind.words.verb, [object]))
            }
        }
        let (shown, rest) = (named.prefix(count).map(\.subject), named.dropFirst(count) + others)
        let shelves = shown.filter { $0.kind == .shelf }
        for subject in shown where subject.kind != .shelf && isNew(subject.key) {
            add(subject.object, subject.kind)
        }
        if !shelves.isEmpty {
            let books = shelves.flatMap(\.books).filter { isNew(FoldedText.key($0.title)) }.map {
                PlainText.quoted($0.title)
            }
            let all = shelves.reduce(0) { $0 + $1.count }
            add(Subject.shelf(books, of: all, shelves: shelves.count), .shelf)
        }
        var sentences: [String] = []
        if !phrases.isEmpty {
            let deeds = PlainText.list(phrases.map { "\($0.verb) \(PlainText.list($0.objects))" })
            sentences.append("You \(deeds)" + PlainText.stop(after: deeds))
        }
        if input.scope == .day {
            let places = PlainText.unique(input.items.map { $0.isHome ? "home" : PlainText.name($0.place) }).prefix(3)
            let names = places.filter { isNew(FoldedText.key($0)) }.map { "at \($0)" }
            if !names.isEmpty { sentences.append("You were \(PlainText.list(names)).") }
        }
        var more = PlainText.unique(rest.map(\.subject.kind.words.many)).map { many in
            let kinds = rest.map(\.subject.kind.words).filter { $0.many == many }
            return "\(NumberWords.of(kinds.count)) \(kinds.count == 1 ? kinds[0].one : many)"
        }
        if input.omitted > 0 { more.append("\(input.omitted) earlier thing\(input.omitted == 1 ? "" : "s")") }
        if !more.isEmpty {
            sentences.append("You \(phrases.isEmpty ? "captured" : "also captured") \(PlainText.list(more)).")
        }
        return sentences.joined(separator: " ")
    }
}
