import Basics
import CaptureReading
import Foundation

/// Story of captures in whole sentences: the rarest first, and of equally rare ones the newest; by place and purpose;
/// nothing twice; what is not named is counted.
struct Story {
    private let input: NarrativeInput
    private var deeds: [Deed] = []
    /// Whether a capture is left out for a secret in it.
    private(set) var hasSecret = false

    /// Creates a story of the captures of an input; deeds with a secret are left out.
    init(_ input: NarrativeInput) {
        self.input = input
        let redactor = Redactor(input.secrets)
        var places: [String: Int] = [:]
        for item in input.items {
            var deed = Deed(item, counts: input.counts)
            deed.books.removeAll { redactor.isSaid(in: $0.name + Deed.by($0.people)) }
            if redactor.isSaid(in: deed.place) { deed.place = "" }
            if redactor.isSaid(in: deed.statement) {
                hasSecret = true
                (deed.people, deed.site) = ([], "")
                if redactor.isSaid(in: deed.statement) {
                    (deed.act, deed.name, deed.lead, deed.more) = (.unknown, "", "", "")
                }
            }
            if deed.act != .unknown, let same = places[deed.key] {
                deeds[same].times += deed.times
                deeds[same].count = min(deeds[same].count, deed.count)
                if deeds[same].place.isEmpty { (deeds[same].place, deeds[same].isHome) = (deed.place, deed.isHome) }
            } else {
                if deed.act != .unknown { places[deed.key] = deeds.count }
                deeds.append(deed)
            }
        }
        // The rarest first; of equals the newest, and of one moment the one that came last.
        deeds = deeds.enumerated().sorted { one, other in
            let (a, b) = (one.element, other.element)
            return (a.count, b.times.max() ?? .distantPast, other.offset)
                < (b.count, a.times.max() ?? .distantPast, one.offset)
        }.map(\.element)
    }

    /// Statements about single captures, in the order of the story.
    var statements: [String] { deeds.filter { $0.act != .unknown }.map(\.statement) }

    /// Returns the story in at most `most` characters: as many things are named as there is room for, at most `names`.
    func text(most: Int, names: Int) -> String {
        let known = deeds.count { $0.act != .unknown }
        for count in stride(from: min(names, known), through: 1, by: -1) {
            let text = self.text(naming: count)
            if text.count <= most, text.utf8.count <= PlainText.bytes(of: most) { return text }
        }
        let text = self.text(naming: min(1, known))
        return text.count <= most ? text : PlainText.sentence(text, most: most)
    }

    // MARK: - Sentences

    private func text(naming count: Int) -> String {
        let named = deeds.filter { $0.act != .unknown }.prefix(count)
        let rest = deeds.filter { $0.act == .unknown } + deeds.filter { $0.act != .unknown }.dropFirst(count)
        var writer = Writer(input: input, named: Set(named.filter { $0.act != .shelf }.map(\.key)))
        var groups: [(place: String, deeds: [Deed])] = []
        for deed in named {
            if let group = groups.firstIndex(where: { $0.place == deed.place }) {
                groups[group].deeds.append(deed)
            } else {
                groups.append((deed.place, [deed]))
            }
        }
        for group in groups { writer.add(group.deeds) }
        writer.count(rest)
        if input.scope == .day { writer.surroundings() }
        return writer.sentences.joined(separator: " ")
    }
}

/// Writer of a story's sentences, which remembers the names that it has used.
private struct Writer {
    let input: NarrativeInput
    var sentences: [String] = []
    /// Names that were said, folded: titles, people, sites, places.
    private var said: Set<String> = []
    /// Names of single captures, which a shelf does not name.
    private let named: Set<String>

    init(input: NarrativeInput, named: Set<String>) { (self.input, self.named) = (input, named) }

    /// Adds the deeds of one place.
    mutating func add(_ deeds: [Deed]) {
        guard let first = deeds.first else { return }
        let parts = Set(deeds.flatMap(\.times).map(input.part))
        let part = input.scope == .day && parts.count == 1 ? parts.first : nil
        var opening = [part.map { "in the \($0)" }, place(first)].compactMap(\.self)
        var phrases: [String] = []
        for act in Deed.Act.allCases where act != .shelf {
            let own = deeds.filter { $0.act == act }
            if !own.isEmpty { phrases += ["\(act.verb) \(objects(own))"] }
        }
        while !phrases.isEmpty {
            write(opening, PlainText.list(Array(phrases.prefix(3))))
            phrases.removeFirst(min(3, phrases.count))
            opening = first.place.isEmpty ? [] : ["there"]
        }
        let shelves = deeds.filter { $0.act == .shelf }
        if !shelves.isEmpty { write(opening, "\(Deed.Act.shelf.verb) \(books(of: shelves))") }
    }

    /// Adds the number of captures that are not named.
    mutating func count(_ rest: [Deed]) {
        guard !rest.isEmpty || input.omitted > 0 else { return }
        var more = Deed.Act.allCases.compactMap { act -> String? in
            let count = rest.filter { $0.kind == act }.reduce(0) { $0 + $1.times.count }
            return count == 0 ? nil : act.noun(count)
        }
        if input.omitted > 0 { more.append("\(input.omitted) earlier thing\(input.omitted == 1 ? "" : "s")") }
        let isAll = sentences.isEmpty
        sentences.append("You \(isAll ? "captured" : "also captured") \(PlainText.list(more)).")
    }

    /// Adds the weather of the day.
    mutating func surroundings() {
        var parts: [String] = []
        let skies = PlainText.unique(input.items.map { $0.weather.lowercased() }).filter { $0 != "unknown" }.prefix(2)
        let adjectives = skies.filter { $0.hasSuffix("y") }
        let nouns = skies.filter { !$0.hasSuffix("y") }
        if !adjectives.isEmpty { parts.append("it was \(PlainText.list(Array(adjectives)))") }
        if !nouns.isEmpty {
            parts.append("there was \(PlainText.list(nouns.map { $0 == "thunderstorm" ? "a thunderstorm" : $0 }))")
        }
        guard !parts.isEmpty else { return }
        let text = PlainText.capitalised(PlainText.list(parts)) + "."
        if !Redactor(input.secrets).isSaid(in: text) { sentences.append(text) }
    }

    private mutating func write(_ opening: [String], _ deed: String) {
        let also = opening.isEmpty && !sentences.isEmpty || opening == ["there"] ? "also " : ""
        let lead = opening.isEmpty ? "" : opening.joined(separator: ", ") + ", "
        sentences.append(PlainText.capitalised("\(lead)you \(also)\(deed)") + PlainText.stop(after: deed))
    }

    /// Returns "at Café Central", once with "for the third time this week" where it is.
    private mutating func place(_ deed: Deed) -> String? {
        if deed.isHome { return "at home" }
        guard let name = new([PlainText.name(deed.place)]).first else { return nil }
        let earlier = input.recent[FoldedText.key(deed.place)] ?? 0
        guard earlier > 1, !new([" this week"]).isEmpty else { return "at \(name)" }
        return "at \(name), for the \(NumberWords.ordinal(earlier + 1)) time this week"
    }

    /// Returns the things of one verb; those of the same people, site or kind share them.
    private mutating func objects(_ deeds: [Deed]) -> String {
        var groups: [(lead: String, heads: [Deed], people: [String], site: String)] = []
        for deed in deeds {
            let isShared = !(deed.people.isEmpty && deed.site.isEmpty && deed.brief.isEmpty)
            if isShared,
                let same = groups.firstIndex(where: {
                    $0.lead == deed.brief && $0.people == deed.people && $0.site == deed.site
                })
            {
                groups[same].heads.append(deed)
            } else {
                groups.append((deed.brief, [deed], deed.people, deed.site))
            }
        }
        return PlainText.list(
            groups.map { group in
                func often(_ deed: Deed) -> String {
                    deed.times.count > 1 ? " \(NumberWords.times(deed.times.count))" : ""
                }
                let isOne = group.heads.count == 1
                let heads = group.heads.map { $0.name + $0.more + (isOne ? "" : often($0)) }
                let lead = isOne ? group.lead : Deed.plurals[group.lead] ?? group.lead
                let site = new([group.site]).first.map { " on \($0)" } ?? ""
                return lead + PlainText.list(heads) + Deed.by(new(group.people)) + site
                    + (isOne ? often(group.heads[0]) : "")
            }
        )
    }

    /// Returns shelves with those of their books that are not named otherwise: three of one, two of each of several.
    private mutating func books(of shelves: [Deed]) -> String {
        var phrases: [String] = []
        for shelf in shelves {
            var left = shelves.count > 1 ? 2 : 3
            for book in shelf.books where left > 0 && !named.contains(FoldedText.key(book.name)) {
                guard !new([book.name]).isEmpty else { continue }
                phrases.append(book.name + Deed.by(new(book.people)))
                left -= 1
            }
        }
        let count = shelves.reduce(0) { $0 + $1.bookCount }
        // The second shelf is not described in the words of the first.
        let isFirst = !new([" shelf"]).isEmpty
        guard shelves.count == 1 else {
            let among = phrases.isEmpty ? "" : ", \(PlainText.list(phrases)) among them"
            return "\(NumberWords.of(shelves.count)) shelves with \(NumberWords.of(count)) books in all\(among)"
        }
        if isFirst || phrases.isEmpty { return Deed.shelf(phrases, of: count) }
        let rest = count - phrases.count
        return "another shelf: \(PlainText.list(phrases + (rest > 0 ? ["\(NumberWords.of(rest)) more"] : [])))"
    }

    /// Returns the names that were not said yet, and notes that they are.
    private mutating func new(_ names: [String]) -> [String] {
        names.filter { !$0.isEmpty && said.insert(FoldedText.key($0)).inserted }
    }
}

extension NarrativeInput {
    /// Returns the part of the day of a moment: "morning", "afternoon", "evening", "night".
    func part(of time: Date) -> String {
        switch calendar.component(.hour, from: time) {
        case 5..<12: "morning"
        case 12..<17: "afternoon"
        case 17..<23: "evening"
        default: "night"
        }
    }
}
