import SpineDatasets

extension Shelf {
    /// The label of a shelf that was drawn.
    init(id: String, image: String, specification: ShelfSpecification, shelf: RenderedShelf) {
        let books = zip(specification.books, shelf.books).enumerated().map { index, pair in
            let (placed, book) = pair
            let difficulty = placed.spine.difficulty.merging(book.difficulty) { $1 }
            return ShelfBook(
                id: "\(id)-\(index < 9 ? "0" : "")\(index + 1)",
                title: placed.plan.book.title,
                author: placed.plan.book.author(asPrintedIn: book.lines),
                transcription: book.lines.certainText,
                category: placed.plan.brief.category,
                orientation: placed.spine.orientation ?? .upright,
                quad: book.quad.rounded,
                lines: book.lines.map(LabelledLine.init),
                legible: !book.isTitleCovered && book.lines.isTitleReadable(difficulty),
                language: placed.plan.book.language.rawValue,
                style: placed.spine.style,
                difficulty: difficulty.mapValues(\.roundedForLabels)
            )
        }
        self.init(id: id, image: image, books: books)
    }
}
