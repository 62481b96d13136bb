import Foundation
import Imaging
import SpineDatasets

struct SpinePlan: Sendable, Equatable {
    var book: Book
    var brief: SpineRequest
    var seed: UInt64

    /// Returns the first plans of an endless list: a larger `count` begins with the same ones.
    ///
    /// Categories are mixed evenly, and a book comes again only when none of those that have not come yet suits.
    static func list(_ count: Int, of books: [Book], _ options: SynthesisOptions) -> [SpinePlan] {
        var generator = SeededGenerator(seed: options.seed)
        var deck = BookSampler(books)
        let shares = SampleCategory.allCases.map { options.categories[$0] ?? 0 }
        let total = shares.reduce(0, +)
        var credit = [Int](repeating: 0, count: shares.count)
        var ordinals = credit
        return (0..<max(0, count)).map { _ in
            // Smooth weighted round robin: every prefix of the list has about the shares of the whole.
            for index in shares.indices { credit[index] += shares[index] }
            let turn = shares.indices.max { credit[$0] < credit[$1] } ?? 0
            credit[turn] -= total
            let brief = SpineRequest(category: SampleCategory.allCases[turn], ordinal: ordinals[turn])
            ordinals[turn] += 1
            return SpinePlan(book: deck.draw(for: brief, &generator), brief: brief, seed: generator.next())
        }
    }
}

struct BookSampler {
    private let books: [Book]
    private var waiting: [Book] = []

    init(_ books: [Book]) {
        precondition(!books.isEmpty, "no books to draw")
        self.books = books
    }

    /// Returns the next book that suits `brief`; the next one of any kind when none does.
    mutating func draw(for brief: SpineRequest, _ generator: inout SeededGenerator) -> Book {
        var place = waiting.firstIndex(where: brief.suits)
        // Books that wait for a suitable brief do not require shuffling in more.
        if place == nil, waiting.count < 2 * books.count {
            waiting += generator.shuffled(books)
            place = waiting.firstIndex(where: brief.suits)
        }
        return waiting.remove(at: place ?? 0)
    }
}

struct SpineBatchRenderer: Sendable {
    private let typefaces: [Typeface]
    private let renderer = SpineRenderer()

    init(typefaces: [Typeface]) throws(SynthesisError) {
        _ = try SpineDesigner(typefaces: typefaces)
        self.typefaces = typefaces
    }

    /// Draws the planned spine; it is wider than `widths` (in pixels) where its letters would get too small.
    func draw(
        _ plan: SpinePlan,
        widths: ClosedRange<Int>
    ) throws(SynthesisError) -> (specification: SpineSpecification, spine: RenderedSpine) {
        try design(plan) { specification throws(SynthesisError) in
            var specification = specification
            let thickness = Double(specification.thickness)
            let width = Self.width(specification.camera.scale * thickness, in: widths)
            specification.camera.scale = width / thickness
            return (specification, try renderer.render(specification))
        }
    }

    /// Returns the width at the place in `range` that `designed` has in all that designs have, by their logarithms.
    static func width(_ designed: Double, in range: ClosedRange<Int>) -> Double {
        let (all, lower, upper) = (CameraDesigner.widths, Double(range.lowerBound), Double(range.upperBound))
        let place = log(designed / all.lowerBound) / log(all.upperBound / all.lowerBound)
        return lower * pow(upper / lower, max(0, min(1, place)))
    }

    /// Returns the result of `body` on the plan's design, made again without a typeface that cannot write the text.
    func design<Value>(
        _ plan: SpinePlan,
        _ body: (SpineSpecification) throws(SynthesisError) -> Value
    ) throws(SynthesisError) -> Value {
        var remaining = typefaces
        while true {
            let designer = try SpineDesigner(typefaces: remaining)
            do {
                return try body(designer.design(plan.book, brief: plan.brief, seed: plan.seed))
            } catch {
                guard case .missingGlyphs(let family, _) = error else { throw error }
                remaining.removeAll { $0.family == family }
                guard !remaining.isEmpty else { throw error }
            }
        }
    }

    /// Returns the plan's design, in typefaces that have every letter of its text, as drawing requires.
    func design(_ plan: SpinePlan) throws(SynthesisError) -> SpineSpecification {
        let typesetter = Typesetter()
        return try design(plan) { specification throws(SynthesisError) in
            for block in specification.blocks + specification.stickers.flatMap(\.blocks) {
                _ = try TextSetter(block: block, thickness: 1, length: 1).extent(with: typesetter)
            }
            return specification
        }
    }

    /// Returns titles and authors among `books` that none of the typefaces can write.
    func unwritable(_ books: [Book]) -> [String] {
        let typesetter = Typesetter()
        return books.flatMap { [$0.title, $0.author] }.filter { text in
            !text.isEmpty && !typefaces.contains { typesetter.canWrite(text, in: $0) }
        }
    }
}

extension Sample {
    /// The smallest font size in pixels that a person reads with certainty, and so that the transcription has.
    static let smallestCertain = 11.0

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
            legible: spine.lines.isTitleReadable(difficulty)
        )
        (outline, lines) = (spine.quad.rounded, spine.lines.map(LabelledLine.init))
        (language, style) = (plan.book.language.rawValue, specification.style)
        self.difficulty = difficulty.mapValues(\.roundedForLabels)
        (split, source) = ("test", "SpineSynthesis, seed \(seed)")
    }
}

extension LabelledLine {
    init(_ line: RenderedSpine.Line) {
        self.init(text: line.text, role: line.role, quad: line.quad.rounded, font: line.font, size: line.size.rounded())
    }
}

extension [RenderedSpine.Line] {
    var certainText: String { filter { $0.size >= Sample.smallestCertain }.map(\.text).joined(separator: " ") }

    /// Returns whether there is a title and a person can read every line of it, by the figures of its `difficulty`.
    ///
    /// Letters are legible when their font size is eight times the standard deviation of the blur, twelve times at a
    /// contrast of 3, sixteen times at 2. The factors were found by inspecting drawn pictures.
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
    func author(asPrintedIn lines: [RenderedSpine.Line]) -> String? {
        let printed = lines.filter { $0.role == .author }.map(\.text).joined(separator: " ")
        guard !printed.isEmpty else { return nil }
        // Capitals on both sides: "STRAUSS" has lost its ß.
        return [surname, author].first { $0.uppercased() == printed.uppercased() } ?? printed
    }
}

extension Double {
    var roundedForLabels: Double { (self * 1_000).rounded() / 1_000 }
}
