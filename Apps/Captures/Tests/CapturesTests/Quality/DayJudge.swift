import Basics
import Foundation

/// Judge of a day's story by its text and the day's facts alone.
///
/// The rules are those of issue 35, written before the narrator that they judge: every name in it is of that day;
/// nothing twice; no broken sentence; the three rarest things are in.
struct DayJudge {
    /// A capture of a made day, with the names that it may be known by.
    struct Fact {
        /// Kind, categories and labels.
        var features: Set<String>
        /// Names of the capture, its parts, people, sites and places.
        var names: [String]
        /// Names that identify it; empty for a picture with unknown content.
        var identity: [String]
    }

    /// Captures of the day.
    var day: [Fact]
    /// Earlier captures of the same person.
    var history: [Fact]
    /// Names of all days of all people.
    var everyName: Set<String>

    /// Returns the violated rules with their places; empty for a good story.
    func faults(in text: String) -> [String] {
        strangers(in: text) + repetitions(in: text) + breaks(in: text) + missing(from: text)
    }

    // MARK: - Every name is of the day

    /// Returns the names that are not of the day: quoted texts that begin none of its names, and names of other days.
    private func strangers(in text: String) -> [String] {
        let own = day.flatMap(\.names)
        let folded = own.map { FoldedText($0).description }
        var faults: [String] = []
        for quote in quotes(of: text) {
            let cut = quote.hasSuffix("…")
            let words = FoldedText(quote).description
            let isOwn =
                cut
                ? folded.contains { $0.hasPrefix(words + " ") } : folded.contains { $0 == words || $0.contains(words) }
            if words.isEmpty || !isOwn { faults.append("not of this day, or cut within a word: “\(quote)”") }
        }
        let said = " \(FoldedText(text).description) "
        let all = " \(folded.joined(separator: " | ")) "
        for name in everyName {
            let words = FoldedText(name).description
            guard words.contains(" "), said.contains(" \(words) "), !all.contains(" \(words) ") else { continue }
            faults.append("not of this day: \(name)")
        }
        // A capital within a sentence is a name's.
        let known = Set(folded.flatMap { $0.split(separator: " ").map(String.init) })
        for sentence in sentences(of: outsideQuotes(text)) {
            for word in sentence.split(separator: " ").dropFirst() where word.first?.isUppercase == true {
                for part in FoldedText.words(of: String(word))
                where !known.contains(part) && !Self.calendar.contains(part) {
                    faults.append("not of this day: \(word)")
                }
            }
        }
        return faults
    }

    private static let calendar: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
        "april", "may", "june", "july", "august", "september", "october", "november", "december", "qr", "isbn",
    ]

    // MARK: - Nothing twice

    private func repetitions(in text: String) -> [String] {
        var faults: [String] = []
        let parts = sentences(of: text).map { FoldedText($0).description }
        for (sentence, group) in Dictionary(grouping: parts, by: \.self) where group.count > 1 {
            faults.append("said \(group.count) times: \(sentence)")
        }
        for (quote, group) in Dictionary(grouping: quotes(of: text), by: { FoldedText($0).description })
        where group.count > 1 {
            faults.append("named \(group.count) times: “\(quote)”")
        }
        // A name outside quotes, such as a place or an author, stands once, unless it is a part of another name.
        let said = " \(FoldedText(outsideQuotes(text)).description) "
        for name in Set(day.flatMap(\.names).map { FoldedText($0).description }) where name.count > 3 {
            let count =
                said.split(separator: " ", omittingEmptySubsequences: true).isEmpty
                ? 0 : said.ranges(of: " \(name) ").count
            let longer = Set(day.flatMap(\.names).map { FoldedText($0).description }).filter {
                $0 != name && " \($0) ".contains(" \(name) ") && said.contains(" \($0) ")
            }
            if count > 1 + longer.count { faults.append("named \(count) times: \(name)") }
        }
        // Six words in a row are no accident.
        let words = FoldedText.words(of: text)
        var seen: Set<[String]> = []
        for start in words.indices.dropLast(5) where !seen.insert(Array(words[start..<start + 6])).inserted {
            faults.append("said twice: \(words[start..<start + 6].joined(separator: " "))")
        }
        return faults
    }

    // MARK: - No broken sentence

    private func breaks(in text: String) -> [String] {
        var faults: [String] = []
        if text.isEmpty { return ["the story is empty"] }
        if text != text.split(whereSeparator: \.isWhitespace).joined(separator: " ") { faults.append("stray spaces") }
        for (open, close) in [("“", "”"), ("(", ")")] {
            var depth = 0
            for character in text {
                if String(character) == open { depth += 1 }
                if String(character) == close { depth -= 1 }
                if depth < 0 || depth > 1 && open == "“" { break }
            }
            if depth != 0 { faults.append("unbalanced \(open)\(close)") }
        }
        for wrong in ["“”", "“ ", " ”", " ,", " .", ",,", "..", ",.", ";.", ":.", "….", " and,", "…,…"]
        where text.contains(wrong) {
            faults.append("broken at ‘\(wrong)’")
        }
        for sentence in sentences(of: text) {
            guard let last = sentence.last(where: { $0 != "”" }) else { continue }
            if !".!?…".contains(last) { faults.append("no stop: \(sentence)") }
            let words = FoldedText.words(of: sentence)
            if words.count < 2 { faults.append("no sentence: \(sentence)") }
            if last != "…", let word = words.last, Self.openEnds.contains(word) {
                faults.append("a stop after a cut: \(sentence)")
            }
            if let first = sentence.first(where: { $0 != "“" }), first.isLowercase {
                faults.append("small: \(sentence)")
            }
        }
        return faults
    }

    /// Words that end no sentence.
    private static let openEnds: Set<String> = [
        "the", "a", "an", "of", "and", "or", "with", "by", "from", "to", "for", "that", "which", "among", "begins",
        "says",
        "whose", "but", "as", "than",
    ]

    // MARK: - The three rarest are in

    /// Returns the missing ones of the three rarest things.
    ///
    /// A thing is as rare as its rarest feature: the number of captures with it, of the day and before. Of things
    /// that are equally rare, any may be in.
    private func missing(from text: String) -> [String] {
        var counts: [String: Int] = [:]
        for fact in day + history { for feature in fact.features { counts[feature, default: 0] += 1 } }
        var things: [(identity: [String], count: Int)] = []
        for fact in day where !fact.identity.isEmpty {
            // The same thing twice is one.
            if things.contains(where: { $0.identity == fact.identity }) { continue }
            things.append((fact.identity, fact.features.compactMap { counts[$0] }.min() ?? 0))
        }
        things.sort { $0.count < $1.count }
        guard let limit = things.prefix(3).last?.count else { return [] }
        let mustBe = things.filter { $0.count < limit }
        let mayBe = things.filter { $0.count == limit }
        let wanted = min(3, things.count) - mustBe.count
        var faults = mustBe.filter { !isIn(text, $0.identity) }.map { "missing, though rare: \($0.identity[0])" }
        let found = mayBe.count { isIn(text, $0.identity) }
        if found < wanted { faults.append("missing: \(wanted - found) of the rarest, such as \(mayBe[0].identity[0])") }
        return faults
    }

    /// Returns whether one of a thing's names, or the beginning of one before "…", is in a text.
    private func isIn(_ text: String, _ identity: [String]) -> Bool {
        let said = " \(FoldedText(text).description) "
        let cuts = quotes(of: text).filter { $0.hasSuffix("…") }.map { FoldedText($0).description }
        return identity.map { FoldedText($0).description }.contains { name in
            said.contains(" \(name) ") || cuts.contains { !$0.isEmpty && name.hasPrefix($0) }
        }
    }

    // MARK: - Parts of a text

    private func quotes(of text: String) -> [String] { text.matches(of: /“([^”]*)”/).map { String($0.1) } }

    private func outsideQuotes(_ text: String) -> String { text.replacing(/“[^”]*”/) { _ in "“”" } }

    /// Returns the sentences: names, which may have stops of their own, end none.
    private func sentences(of text: String) -> [String] {
        var masked = text
        var names: [String] = []
        func mask(_ name: String) {
            guard name.contains(where: { ".!?…".contains($0) }), masked.contains(name) else { return }
            // The stop of "John M." is the sentence's, too, where a capital follows.
            let following = masked.ranges(of: name).map { masked[$0.upperBound...].drop { $0 == " " }.first }
            let isEnd = name.last == "." && following.contains { $0?.isUppercase ?? true }
            let name = String(isEnd ? name.dropLast() : name[...])
            masked = masked.replacing(name, with: "\u{E000}\(names.count)\u{E001}")
            names.append(name)
        }
        for quote in quotes(of: text) { mask(quote) }
        for name in day.flatMap(\.names).sorted(by: { $0.count > $1.count }) { mask(name) }
        var sentences: [String] = []
        var current = ""
        for character in masked {
            if character == " ", let last = current.last,
                ".!?…".contains(last) || last == "”" && current.dropLast().last.map({ ".!?".contains($0) }) == true
            {
                sentences.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        if !current.isEmpty { sentences.append(current) }
        return sentences.map { sentence in
            sentence.replacing(/\u{E000}([0-9]+)\u{E001}/) { match in Int(match.1).map { names[$0] } ?? "" }
        }
    }
}
