import Foundation

/// Title of a session by what sets it apart from the person's other sessions.
///
/// Candidates are the names of its captures, its place and its tags; each counts by its weight times ln((1 + sessions)
/// / (1 + sessions with it)), as in tf-idf (Salton and Buckley, "Term-weighting approaches in automatic text
/// retrieval", Information Processing & Management 24 (1988), 513–523).
enum SessionTitle {
    /// What a title is made of; its value is the candidate's weight.
    enum Origin: Double {
        case name = 1
        case thing = 0.7
        case place = 0.6
        /// Beginning of a text that was read, or content of a code.
        case text = 0.5
        case tag = 0.3
    }

    struct Candidate: Equatable {
        var text: String
        var origin: Origin
    }

    static let most = 60

    /// Returns what a session may be called, each once: by its newest captures.
    static func candidates(_ input: NarrativeInput, tags: [String]) -> [Candidate] {
        let items = input.items.suffix(12)
        var named = items.reversed().flatMap(\.subject.titles)
        named += items.filter { !$0.isHome }.map { ($0.place, .place) } + tags.map { ($0, .tag) }
        var seen: Set<String> = []
        return named.map { Candidate(text: PlainText.line($0.text, most: most), origin: $0.origin) }.filter {
            $0.text.contains { $0.isLetter || $0.isNumber } && seen.insert($0.text.lowercased()).inserted
        }
    }

    /// Returns the title; nil without candidates.
    ///
    /// `sessions`: number of the person's other sessions; `others`: number of them with each candidate.
    static func title(_ candidates: [Candidate], captures: Int, sessions: Int, others: [Int]) -> String? {
        func score(_ index: Int) -> Double {
            // A little above 0 where all sessions have it: an unspecific title is better than none.
            candidates[index].origin.rawValue * (0.01 + log(Double(1 + sessions + 1) / Double(1 + others[index])))
        }
        let ranked = candidates.indices.sorted { (score($1), $0) < (score($0), $1) }.map { candidates[$0] }
        guard let first = ranked.first else { return nil }
        if captures < 2 || first.origin == .tag { return first.text }
        let names = ranked.filter { [.name, .thing, .text].contains($0.origin) }
        guard first.origin != .place else {
            return names.first.map { PlainText.line("\(first.text): \($0.text)", most: most) } ?? first.text
        }
        guard names.count > 1 else { return first.text }
        let rest = max(0, captures - 2)
        let title =
            "\(names[0].text)" + (rest == 0 ? " and " : ", ") + names[1].text + (rest == 0 ? "" : " and \(rest) more")
        let end = " and \(captures - 1) more"
        return title.count <= most ? title : PlainText.line(first.text, most: most - end.count) + end
    }

    /// Returns a title that `earlier` sessions have, too, as that of a later one: "Emma, again", "Emma, third time".
    static func repeated(_ title: String, earlier: Int) -> String {
        switch earlier {
        case 0: title
        case 1: "\(title), again"
        default: "\(title), \(ordinal(earlier + 1)) time"
        }
    }

    /// Returns "third" for 3, "11th" for 11.
    private static func ordinal(_ number: Int) -> String {
        let words = ["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
        if words.indices.contains(number - 3) { return words[number - 3] }
        let end = (11...13).contains(number % 100) ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "\(number)\(end)"
    }
}
