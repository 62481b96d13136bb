import Raster
import SpineDatasets

extension Sample {
    /// The smallest font size in pixels that a person reads with certainty, and so that the transcription has.
    static let smallestCertain = 11.0

    /// The label of a spine that was drawn.
    init(
        id: String,
        image: String,
        plan: SpinePlan,
        specification: SpineSpecification,
        spine: RenderedSpine,
        seed: UInt64
    ) {
        let difficulty = specification.difficulty.merging(spine.difficulty) { $1 }
        self.init(
            id: id,
            image: image,
            category: plan.brief.category,
            title: plan.book.title,
            author: plan.book.author(asPrintedIn: spine.lines),
            transcription: spine.lines.certainText,
            orientation: spine.orientation ?? .upright,
            group: id,
            outline: spine.quad.rounded,
            lines: spine.lines.map(LabelledLine.init),
            legible: spine.lines.isTitleReadable(difficulty),
            language: plan.book.language.rawValue,
            style: specification.style,
            difficulty: difficulty.mapValues(\.roundedForLabels),
            split: "test",
            source: "SpineSynthesis, seed \(seed)"
        )
    }
}

extension LabelledLine {
    /// The label of a line that was drawn.
    init(_ line: RenderedSpine.Line) {
        self.init(text: line.text, role: line.role, quad: line.quad.rounded, font: line.font, size: line.size.rounded())
    }
}

extension [RenderedSpine.Line] {
    /// Text of these lines that a transcription holds.
    var certainText: String { filter { $0.size >= Sample.smallestCertain }.map(\.text).joined(separator: " ") }

    /// Whether there is a title and a person can read every line of it, by the figures of its label's `difficulty`.
    ///
    /// Letters can be told apart when their font size is eight times the standard deviation of the blur, and more than that
    /// where they are faint: twelve times at a contrast of 3, sixteen times at 2. Found by looking at what was drawn.
    func isTitleReadable(_ difficulty: [String: Double]) -> Bool {
        let title = filter { $0.role == .title }
        func square(_ name: String) -> Double { difficulty[name].map { $0 * $0 } ?? 0 }
        // A disc has a standard deviation of half its radius in each direction, a line one of its length / √12.
        let blur = (square("blurSigma") + square("defocusRadius") / 4 + square("motionLength") / 12).squareRoot()
        let contrast = Swift.max(1.01, difficulty["contrast"] ?? 21)
        let smallest = Swift.max(Sample.smallestCertain, blur * (8 + 8 / (contrast - 1)))
        return !title.isEmpty && title.allSatisfy { $0.size >= smallest }
    }
}

extension Book {
    /// The author's name as far as `lines` print it, spelled with small letters; nil when they print none.
    func author(asPrintedIn lines: [RenderedSpine.Line]) -> String? {
        let printed = lines.filter { $0.role == .author }.map(\.text).joined(separator: " ")
        guard !printed.isEmpty else { return nil }
        // Capitals on both sides: "STRAUSS" has lost its ß.
        return [surname, author].first { $0.uppercased() == printed.uppercased() } ?? printed
    }
}

extension Double {
    /// To thousandths: the figures of a label tell no more.
    var roundedForLabels: Double { (self * 1_000).rounded() / 1_000 }
}
