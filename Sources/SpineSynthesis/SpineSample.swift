import Raster

/// One line of `samples.jsonl`.
struct SpineSample: Encodable {
    /// The smallest font size in pixels that the transcription takes notice of.
    private static let smallestCertain = 11.0

    let id: String
    /// Path relative to the data set's folder.
    let image: String
    let category: SpineBrief.Category
    let title: String
    /// As printed, without regard to letter case.
    let author: String
    /// All text in reading order, but for print that is too small to be read with certainty.
    let transcription: String
    let orientation: SpineOrientation?
    /// The spines of one group are not independent; here each has its own.
    let group: String
    /// The spine's outline in the image, clockwise from the image's top left, pixels.
    let quad: Quad
    let legible: Bool
    let split: String
    let source: String
    let language: Book.Language
    let lines: [RenderedSpine.Line]

    init(id: String, image: String, plan: StarterDataset.Plan, spine: RenderedSpine, seed: UInt64) {
        self.id = id
        self.image = image
        category = plan.brief.category
        title = plan.book.title
        let authorText = spine.lines.filter { $0.role == .author }.map(\.text).joined(separator: " ")
        author = authorText.lowercased() == plan.book.surname.lowercased() ? plan.book.surname : plan.book.author
        orientation = spine.orientation
        group = id
        quad = spine.quad.rounded
        legible = true
        split = "test"
        source = "SpineSynthesis, seed \(seed)"
        language = plan.book.language
        lines = spine.lines.map { line in
            var line = line
            line.quad = line.quad.rounded
            line.size = line.size.rounded()
            return line
        }
        transcription = lines.filter { $0.size >= Self.smallestCertain }.map(\.text).joined(separator: " ")
    }
}

extension Quad {
    /// To tenths of a pixel, which is finer than anyone can tell.
    fileprivate var rounded: Quad {
        func tenth(_ point: Point) -> Point {
            Point(x: (point.x * 10).rounded() / 10, y: (point.y * 10).rounded() / 10)
        }
        return Quad(
            topLeft: tenth(topLeft),
            topRight: tenth(topRight),
            bottomRight: tenth(bottomRight),
            bottomLeft: tenth(bottomLeft)
        )
    }
}
