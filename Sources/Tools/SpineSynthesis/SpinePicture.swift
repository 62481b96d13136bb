import Basics
import Foundation
import Imaging
import SpineDatasets

/// Photograph of one spine between its neighbours, with what its label says.
struct SpinePicture: Sendable, Equatable {
    var image: RasterImage
    var lines: [DrawnLine]
    /// The spine's outline in the image's pixels, clockwise from the image's top left.
    var outline: Quad

    /// Returns a random width, mostly that of one book on a photographed shelf: about a third up in `range`.
    static func width(in range: ClosedRange<Int>, _ generator: inout SplitMix64) -> Double {
        let place = pow((generator.nextDouble() + generator.nextDouble()) / 2, 1.2)
        return Double(range.lowerBound) * pow(Double(range.upperBound) / Double(range.lowerBound), place)
    }

    /// Draws and photographs a spine at the camera's scale, or nearer where its title and author would get too small.
    init(_ design: SpineDesign, _ camera: Camera) throws(SynthesisError) {
        let (thickness, length) = (design.cover.width, design.cover.height)
        // Letters are shapes: a spine seen from nearby is drawn as large as it is seen, not enlarged afterwards.
        let nearer = max(1, camera.scale)
        let margin = (0.14 * thickness * nearer + 8).rounded()
        let box = Box(x: margin, y: margin, width: thickness * nearer, height: length * nearer)
        let (width, height) = (Int(box.right + margin), Int(box.bottom + margin))
        let canvas = try Canvas(width: width, height: height)
        try Self.paintSurroundings(of: box, on: canvas, seed: design.seed)
        let light = SpineLight(camera)
        let drawn = try PlacedSpine(design: design, centre: box.centre, scale: nearer).paint(on: canvas, light)
        Self.paintGaps(beside: box, on: canvas)

        var camera = camera
        let letters = drawn.filter { $0.role == .title || $0.role == .author }.map(\.size).min() ?? .infinity
        camera.scale = max(camera.scale / nearer, camera.smallestLetters / letters)
        let first = (4 - design.pose.quarterTurns) % 4
        let frame = Quad(corners: camera.frame(of: box, margin: margin).corners, from: first)
        let (image, projection) = try camera.photograph(canvas, frame: frame, spines: [(light, box)])
        self.image = image
        outline = projection.photo(of: Quad(corners: box.quad.corners, from: first))
        lines = drawn.map { $0.moved(scale: camera.scale, projection.photo(of:)) }
    }

    /// Draws the wall above, the board below, and the edges of the books beside.
    private static func paintSurroundings(of box: Box, on canvas: Canvas, seed: UInt64) throws(SynthesisError) {
        var generator = SplitMix64(state: ~seed)
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let wall = generator.element(of: Palette.walls)
        let tones = [0.5, 0.8].map { wall.mixed(with: .black, share: $0) }
        canvas.fill(Box(x: 0, y: 0, width: width, height: height), gradient: tones, down: true)
        for x in [0, box.right] {
            let top = max(0, box.bottom - box.height * generator.number(in: 0.75...1.1))
            let cover = Box(x: x, y: top, width: box.x, height: box.bottom - top)
            canvas.fill(cover, generator.element(of: Palette.covers))
            canvas.shade(cover, x == 0 ? [0, 0.4] : [0.4, 0], down: false)
        }
        let board = generator.element(of: Palette.furniture)
        let strip = Box(x: 0, y: box.bottom, width: width, height: box.x)
        canvas.fill(strip, gradient: [Colour(0x0C0B0B), board, board], down: true)
        try canvas.noise(in: strip, cellWidth: 80, cellHeight: 2) {
            (generator.chance(0.5) ? .white : .black, 0.2 * generator.nextDouble())
        }
    }

    /// Draws the gaps to the neighbours, dark without light.
    private static func paintGaps(beside box: Box, on canvas: Canvas) {
        let (gap, shade, height) = (max(1, box.width * 0.012), box.x * 0.35, Double(canvas.height))
        for isLeft in [true, false] {
            let fading = Box(x: isLeft ? box.x - shade : box.right, y: 0, width: shade, height: height)
            canvas.shade(fading, isLeft ? [0, 0.6] : [0.6, 0], down: false)
            let dark = Box(x: isLeft ? box.x - gap : box.right, y: 0, width: gap, height: height)
            canvas.fill(dark, .black, opacity: 0.7)
        }
    }
}

extension Sample {
    /// The smallest font size in pixels that a person reads with certainty, and so that the transcription has.
    static let smallestCertain = 11.0

    /// Creates the sample of a picture of one book.
    init(id: String, image: String, _ book: ShelfBook) {
        self.init(
            id: id,
            image: image,
            category: book.category ?? .vertical,
            title: book.title,
            author: book.author,
            transcription: book.transcription ?? "",
            orientation: book.orientation ?? .upright,
            group: id,
            legible: book.legible
        )
        (outline, lines, language, style) = (book.quad, book.lines, book.language, book.style)
        (difficulty, split, source) = (book.difficulty, "test", "SpineSynthesis 2")
    }
}

extension ShelfBook {
    init(id: String, _ plan: SpinePlan, _ design: SpineDesign, _ camera: Camera, lines: [DrawnLine], quad: Quad) {
        self.init(
            title: plan.book.title,
            quad: quad.rounded,
            legible: lines.isTitleReadable(contrast: design.contrast, blurSigma: camera.blurSigma)
        )
        (self.id, author) = (id, plan.book.author(asPrintedIn: lines))
        (transcription, category) = (lines.certainText, plan.recipe.category)
        (orientation, self.lines) = (design.orientation ?? .upright, lines.map(LabelledLine.init))
        (language, style) = (plan.book.language.rawValue, design.style)
        difficulty = Difficulty(
            camera.difficulty
                .merging(["contrast": design.contrast, "width": min(quad.length, quad.thickness)]) { $1 }
                .mapValues { ($0 * 1_000).rounded() / 1_000 }
        )
    }
}

extension LabelledLine {
    fileprivate init(_ line: DrawnLine) {
        let size = line.size.rounded(.down)
        self.init(text: line.text, role: line.role, quad: line.quad.rounded, font: line.font, size: size)
    }
}

extension Quad {
    /// Coordinates rounded to tenths of a pixel, which is finer than visible.
    fileprivate var rounded: Quad { mapped { Point(x: ($0.x * 10).rounded() / 10, y: ($0.y * 10).rounded() / 10) } }
}

extension [DrawnLine] {
    var certainText: String { filter { $0.size >= Sample.smallestCertain }.map(\.text).joined(separator: " ") }

    /// Returns whether there is a title and a person can read every line of it.
    ///
    /// Letters are legible when their font size is eight times the standard deviation of the blur, twelve times at a
    /// contrast of 3, sixteen times at 2. The factors were found by inspecting drawn pictures.
    func isTitleReadable(contrast: Double, blurSigma: Double) -> Bool {
        let title = filter { $0.role == .title }
        let smallest = Swift.max(Sample.smallestCertain, blurSigma * (8 + 8 / (Swift.max(1.01, contrast) - 1)))
        return !title.isEmpty && title.allSatisfy { $0.size >= smallest }
    }
}

extension Book {
    func author(asPrintedIn lines: [DrawnLine]) -> String? {
        let printed = lines.filter { $0.role == .author }.map(\.text).joined(separator: " ")
        guard !printed.isEmpty else { return nil }
        // Capitals on both sides: "STRAUSS" has lost its ß.
        return [surname, author].first { $0.uppercased() == printed.uppercased() } ?? printed
    }
}
