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

    /// Returns the names that a spine prints in one piece, such as "A, B", "A & B", "A; B" or "Last, First", in their order,
    /// each with the surname last.
    package static func printed(_ text: String) -> [String] {
        let halves = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        let isTurned = halves.count == 2 && !halves[0].isEmpty && !halves[0].contains(" ") && !halves[1].isEmpty
        var names: [String] = []
        let fields = text.split { ";|\n\t".contains($0) || !isTurned && $0 == "," }
        let pieces = fields.flatMap { (field: Substring) -> [Substring] in
            field.split(separator: " & ").flatMap { $0.split(separator: " and ") }
        }
        for piece in pieces {
            var parts = piece.split(separator: ",").map { String($0.trimmed) }
            if parts.count == 2, !suffixes.contains(Self.words(parts[1]).first ?? "") { parts.reverse() }
            let name = parts.joined(separator: " ")
            let words = Self.words(name)
            // A name of several words is one; a single one may be a rank, or belong to the name before it.
            if words.count == 1, suffixes.contains(words[0]), let last = names.popLast() {
                names.append("\(last) \(name)")
            } else if words.count > 1 || words.count == 1 && (pieces.count == 1 || !ranks.contains(words[0])) {
                names.append(name)
            }
        }
        return names
    }
}
