import Foundation
import SpineDatasets

/// Draws planned spines.
struct SpinePress: Sendable {
    private let typefaces: [Typeface]
    private let renderer = SpineRenderer()

    /// - Throws: `SynthesisError.noFonts` when there is no typeface.
    init(typefaces: [Typeface]) throws(SynthesisError) {
        _ = try SpineDesigner(typefaces: typefaces)
        self.typefaces = typefaces
    }

    /// The spine that is planned, and what it was drawn from.
    ///
    /// - Parameters:
    ///   - plan: What to draw.
    ///   - widths: How wide it is to be in its picture, in pixels; more when its letters would get too small.
    /// - Returns: The design as it was drawn, and the picture.
    /// - Throws: What designing and drawing throw.
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

    /// The width that has the place in `range` that `designed` has in all that designs have, by their logarithms.
    static func width(_ designed: Double, in range: ClosedRange<Int>) -> Double {
        let (all, lower, upper) = (CameraDesigner.widths, Double(range.lowerBound), Double(range.upperBound))
        let place = log(designed / all.lowerBound) / log(all.upperBound / all.lowerBound)
        return lower * pow(upper / lower, max(0, min(1, place)))
    }

    /// Result of `body` on the plan's design; a typeface that cannot write the text is left out and the spine designed
    /// again.
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

    /// - Throws: `SynthesisError.missingGlyphs` when a typeface lacks a letter of its text, as drawing would.
    func checkLetters(of specification: SpineSpecification) throws(SynthesisError) {
        let typesetter = Typesetter()
        for block in specification.blocks + specification.stickers.flatMap(\.blocks) {
            _ = try TextSetter(block: block, thickness: 1, length: 1).extent(with: typesetter)
        }
    }

    /// Titles and authors among `books` that none of the typefaces can write.
    func unwritable(_ books: [Book]) -> [String] {
        let typesetter = Typesetter()
        return books.flatMap { [$0.title, $0.author] }.filter { text in
            !text.isEmpty && !typefaces.contains { typesetter.canWrite(text, in: $0) }
        }
    }
}
