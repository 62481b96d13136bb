package import Raster
import SpineSynthesis

/// Draws the spines that were found on their photo.
package struct ShelfOverlay {
    var books: [ShelfReport.Book]

    package init(books: [ShelfReport.Book]) { self.books = books }

    private static let colours: [ShelfReport.State: Colour] = [
        .book: Colour(red: 0.1, green: 0.75, blue: 0.3), .unsure: Colour(red: 1, green: 0.5, blue: 0),
        .draft: Colour(red: 1, green: 0.1, blue: 0.1),
    ]

    /// The photo in colour, each spine outlined and numbered: green for a book, orange for an unsure one, red for a draft.
    package func drawn(on image: RasterImage) throws -> RasterImage {
        var picture = image.rgb()
        let thickness = max(1, max(image.width, image.height) / 800)
        let size = min(48, max(12, max(image.width, image.height) / 90))
        for book in books {
            let colour = Self.colours[book.state] ?? Colour(red: 1, green: 1, blue: 1)
            picture.draw(book.outline, colour: colour, thickness: thickness)
            let number = try TextLabel.image(
                "\(book.row).\(book.index)",
                size: size,
                colour: Colour(red: 0.1, green: 0.1, blue: 0.1),
                background: colour
            )
            picture.paste(number, x: Int(book.outline.topLeft.x), y: Int(book.outline.topLeft.y))
        }
        return picture
    }
}
