import Basics

/// A name as lists and spines print it.
package enum AuthorName {
    /// Returns the folded surname: "tolkien", however Tolkien's name is written.
    ///
    /// Empty when nothing of the name is left.
    package static func surname(_ name: String) -> String {
        if let comma = name.utf8.firstIndex(of: UInt8(ascii: ",")) {
            let before = words(String(name[..<comma]))
            let after = words(String(name[name.utf8.index(after: comma)...]))
            // "Martin Luther King, Jr." is not turned round.
            if let last = before.last, let first = after.first, !suffixes.contains(first) { return last }
        } else if let space = name.utf8.lastIndex(of: 0x20) {
            let last = words(String(name[name.utf8.index(after: space)...]))
            if let word = last.last, !suffixes.contains(word) { return word }
        }
        var words = words(name)
        while words.count > 1, let last = words.last, suffixes.contains(last) { words.removeLast() }
        return words.last ?? ""
    }

    /// Returns the folded words of a name; an apostrophe holds two together, as in "O'Dell".
    package static func words(_ name: String) -> [String] {
        let held = name.utf8.contains { $0 == UInt8(ascii: "'") || $0 == 0xE2 }
        let text = held ? name.replacing("'", with: "").replacing("\u{2019}", with: "") : name
        return FoldedText.key(text).split(separator: " ").map(String.init)
    }

    private static let suffixes: Set<String> = ["jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"]

    /// Titles of rank that some lists put behind a name, after a comma.
    private static let ranks: Set<String> = [
        "baroness", "baron", "sir", "lord", "lady", "mrs", "mr", "earl", "count", "graf", "saint", "rev", "dr",
    ]

    /// Returns the names that a spine prints in one piece, in their order.
    package static func printed(_ text: String) -> [String] { split(text, isTurned: looksTurned(text)) }

    /// Returns the names in a field such as "A, B", "A & B", "A; B" or "Last, First", in their order, each with the
    /// surname last.
    static func split(_ field: String, isTurned: Bool) -> [String] {
        var separators = Set(";|\n\t".utf8)
        if !isTurned { separators.insert(UInt8(ascii: ",")) }
        if !field.utf8.contains(where: { separators.contains($0) || $0 == UInt8(ascii: ",") || $0 == 0x20 }) {
            return field.isEmpty ? [] : [field]
        }
        var names: [String] = []
        for part in field.utf8.split(whereSeparator: separators.contains) {
            for piece in apart(Substring(part)) {
                let name = (isTurned ? turned(piece) : String(piece)).trimmedWhole
                let words = name.utf8.contains(0x20) ? name.utf8.contains { $0 > 0x40 } ? nil : [] : words(name)
                // A name of several words is one; a single one may be a rank, or belong to the name before it.
                guard let words else {
                    names.append(name)
                    continue
                }
                guard let first = words.first else { continue }
                if words.count == 1, suffixes.contains(first), let last = names.popLast() {
                    names.append("\(last) \(name)")
                } else if words.count > 1 || !ranks.contains(first) {
                    names.append(name)
                }
            }
        }
        return names
    }

    /// Returns whether a field has the form "Last, First": one comma, and one word before it.
    static func looksTurned(_ field: String) -> Bool {
        let parts = field.split(separator: ",", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].trimmed.contains(" ") && !parts[0].isEmpty && !parts[1].trimmed.isEmpty
    }

    /// Returns `part` split at "&" and "and" between words.
    private static func apart(_ part: Substring) -> [Substring] {
        guard part.utf8.contains(UInt8(ascii: "&")) || has(" and ", part) else { return [part] }
        return part.split(separator: " & ").flatMap { $0.split(separator: " and ") }
    }

    /// Returns whether a text contains a part; `contains` of strings compares characters, and takes ten times as
    /// long.
    private static func has(_ text: StaticString, _ part: Substring) -> Bool {
        var part = part
        return part.withUTF8 { bytes in
            text.withUTF8Buffer { text in
                bytes.count >= text.count
                    && (0...bytes.count - text.count).contains { bytes[$0...].starts(with: text) }
            }
        }
    }

    private static func turned(_ name: Substring) -> String {
        guard let comma = name.firstIndex(of: ",") else { return String(name) }
        let (last, first) = (name[..<comma].trimmed, name[name.index(after: comma)...].trimmed)
        guard let word = words(String(first)).first else { return String(last) }
        if suffixes.contains(word) { return "\(last) \(first)" }
        // "Orczy, Emmuska, Baroness"
        let given = first.firstIndex(of: ",").map { first[..<$0] } ?? first
        return "\(given) \(last)"
    }
}

extension String {
    var trimmedWhole: String {
        guard let first = utf8.first, let last = utf8.last,
            first <= 0x20 || last <= 0x20 || first >= 0x80 || last >= 0x80
        else { return self }
        return String(self[...].trimmed)
    }
}
