import SpineDatasets

struct SpineDesigner: Sendable {
    let typefaces: [Typeface]

    init(typefaces: [Typeface]) throws(SynthesisError) {
        guard !typefaces.isEmpty else { throw .noFonts(packages: Set(Typeface.all.map(\.package)).sorted()) }
        self.typefaces = typefaces
    }

    func design(_ book: Book, brief: SpineRequest, seed: UInt64) -> SpineSpecification {
        var generator = SeededGenerator(seed: seed)
        let size = size(of: book, brief, &generator)
        let (thickness, length) = (Double(size.thickness), Double(size.length))
        let cover = CoverDesigner.cover(for: brief, shape: length / thickness, &generator)
        var layout = SpineLayout(
            book: book,
            brief: brief,
            typefaces: typefaces,
            thickness: thickness,
            length: length,
            cover: cover,
            generator: generator.split()
        )
        layout.compose()
        return SpineSpecification(
            thickness: size.thickness,
            length: size.length,
            pose: brief.pose,
            cover: layout.cover,
            blocks: layout.blocks,
            stickers: layout.stickers,
            camera: CameraDesigner.camera(thickness: thickness, cover: layout.cover, &generator),
            style: layout.style,
            difficulty: layout.difficulty,
            grainSeed: generator.next()
        )
    }

    /// Proportions of paperbacks and hardbacks, in the pixels of a phone's picture; long titles get long spines.
    private func size(
        of book: Book,
        _ brief: SpineRequest,
        _ generator: inout SeededGenerator
    ) -> (thickness: Int, length: Int) {
        let (thickness, ratio): (Double, Double) =
            switch (brief.layout, brief.treatment) {
            case (.stacked, _): (generator.number(in: 130...210), generator.number(in: 4.2...6))
            case (.compartments, _): (generator.number(in: 120...170), generator.number(in: 5...7))
            case (.authorAcross, _), (.titleAcross, _): (generator.number(in: 95...165), generator.number(in: 5...8))
            case (.letterStack, _): (generator.number(in: 75...135), generator.number(in: 6...9))
            case (.sideBySide, _): (generator.number(in: 95...150), generator.number(in: 6...9))
            case (_, .smallWords?): (generator.number(in: 110...160), generator.number(in: 5.5...8))
            case (_, .some): (generator.number(in: 70...140), generator.number(in: 6...11))
            default: (generator.number(in: 52...135), generator.number(in: 6...12))
            }
        // 17 pixels for each letter of the title and the author keep the smallest letters that are drawn above 12
        // pixels.
        let isAlong = brief.layout == .running || brief.layout == .sideBySide
        let needed = isAlong ? 17 * Double(book.title.count + book.author.count / 2) : 0
        let length = max(500, min(1500, max(thickness * ratio, needed)))
        return (Int(thickness), Int(length))
    }
}
