/// Breaks text into the rows that it is printed in.
enum TitleRows {
    /// Articles, prepositions and conjunctions that designers set small between big words.
    private static let smallWords: Set<String> = [
        "a", "an", "and", "of", "on", "the", "to", "in", "de", "la", "du", "des", "les", "le", "et", "der", "die",
        "das", "und", "el", "los", "las", "y", "del", "il", "lo", "di", "della", "e", "o", "os", "as", "do", "da",
        "och",
        "i", "na", "w", "z",
    ]

    /// `count` rows, or as many as there are words, the longest of them as short as the words allow.
    static func balanced(_ text: String, count: Int = 2) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1, count > 1 else { return [text] }
        if count > 2, words.count > 2 {
            // The shortest limit that fills no more rows than that.
            let longest = words.map(\.count).max() ?? 1
            for limit in longest...text.count {
                let rows = filled(text, limit: limit)
                if rows.count <= count { return rows }
            }
        }
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
