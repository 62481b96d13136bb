/// Breaks text into the rows that it is printed in.
enum TitleRows {
    /// Articles, prepositions and conjunctions that designers set small between big words.
    private static let smallWords: Set<String> = [
        "a", "an", "and", "of", "on", "the", "to", "in", "de", "la", "du", "des", "les", "le", "et", "der", "die",
        "das",
        "el", "los", "y", "del",
    ]

    /// Two rows as equal in length as the words allow; one row for one word.
    static func balanced(_ text: String) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1 else { return [text] }
        let candidates = (1..<words.count).map { cut in
            [words[..<cut].joined(separator: " "), words[cut...].joined(separator: " ")]
        }
        return candidates.min { abs($0[0].count - $0[1].count) < abs($1[0].count - $1[1].count) } ?? [text]
    }

    /// Rows of at most `limit` characters where words allow it, filled from the first.
    static func filled(_ text: String, limit: Int) -> [String] {
        var rows: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            if let last = rows.last, last.count + 1 + word.count <= limit {
                rows[rows.count - 1] = last + " " + word
            } else {
                rows.append(word)
            }
        }
        return rows
    }

    /// Runs of small words on rows of their own, at half size, between runs of the others.
    static func bySize(_ title: String) -> [TextBlock.Row] {
        var rows: [TextBlock.Row] = []
        for word in title.split(separator: " ").map(String.init) {
            let scale = smallWords.contains(word.lowercased()) ? 0.5 : 1
            if let last = rows.last, last.scale == scale {
                rows[rows.count - 1].text = last.text + " " + word
            } else {
                rows.append(TextBlock.Row(text: word, scale: scale))
            }
        }
        return rows
    }
}
