import Raster
import SpineDatasets

/// A photo of a shelf, and the truth about it.
struct RenderedShelf: Sendable, Equatable {
    /// One book as the photo shows it.
    struct Book: Sendable, Equatable {
        /// The spine's outline in the image's pixels, clockwise from the image's top left.
        var quad: Quad
        /// The printed lines that nothing stands in front of, in reading order.
        var lines: [RenderedSpine.Line]
        /// Whether something stands in front of a part of the title.
        var isTitleCovered: Bool
        var difficulty: [String: Double]
    }

    /// RGB.
    var image: RasterImage
    /// In the order of the specification.
    var books: [Book]
}

/// Turns a shelf's specification into a labelled photo.
struct ShelfRenderer: Sendable {
    /// A line that more of it is covered of cannot be read with certainty.
    private static let coveredShare = 0.03

    /// - Throws: What painting a spine throws, and what the camera throws.
    func render(_ specification: ShelfSpecification) throws(SynthesisError) -> RenderedShelf {
        var generator = SeededGenerator(seed: specification.grainSeed)
        let (flat, lines) = try ShelfPainter(specification: specification).paint(&generator)
        let (image, projection) = try Camera(specification.camera).photograph(
            flat,
            frame: specification.frame,
            surfaces: specification.books.compactMap { surface(of: $0, specification.camera) },
            &generator
        )
        let covers = specification.things.filter { $0.kind != .bookend }.map(\.box)
        let books = zip(specification.books, lines).map { book, lines in
            let visible = lines.filter { line in
                !covers.contains { line.quad.share(coveredBy: $0) > Self.coveredShare }
            }
            let quad = projection.photo(of: book.outline)
            return RenderedShelf.Book(
                quad: quad,
                lines: visible.map { $0.moved(scale: specification.camera.scale, projection.photo(of:)) },
                isTitleCovered: lines.count { $0.role == .title } > visible.count { $0.role == .title },
                difficulty: specification.camera.difficulty(width: min(quad.length, quad.thickness), tilt: book.lean)
            )
        }
        return RenderedShelf(image: image, books: books)
    }

    /// The roundness of a book that stands; the camera bends columns of the picture, so one that leans has to do without.
    private func surface(of book: ShelfSpecification.PlacedBook, _ camera: CameraSpecification) -> SpineSurface? {
        guard book.isUpright else { return nil }
        var own = camera
        own.curvature = min(45, book.spine.camera.curvature)
        let corners = book.standingCorners
        return SpineSurface(
            left: corners.map(\.x).min() ?? 0,
            right: corners.map(\.x).max() ?? 0,
            top: corners.map(\.y).min() ?? 0,
            bottom: corners.map(\.y).max() ?? 0,
            camera: own
        )
    }
}

extension ShelfSpecification.PlacedBook {
    /// The spine about its centre, as it stands head up.
    var box: Box {
        let (thickness, length) = (Double(spine.thickness), Double(spine.length))
        return Box(x: -thickness / 2, y: -length / 2, width: thickness, height: length)
    }

    var isUpright: Bool { turn.truncatingRemainder(dividingBy: .pi) == 0 }

    /// Lean in degrees clockwise from upright or, when it lies, from level.
    var lean: Double {
        let degrees = turn * 180 / .pi
        return (degrees / 90).rounded() * 90 == degrees ? 0 : degrees.remainder(dividingBy: 90)
    }

    /// The spine's outline on the flat picture, clockwise from that picture's top left.
    var outline: Quad {
        // The corner that is the picture's top left: the one with the least sum of places, after turning by quarters.
        let quarters = ((Int((turn / (.pi / 2)).rounded()) % 4) + 4) % 4
        return Quad(corners: standingCorners, from: (4 - quarters) % 4)
    }
}
