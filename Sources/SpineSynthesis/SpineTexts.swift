import SpineDatasets

/// What a spine says, in the words, letter case and typefaces that its design chose.
struct SpineTexts {
    private let book: Book
    private let lettering: Lettering
    private let titleFace: Typeface
    private let otherFace: Typeface
    private let titleCapitals: Bool
    private let otherCapitals: Bool
    /// As printed, before its letter case.
    var authorName: String
    let publisherName: String

    init(
        book: Book,
        lettering: Lettering,
        title: Typeface,
        other: Typeface,
        _ generator: inout SeededGenerator
    ) {
        self.book = book
        self.lettering = lettering
        titleFace = title
        otherFace = other
        titleCapitals = lettering.brief.treatment != .smallCapitals && generator.chance(0.45)
        otherCapitals = generator.chance(0.4)
        authorName = generator.chance(0.25) ? book.surname : book.author
        publisherName = generator.element(of: Book.imprints(in: book.language))
    }

    func title(
        _ direction: TextBlock.Direction,
        along: ClosedRange<Double>,
        across: ClosedRange<Double>,
        rows: Int
    ) -> TextBlock {
        let text = lettering.cased(book.title, in: titleFace, capitals: titleCapitals)
        let printed: [TextBlock.Row]
        if lettering.brief.treatment == .smallWords {
            printed = TitleRows.bySize(text)
        } else {
            printed = (rows > 1 ? TitleRows.balanced(text) : [text]).map { TextBlock.Row(text: $0) }
        }
        return block(.title, printed, titleFace, direction, along, across)
    }

    func stackedTitle(along: ClosedRange<Double>, across: ClosedRange<Double>) -> TextBlock {
        let text = lettering.cased(book.title, in: titleFace, capitals: titleCapitals)
        let longest = text.split(separator: " ").map(\.count).max() ?? 1
        let rows = TitleRows.filled(text, limit: max(7, longest)).map { TextBlock.Row(text: $0) }
        return block(.title, rows, titleFace, .across, along, across)
    }

    func author(
        _ direction: TextBlock.Direction,
        along: ClosedRange<Double>,
        across: ClosedRange<Double>
    ) -> TextBlock {
        let text = lettering.cased(authorName, in: otherFace, capitals: otherCapitals)
        let rows = direction == .across ? TitleRows.filled(text, limit: 10) : [text]
        return block(.author, rows.map { TextBlock.Row(text: $0) }, otherFace, direction, along, across)
    }

    func publisher(
        _ direction: TextBlock.Direction,
        along: ClosedRange<Double>,
        across: ClosedRange<Double>
    ) -> TextBlock {
        let text = lettering.cased(publisherName, in: otherFace, capitals: !otherCapitals)
        let rows = direction == .across ? TitleRows.filled(text, limit: 9) : [text]
        return block(.publisher, rows.map { TextBlock.Row(text: $0) }, otherFace, direction, along, across)
    }

    private func block(
        _ role: LineRole,
        _ rows: [TextBlock.Row],
        _ typeface: Typeface,
        _ direction: TextBlock.Direction,
        _ along: ClosedRange<Double>,
        _ across: ClosedRange<Double>
    ) -> TextBlock {
        TextBlock(
            role: role,
            rows: rows,
            direction: direction,
            along: along,
            across: across,
            typeface: typeface,
            ink: .black
        )
    }
}
