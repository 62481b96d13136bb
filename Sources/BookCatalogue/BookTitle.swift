/// A printed or listed title, taken apart.
///
/// "The Hobbit: Or There and Back Again (Middle-earth, #0)" has the main title "The Hobbit".
struct BookTitle: Sendable, Equatable {
    /// Without the series behind it.
    var text: String
    /// What a list put behind the title in parentheses with a number, without the number.
    var series: String?

    /// - Parameter text: as a list or a person has it.
    init(_ text: String) {
        (self.text, series) = Self.withoutSeries(text)
    }

    /// Up to the subtitle.
    var main: Substring { text[..<Self.subtitleStart(of: text)] }

    /// Behind the main title; empty when there is none.
    var subtitle: Substring { text[Self.subtitleStart(of: text)...] }

    private static func withoutSeries(_ text: String) -> (String, String?) {
        guard text.utf8.last == UInt8(ascii: ")"), let open = text.lastIndex(of: "("), open > text.startIndex else {
            return (text, nil)
        }
        let title = text[..<open].trimmed
        let inside = text[text.index(after: open)...].dropLast()
        guard !title.isEmpty, let hash = inside.firstIndex(of: "#") else { return (text, nil) }
        // "Harry Potter, #1; Tales of Beedle, #2": the first one named.
        let name = inside[..<hash].trimmed
        let series = name.last == "," ? name.dropLast().trimmed : name
        return series.isEmpty ? (text, nil) : (String(title), String(series))
    }

    /// Where the subtitle's separator is; the end when there is no subtitle.
    ///
    /// What names a volume is no subtitle: the volumes of a work are different books.
    private static func subtitleStart(of text: String) -> String.Index {
        var start = text.endIndex
        for separator in [": ", " : ", "; ", " - ", " – ", " — ", "—", " / ", " = "] {
            if let range = text.firstRange(of: separator), range.lowerBound > text.startIndex, range.lowerBound < start {
                start = range.lowerBound
            }
        }
        if start < text.endIndex, namesVolume(text[start...]) { return text.endIndex }
        return start
    }

    private static let volumeWords: Set<Substring> = [
        "vol", "volume", "volumes", "part", "book", "tome", "tomo", "band", "bd", "volumen", "teil", "deel", "parte",
        "number", "no", "issue", "act",
    ]

    private static func namesVolume(_ subtitle: Substring) -> Bool {
        let words = TextFolding.fold(String(subtitle)).split(separator: " ")
        return zip(words, words.dropFirst()).contains { word, next in
            volumeWords.contains(word)
                && (next.utf8.allSatisfy { (0x30...0x39).contains($0) } || next.allSatisfy { "ivxlc".contains($0) }
                    || ["one", "two", "three", "first", "second", "third"].contains(next))
        }
    }
}

extension Substring {
    /// Without white space at its ends.
    var trimmed: Substring {
        var rest = self
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
