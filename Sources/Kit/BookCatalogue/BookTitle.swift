import Basics

/// A printed or listed title, taken apart.
///
/// "The Hobbit: Or There and Back Again (Middle-earth, #0)" has the main title "The Hobbit".
struct BookTitle: Sendable, Equatable {
    /// The title without the series behind it.
    var text: String

    /// Creates a title from that of a list, which may have a series in parentheses behind it, with a number.
    init(_ text: String) {
        self.text = text
        let bytes = text.utf8
        guard bytes.last == UInt8(ascii: ")"), let open = bytes.lastIndex(of: UInt8(ascii: "(")) else { return }
        let (title, series) = (text[..<open].trimmed, text[bytes.index(after: open)...].dropLast())
        guard !title.isEmpty, series.utf8.contains(UInt8(ascii: "#")), !Self.numbered(series).name.isEmpty else {
            return
        }
        self.text = String(title)
    }

    /// The main title and the subtitle, which may be empty; neither has the remark in parentheses behind them.
    var parts: (main: String, subtitle: String) {
        var text = text
        return text.withUTF8 { all in
            var bytes = all[...]
            if let remark = Self.remark(of: bytes) { bytes = bytes[..<remark] }
            let start = Self.subtitleStart(of: bytes)
            return (String(decoding: bytes[..<start], as: UTF8.self), String(decoding: bytes[start...], as: UTF8.self))
        }
    }

    /// Returns the name of a series and the book's number in it, as lists write them: "Harry Potter, #1; Tales of
    /// Beedle, #2" is the first book of Harry Potter.
    static func numbered(_ text: Substring) -> (name: Substring, number: Int?) {
        guard let hash = text.utf8.firstIndex(of: UInt8(ascii: "#")) else { return (text.trimmed, nil) }
        let name = text[..<hash].trimmed
        let rest = text[text.utf8.index(after: hash)...]
        let digits = rest.prefix(while: \.isWholeNumber)
        let isOne = rest.dropFirst(digits.count).first.map { !".-–".contains($0) } ?? true
        return (name.last == "," ? name.dropLast().trimmed : name, isOne ? Int(digits) : nil)
    }

    /// Returns the start of a remark like "(French Edition)"; nil without one, or if it names a volume.
    private static func remark(of text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard text.last == UInt8(ascii: ")"), let open = text.lastIndex(of: UInt8(ascii: "(")), open > text.startIndex,
            !namesVolume(text[open...])
        else { return nil }
        return open
    }

    /// Returns the position of the subtitle's separator; the end without a subtitle.
    ///
    /// A volume's name is not a subtitle: the volumes of a work are different books.
    private static func subtitleStart(of text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let space = UInt8(ascii: " ")
        var index = text.startIndex + 1
        while index + 1 < text.endIndex {
            let isSpaced = text[index - 1] == space && text[index + 1] == space
            var isSeparator = false
            switch text[index] {
            case UInt8(ascii: ":"), UInt8(ascii: ";"): isSeparator = text[index + 1] == space
            case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "="): isSeparator = isSpaced
            // En dash and em dash; a dash between figures is a span of years.
            case 0xE2 where index + 3 < text.endIndex && text[index + 1] == 0x80:
                let isDash = text[index + 2] == 0x94 || (text[index + 2] == 0x93 && text[index - 1] == space)
                isSeparator = isDash
            default: break
            }
            if isSeparator { return namesVolume(text[index...]) ? text.endIndex : index }
            index += 1
        }
        return text.endIndex
    }

    private static let volumeWords: Set<Substring> = [
        "vol", "volume", "volumes", "part", "book", "tome", "tomo", "band", "bd", "volumen", "teil", "deel", "parte",
        "number", "no", "issue", "act",
    ]

    private static let numberWords: Set<Substring> = ["one", "two", "three", "four", "first", "second", "third"]

    private static func namesVolume(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let words = FoldedText.key(String(decoding: text, as: UTF8.self)).split(separator: " ")
        return zip(words, words.dropFirst()).contains { word, next in
            volumeWords.contains(word)
                && (next.utf8.allSatisfy { (0x30...0x39).contains($0) } || next.utf8.allSatisfy("ivxlc".utf8.contains)
                    || numberWords.contains(next))
        }
    }
}

extension Substring {
    var trimmed: Substring {
        var rest = self
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
