/// Makes up spines: draws everything that a specification holds from a seed, within what real spines look like.
package struct SpineDesigner: Sendable {
    /// What there is to set text in.
    let typefaces: [Typeface]

    /// - Throws: `SynthesisError.noFonts` when `typefaces` is empty.
    package init(typefaces: [Typeface]) throws(SynthesisError) {
        guard !typefaces.isEmpty else {
            throw .noFonts(packages: Set(Typeface.all.map(\.package)).sorted())
        }
        self.typefaces = typefaces
    }

    /// The typefaces of `Typeface.all` that this machine has.
    package static func installedTypefaces() -> [Typeface] {
        let families = Canvas.installedFamilies()
        return Typeface.all.filter { families.contains($0.family) }
    }

    /// A spine for `book`.
    ///
    /// The same arguments give the same specification.
    package func design(_ book: Book, brief: SpineBrief, seed: UInt64) -> SpineSpecification {
        var generator = SeededGenerator(seed: seed)
        var cover = CoverDesigner.cover(for: brief, &generator)
        let size = size(of: book, brief, &generator)
        let layout = SpineLayout(
            book: book,
            brief: brief,
            typefaces: typefaces,
            thickness: Double(size.thickness),
            length: Double(size.length)
        )
        let blocks = layout.blocks(on: &cover, &generator)
        let camera = CameraDesigner.camera(thickness: Double(size.thickness), cover: cover, &generator)
        return SpineSpecification(
            thickness: size.thickness,
            length: size.length,
            pose: brief.pose,
            cover: cover,
            blocks: blocks,
            camera: camera,
            grainSeed: generator.next()
        )
    }

    /// Proportions of paperbacks and hardbacks, in the pixels of a phone's picture of a shelf; long titles get long spines.
    private func size(
        of book: Book,
        _ brief: SpineBrief,
        _ generator: inout SeededGenerator
    ) -> (thickness: Int, length: Int) {
        let (thickness, ratio): (Double, Double) =
            switch (brief.layout, brief.treatment) {
            case (.stacked, _): (generator.number(in: 170...230), generator.number(in: 4.4...5.6))
            case (.mixed, _): (generator.number(in: 120...170), generator.number(in: 5.5...7))
            case (_, .smallWords?): (generator.number(in: 130...170), generator.number(in: 5.5...7.5))
            case (_, .some): (generator.number(in: 80...140), generator.number(in: 6...10))
            default: (generator.number(in: 60...125), generator.number(in: 6...10.5))
            }
        // 20 pixels for each letter of the title and the surname keep the smallest letters that are drawn above 12 pixels.
        let needed = brief.layout == .stacked ? 0 : 20 * Double(book.title.count + book.surname.count)
        let length = max(500, min(1500, max(thickness * ratio, needed)))
        return (Int(thickness), Int(length))
    }
}
