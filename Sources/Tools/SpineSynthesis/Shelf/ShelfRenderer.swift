import Imaging
import SpineDatasets

struct RenderedShelf: Sendable, Equatable {
    struct Book: Sendable, Equatable {
        var quad: Quad
        var lines: [RenderedSpine.Line]
        var isTitleCovered: Bool
        var difficulty: [String: Double]
    }

    /// RGB.
    var image: RasterImage
    var books: [Book]
}

struct ShelfRenderer: Sendable {
    /// A line that more of it is covered of cannot be read with certainty.
    private static let coveredShare = 0.03

    func render(_ specification: ShelfCase) throws(SynthesisError) -> RenderedShelf {
        var generator = SeededGenerator(seed: specification.boards[0].grainSeed)
        var flat: RasterImage?
        var lines: [[RenderedSpine.Line]] = []
        var books: [PlacedBook] = []
        var covers: [Box] = []
        for board in specification.boards {
            let down = Double(flat?.height ?? 0)
            let (picture, printed) = try ShelfPainter(specification: board).paint(&generator)
            flat = flat.map { $0.above(picture) } ?? picture
            lines += printed.map { $0.map { $0.moved { Point(x: $0.x, y: $0.y + down) } } }
            books += board.books.map { $0.moved(down: down) }
            for var box in board.things.filter({ $0.kind != .bookend }).map(\.box) {
                box.y += down
                covers.append(box)
            }
        }
        guard let flat else { throw .specification("a shelf without a board") }
        let (image, projection) = try Camera(specification.camera).photograph(
            flat,
            frame: specification.frame,
            surfaces: books.compactMap { surface(of: $0, specification.camera) },
            &generator
        )
        let rendered = zip(books, lines).map { book, lines in
            let visible = lines.filter { line in
                line.quad.corners.allSatisfy { $0.y <= book.visibleBottom ?? .infinity }
                    && !covers.contains { line.quad.share(coveredBy: $0) > Self.coveredShare }
            }
            let quad = projection.photo(of: book.outline)
            return RenderedShelf.Book(
                quad: quad,
                lines: visible.map { $0.moved(scale: specification.camera.scale, projection.photo(of:)) },
                isTitleCovered: lines.count { $0.role == .title } > visible.count { $0.role == .title },
                difficulty: specification.camera.difficulty(width: min(quad.length, quad.thickness), tilt: book.lean)
            )
        }
        return RenderedShelf(image: image, books: rendered)
    }

    /// Returns the roundness of an upright book; the camera bends columns of the picture, so a leaning one has none.
    private func surface(of book: PlacedBook, _ camera: CameraSpecification) -> SpineSurface? {
        guard book.isUpright, book.visibleBottom == nil else { return nil }
        var own = camera
        own.curvature = min(45, book.spine.camera.curvature)
        return SpineSurface(bounds: book.standingCorners.bounds, camera: own)
    }
}

extension PlacedBook {
    var box: Box {
        let (thickness, length) = (Double(spine.thickness), Double(spine.length))
        return Box(x: -thickness / 2, y: -length / 2, width: thickness, height: length)
    }

    var isUpright: Bool { turn.truncatingRemainder(dividingBy: .pi) == 0 }

    /// Lean in degrees clockwise from upright or, for a flat book, from level.
    var lean: Double {
        let degrees = turn * 180 / .pi
        return (degrees / 90).rounded() * 90 == degrees ? 0 : degrees.remainder(dividingBy: 90)
    }

    /// The spine's outline on the flat picture, clockwise from that picture's top left.
    var outline: Quad {
        // The corner that is the picture's top left: the one with the least sum of places, after turning by quarters.
        let quarters = ((Int((turn / (.pi / 2)).rounded()) % 4) + 4) % 4
        let corners = standingCorners.map { Point(x: $0.x, y: min($0.y, visibleBottom ?? .infinity)) }
        return Quad(corners: corners, from: (4 - quarters) % 4)
    }

    func moved(down: Double) -> Self {
        var book = self
        book.centre.y += down
        book.visibleBottom? += down
        return book
    }
}

extension RasterImage {
    func above(_ other: RasterImage) -> RasterImage {
        RasterImage(width: width, height: height + other.height, channels: channels, pixels: pixels + other.pixels)
    }
}
