import Raster
import SpineDatasets

extension Sample {
    /// The smallest font size in pixels that the transcription takes notice of.
    private static let smallestCertain = 11.0

    /// The label of a spine that was drawn.
    init(id: String, image: String, plan: StarterDataset.Plan, spine: RenderedSpine, seed: UInt64) {
        let authorText = spine.lines.filter { $0.role == .author }.map(\.text).joined(separator: " ")
        self.init(
            id: id,
            image: image,
            category: plan.brief.category,
            title: plan.book.title,
            author: authorText.lowercased() == plan.book.surname.lowercased() ? plan.book.surname : plan.book.author,
            transcription: spine.lines.filter { $0.size >= Self.smallestCertain }.map(\.text).joined(separator: " "),
            orientation: spine.orientation ?? .upright,
            group: id,
            outline: spine.quad.rounded,
            lines: spine.lines.map { line in
                LabelledLine(
                    text: line.text,
                    role: line.role,
                    quad: line.quad.rounded,
                    font: line.font,
                    size: line.size.rounded()
                )
            },
            language: plan.book.language.rawValue,
            difficulty: spine.difficulty.mapValues { ($0 * 1000).rounded() / 1000 },
            split: "test",
            source: "SpineSynthesis, seed \(seed)"
        )
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
