import Foundation
import Raster

/// Everything that decides how one shelf looks: resolved, so that rendering it twice gives the same bytes.
///
/// Places are in the pixels of a flat picture of the shelf, seen straight on; the camera takes its view of that.
struct ShelfSpecification: Sendable, Equatable {
    /// A book and where it is.
    struct PlacedBook: Sendable, Equatable {
        var plan: SpinePlan
        /// As large as it stands on the shelf.
        var spine: SpineSpecification
        /// Of the spine's rectangle.
        var centre: Point
        /// Clockwise turn of the spine in radians, against a book that stands head up.
        var turn: Double
        /// Depth to which it was pushed in, 0 (at the edge of the board) … 1.
        var depth: Double

        /// The spine's corners clockwise from its head's left one, as it stands head up.
        var standingCorners: [Point] {
            let (half, tall) = (Double(spine.thickness) / 2, Double(spine.length) / 2)
            return [(-half, -tall), (half, -tall), (half, tall), (-half, tall)].map { onShelf(Point(x: $0.0, y: $0.1)) }
        }

        /// Where a point of the spine lies, given from its centre as the book stands head up.
        func onShelf(_ point: Point) -> Point {
            Point(
                x: centre.x + point.x * cos(turn) - point.y * sin(turn),
                y: centre.y + point.x * sin(turn) + point.y * cos(turn)
            )
        }
    }

    /// Thing that stands on a shelf beside books.
    struct Thing: Sendable, Equatable {
        enum Kind: String, Sendable, CaseIterable {
            /// A bent metal plate; stands beside the last book.
            case bookend
            /// Stand in front of books.
            case mug
            case card
        }

        var kind: Kind
        /// Area that it covers.
        var box: Box
        var colour: Colour
    }

    /// Material of the shelf.
    enum Material: String, Sendable, CaseIterable {
        case wood
        case metal
        case painted
    }

    /// Of the flat picture.
    var width: Int
    var height: Int
    /// Where books stand: the upper edge of the board.
    var floor: Double
    /// The lower edge of the board's front.
    var boardBottom: Double
    /// The lower edge of the board above, whose front the picture may show; 0 when it is out of sight.
    var ceiling: Double
    var material: Material
    var board: Colour
    var back: Colour
    /// From left to right; those of a pile follow each other from top to bottom.
    var books: [PlacedBook]
    var things: [Thing]
    /// Frame of the photograph, clockwise from its top left.
    var frame: Quad
    var camera: CameraSpecification
    /// Seeds what has no parameters of its own: grain of wood, covers and sensor.
    var grainSeed: UInt64
}
