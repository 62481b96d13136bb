import Basics
import Foundation
import SpineDatasets

/// Texts of a spine in the typefaces and letter cases that were chosen for them.
struct Lettering {
    private let book: Book
    private let titleStyle: Typesetter.Style
    private let otherStyle: Typesetter.Style
    private let titleCapitals: Bool
    private let otherCapitals: Bool
    private let hasSmallWords: Bool
    private let publisherName: String

    private static let plainGenres: [Typeface.Genre] = [.serif, .sans, .condensed, .slab]

    init(
        book: Book,
        recipe: Recipe,
        typefaces: [Typeface],
        _ typesetter: Typesetter,
        _ generator: inout SplitMix64
    ) {
        self.book = book
        let words = book.language.words
        publisherName = generator.element(of: words.imprints)
        let (title, other) = (
            book.title, ([book.author, publisherName] + words.subtitles).joined() + "0123456789."
        )
        /// Returns a typeface of one of these genres that passes `test` and has every letter of `text` in both cases.
        func choose(
            _ text: String,
            _ genres: [Typeface.Genre],
            where test: (Typeface) -> Bool = { _ in true }
        ) -> Typeface {
            let ofGenre = typefaces.filter { genres.contains($0.genre) }
            for candidates in [ofGenre.filter(test), ofGenre, typefaces] {
                let able = candidates.filter { typesetter.canWrite(text + text.uppercased(), in: $0) }
                if !able.isEmpty { return generator.element(of: able) }
            }
            return generator.element(of: typefaces)
        }
        let otherFace = choose(other, Self.plainGenres)
        let titleFace =
            switch recipe.treatment {
            case .script?, .handLettered?, .display?, .blackletter?:
                choose(title, [recipe.treatment?.genre].compactMap(\.self))
            case .hollow?: choose(title, Self.plainGenres, where: { $0.style == "Bold" })
            case _ where recipe.layout == .letters: choose(title, Self.plainGenres, where: { $0.letterCase != .mixed })
            default: choose(title, Self.plainGenres)
            }
        // Letters of script and blackletter join, so only the others can be set wider or tighter.
        let spacing =
            recipe.treatment == .letterSpaced
            ? generator.number(in: 0.25...0.55)
            : titleFace.letterCase != .mixed && generator.chance(0.5) ? generator.number(in: -0.03...0.12) : 0
        titleStyle = Typesetter.Style(typeface: titleFace, letterSpacing: spacing)
        otherStyle = Typesetter.Style(typeface: otherFace)
        titleCapitals = recipe.layout == .letters || generator.chance(0.5)
        otherCapitals = generator.chance(0.45)
        hasSmallWords = recipe.treatment == .smallWords
    }

    /// Genre of the title's typeface, which is not the treatment's where that has not every letter.
    var titleGenre: Typeface.Genre { titleStyle.typeface.genre }

    /// Returns the title in `count` rows as even as its words allow, or with its small words in rows of their own.
    func title(_ direction: TextBlock.Direction, rows count: Int = 1) -> TextBlock {
        var block = block(.title, TitleRows.balanced(printedTitle, count: count), titleStyle, direction)
        if hasSmallWords { block.rows = TitleRows.bySize(printedTitle) }
        return block
    }

    /// Returns the title across, in rows of at most as many characters as its longest word has, or `limit`.
    func title(limit: Int) -> TextBlock {
        let longest = printedTitle.split(separator: " ").map(\.count).max() ?? 1
        return block(.title, TitleRows.filled(printedTitle, limit: max(limit, longest)), titleStyle, .across)
    }

    func columnTitle() -> TextBlock {
        var block = title(limit: 1)
        block.isColumn = true
        return block
    }

    /// Returns an author's name, whole or short; nil for a book without one.
    func author(_ name: String, _ direction: TextBlock.Direction, rows count: Int = 1) -> TextBlock? {
        guard !name.isEmpty else { return nil }
        let text = cased(name, otherStyle, capitals: otherCapitals)
        let rows = direction == .across ? TitleRows.filled(text, limit: 10) : TitleRows.balanced(text, count: count)
        return block(.author, rows, otherStyle, direction)
    }

    func publisher(_ direction: TextBlock.Direction) -> TextBlock {
        let text = cased(publisherName, otherStyle, capitals: !otherCapitals)
        return block(
            .publisher,
            direction == .across ? TitleRows.filled(text, limit: 9) : [text],
            otherStyle,
            direction
        )
    }

    /// Returns the kind of the book, printed small beside its title.
    func subtitle(_ direction: TextBlock.Direction, _ generator: inout SplitMix64) -> TextBlock {
        let text = generator.element(of: book.language.words.subtitles)
        return block(.other, [cased(text, otherStyle, capitals: generator.chance(0.4))], otherStyle, direction)
    }

    /// Returns a library's class and the beginning of the author's name, or the title's: "823.914", "ADA".
    func callNumber(_ direction: TextBlock.Direction, _ generator: inout SplitMix64) -> TextBlock {
        let source = book.surname.isEmpty ? book.title : book.surname
        let letters = source.folding(options: .diacriticInsensitive, locale: nil).filter { $0.isLetter && $0.isASCII }
        let cutter = letters.isEmpty ? "AAA" : letters.prefix(3).uppercased()
        let literature = book.language.words.literature
        let number =
            generator.chance(0.25)
            ? "\(generator.integer(in: 100...995)).\(generator.integer(in: 1...99))"
            : literature.contains(".") ? literature : "\(literature).\(generator.integer(in: 6...914))"
        var rows = [number, cutter]
        if generator.chance(0.3) { rows.append("\(generator.integer(in: 1950...2021))") }
        if direction != .across { rows = [rows.joined(separator: " ")] }
        var block = block(.sticker, rows, otherStyle, direction)
        block.ink = Colour(0x1A1A1E)
        return block
    }

    private var printedTitle: String { cased(book.title, titleStyle, capitals: titleCapitals) }

    private func cased(_ text: String, _ style: Typesetter.Style, capitals: Bool) -> String {
        switch style.typeface.letterCase {
        case .any: capitals ? text.uppercased() : text
        case .mixed: text
        case .capitals: text.uppercased()
        }
    }

    private func block(
        _ role: LineRole,
        _ rows: [String],
        _ style: Typesetter.Style,
        _ direction: TextBlock.Direction
    ) -> TextBlock {
        TextBlock(role: role, rows: rows.map { TextBlock.Row(text: $0) }, direction: direction, style: style)
    }
}

enum TitleRows {
    /// Articles, prepositions and conjunctions that designers set small between big words.
    private static let smallWords: Set<String> = [
        "a", "an", "and", "of", "on", "the", "to", "in", "de", "la", "du", "des", "les", "le", "et", "der", "die",
        "das", "und", "el", "los", "las", "y", "del", "il", "lo", "di", "della", "e", "o", "os", "as", "do", "da",
        "och", "i", "na", "w", "z",
    ]

    /// Returns `count` rows, or as many as there are words, the longest of them as short as the words allow.
    static func balanced(_ text: String, count: Int) -> [String] {
        guard count > 1, text.contains(" ") else { return [text] }
        // The shortest limit that fills no more rows than that.
        return (1...text.count).lazy.map { filled(text, limit: $0) }.first { $0.count <= count } ?? [text]
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
