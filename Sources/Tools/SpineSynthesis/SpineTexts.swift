import SpineDatasets

struct SpineTexts {
    private let book: Book
    private let lettering: Lettering
    private let titleFace: Typeface
    private let otherFace: Typeface
    private let titleCapitals: Bool
    private let otherCapitals: Bool
    /// Whether a first name is set small above or before the surname.
    private let smallFirstName: Bool
    /// Printed author, before its letter case; empty for a spine without one.
    var authorName: String
    let publisherName: String

    init(book: Book, lettering: Lettering, _ generator: inout SeededGenerator) {
        self.book = book
        self.lettering = lettering
        publisherName = generator.element(of: book.language.words.imprints)
        let series = book.series.map { $0.name + book.language.words.volume } ?? ""
        (titleFace, otherFace) = lettering.pair(
            title: book.title + book.title.uppercased(),
            other: [book.author, book.author.uppercased(), publisherName.uppercased(), series, "0123456789"].joined(),
            &generator
        )
        titleCapitals =
            lettering.brief.layout == .letterStack
            || lettering.brief.treatment != .smallCapitals && lettering.brief.treatment != .largeInitials
                && generator.chance(0.5)
        otherCapitals = generator.chance(0.45)
        smallFirstName = generator.chance(0.25)
        authorName = generator.chance(0.25) ? book.surname : book.author
    }

    var printedTitle: String { lettering.cased(book.title, in: titleFace, capitals: titleCapitals) }

    /// Returns the title in `count` rows as even as its words allow; small words apart where the brief asks for it.
    func title(_ direction: TextBlock.Direction, rows count: Int) -> TextBlock {
        var block = block(.title, TitleRows.balanced(printedTitle, count: count), titleFace, direction)
        if lettering.brief.treatment == .smallWords { block.rows = TitleRows.bySize(printedTitle) }
        return block
    }

    /// Returns the title in rows of at most as many characters as its longest word has, or `limit`.
    func stackedTitle(limit: Int) -> TextBlock {
        let longest = printedTitle.split(separator: " ").map(\.count).max() ?? 1
        return block(.title, TitleRows.filled(printedTitle, limit: max(limit, longest)), titleFace, .across)
    }

    func columnTitle() -> TextBlock {
        var block = block(.title, printedTitle.split(separator: " ").map(String.init), titleFace, .across)
        block.arrangement = .letters
        return block
    }

    func author(_ direction: TextBlock.Direction, rows count: Int = 1) -> TextBlock? {
        guard !authorName.isEmpty else { return nil }
        let text = other(authorName)
        let rows =
            direction == .across ? TitleRows.filled(text, limit: 10) : TitleRows.balanced(text, count: count)
        let surname = other(book.surname)
        var block = block(.author, rows, otherFace, direction)
        if smallFirstName, rows.count == 2, rows[1] == surname { block.rows[0].scale = 0.55 }
        return block
    }

    func publisher(_ direction: TextBlock.Direction) -> TextBlock {
        let text = lettering.cased(publisherName, in: otherFace, capitals: !otherCapitals)
        return short(.publisher, text, direction)
    }

    func initials() -> TextBlock {
        let letters = publisherName.split(separator: " ").compactMap { $0.first { $0.isLetter } }.prefix(2)
        return block(.publisher, [String(letters).uppercased()], otherFace, .across)
    }

    func series(_ direction: TextBlock.Direction, name: Bool, number: Bool) -> TextBlock? {
        guard let series = book.series else { return nil }
        let named = series.name + (number ? " \(series.number)" : "")
        return short(.series, other(name ? named : "\(book.language.words.volume) \(series.number)"), direction)
    }

    func volumeNumber() -> TextBlock? {
        book.series.map { block(.series, ["\($0.number)"], otherFace, .across) }
    }

    /// Returns a subtitle, printed small beside a title: the kind of the book.
    func subtitle(_ direction: TextBlock.Direction, _ generator: inout SeededGenerator) -> TextBlock {
        let text = generator.element(of: book.language.words.subtitles)
        let printed = lettering.cased(text, in: otherFace, capitals: generator.chance(0.4))
        return block(.other, [printed], otherFace, direction)
    }

    private func other(_ text: String) -> String { lettering.cased(text, in: otherFace, capitals: otherCapitals) }

    private func short(_ role: LineRole, _ text: String, _ direction: TextBlock.Direction) -> TextBlock {
        block(role, direction == .across ? TitleRows.filled(text, limit: 9) : [text], otherFace, direction)
    }

    private func block(
        _ role: LineRole,
        _ rows: [String],
        _ typeface: Typeface,
        _ direction: TextBlock.Direction
    ) -> TextBlock {
        TextBlock(
            role: role,
            rows: rows.map { TextBlock.Row(text: $0) },
            direction: direction,
            along: 0...1,
            across: 0...1,
            typeface: typeface,
            ink: .black
        )
    }
}

enum TitleRows {
    /// Articles, prepositions and conjunctions that designers set small between big words.
    private static let smallWords: Set<String> = [
        "a", "an", "and", "of", "on", "the", "to", "in", "de", "la", "du", "des", "les", "le", "et", "der", "die",
        "das", "und", "el", "los", "las", "y", "del", "il", "lo", "di", "della", "e", "o", "os", "as", "do", "da",
        "och",
        "i", "na", "w", "z",
    ]

    /// Returns `count` rows, or as many as there are words, the longest of them as short as the words allow.
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

    /// Returns rows of at most `limit` characters where words allow it, filled from the first.
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
