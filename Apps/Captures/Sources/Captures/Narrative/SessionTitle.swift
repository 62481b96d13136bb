import Basics
import CaptureReading
import Foundation

/// Title of a session by what sets it apart from the person's other sessions.
///
/// Candidates are the names of its captures, its place and its tags; each counts by its weight times ln((1 + sessions)
/// / (1 + sessions with it)), as in tf-idf (Salton and Buckley, "Term-weighting approaches in automatic text
/// retrieval", Information Processing & Management 24 (1988), 513–523).
enum SessionTitle {
    struct Candidate: Equatable {
        enum Origin: Double {
            case name = 1
            case thing = 0.7
            case place = 0.6
            /// Beginning of a text that was read, or content of a code.
            case text = 0.5
            case tag = 0.3
        }

        var text: String
        var origin: Origin
    }

    static let most = 60
    /// The newest captures, whose names are candidates.
    private static let mostItems = 12

    /// Returns what a session may be called, each once.
    static func candidates(_ input: NarrativeInput, tags: [String]) -> [Candidate] {
        let redactor = Redactor(input.secrets)
        var candidates: [Candidate] = []
        var seen: Set<String> = []
        func add(_ text: String, _ origin: Candidate.Origin) {
            let text = PlainText.line(text, most: most)
            guard text.contains(where: { $0.isLetter || origin == .name && $0.isNumber }), !redactor.isSaid(in: text),
                seen.insert(text.lowercased()).inserted
            else { return }
            candidates.append(Candidate(text: text, origin: origin))
        }
        for item in input.items.suffix(mostItems).reversed() {
            if item.bookCount > 1 { for book in item.books.prefix(3) { add(book.title, .name) } }
            if let book = item.book { add(book.title, .name) }
            if let music = item.music { add(music.title, .name) }
            for code in item.codes where !code.isPartial {
                switch code.subject {
                case .book, .product: add(code.name, .name)
                case .meaning: add(code.content, .name)
                case .page, .text: add(code.content, .text)
                }
            }
            if item.book == nil, item.music == nil, item.codes.isEmpty, item.bookCount < 2 {
                let isWeak = EnrichmentData.isWeak(title: item.title)
                if item.title.known != nil, !isWeak || item.label == "web" { add(item.title, isWeak ? .text : .name) }
                let lines = item.transcription.bounded(to: 600).split(whereSeparator: \.isNewline)
                // Signs and digits are noise more often than a heading.
                if item.title.known == nil,
                    let line = lines.first(where: { $0.count > 3 && 2 * $0.count(where: \.isLetter) > $0.count })
                {
                    add(String(line), .text)
                }
            }
            if let thing = item.thing, thing.isSure { add(PlainText.capitalised(thing.name), .thing) }
        }
        for item in input.items.suffix(mostItems) where !item.isHome { add(item.place, .place) }
        for tag in tags { add(tag, .tag) }
        return candidates
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
        default: "\(title), \(NumberWords.ordinal(earlier + 1)) time"
        }
    }
}
