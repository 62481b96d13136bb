import Basics

/// Makes a record of what the fields of a row say.
struct BookAssembler: Sendable {
    /// Whether the list writes its authors "Last, First".
    var turnsAuthors = false

    /// A record, and what had to be left out of it.
    struct Assembled: Sendable {
        var book: BookRecord
        /// Whether the row states an ISBN, and none that is right.
        var hasWrongISBN: Bool
    }

    /// - Parameter texts: what the row has for a field, the best first; empty for nothing.
    /// - Throws: ``RowFault`` when there is no title.
    /// - Returns: the record, and whether its ISBN was left out.
    func assemble(_ texts: (BookField) -> [String]) throws(RowFault) -> Assembled {
        func text(_ field: BookField) -> String? { texts(field).first.map(HTMLEntities.decode) }
        guard let listed = text(.title) else { throw RowFault("no title") }
        // MARC's subfield codes are left in Project Gutenberg's list.
        let cleaned = listed.utf8.contains(UInt8(ascii: "$")) ? listed.replacing(" $b ", with: " ") : listed
        var title = BookTitle(Self.singleSpaced(cleaned))
        guard !FoldedText.key(title.text).isEmpty else { throw RowFault("a title without a letter or a digit") }
        if let subtitle = text(.subtitle), !title.text.contains(subtitle) { title.text += ": " + subtitle }
        let numbers = texts(.isbn)
        let isbn = ListedISBN.parse(numbers)
        return Assembled(
            book: BookRecord(
                title: title.text,
                authors: authors(texts(.authors)),
                isbn: isbn,
                series: title.series ?? text(.series),
                publisher: text(.publisher),
                year: text(.year).flatMap(Self.year),
                language: text(.language),
                coverURL: text(.cover),
                popularity: texts(.popularity).first.flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
            ),
            hasWrongISBN: isbn == nil && numbers.contains { !ListedISBN.isPlaceholder($0) }
        )
    }

    private func authors(_ fields: [String]) -> [String] {
        // Several fields are several names; one may have several in it.
        var names: [String] = []
        for field in fields {
            for name in AuthorName.split(HTMLEntities.decode(field), isTurned: turnsAuthors) where !names.contains(name)
            {
                names.append(name)
            }
        }
        return names
    }

    /// The year in "1997", "1997.0", "March 1997" or "1997-03-01"; nil for 0, which lists write for none.
    static func year(_ text: String) -> Int? {
        if let number = Double(text) {
            return number.isFinite && number != 0 && (-3000...2100).contains(number) ? Int(number) : nil
        }
        return text.split { !$0.isASCII || !$0.isNumber }.lazy.filter { $0.count == 4 }.compactMap { Int($0) }
            .first { (1000...2100).contains($0) }
    }

    private static func singleSpaced(_ text: String) -> String {
        var (wasSpace, isClean) = (false, true)
        for byte in text.utf8 {
            if byte < 0x20 || (byte == 0x20 && wasSpace) {
                isClean = false
                break
            }
            wasSpace = byte == 0x20
        }
        return isClean ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
