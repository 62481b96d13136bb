import SpineDatasets

/// Places a book's texts on its spine and gives the cover the marks that go with them.
///
/// Places along the spine are in pixels from the head, places across it in shares of the thickness from the left edge.
/// The extensions of this type have a family of layouts each.
struct SpineLayout {
    let book: Book
    let brief: SpineBrief
    let lettering: Lettering
    let typesetter: Typesetter
    let thickness: Double
    let length: Double
    var generator: SeededGenerator
    var cover: Cover
    var inks: Inks
    var texts: SpineTexts
    /// From the head to the foot, not inked yet.
    var blocks: [TextBlock] = []
    /// Blocks of the foot, which follow the others.
    var footBlocks: [TextBlock] = []
    var plannedSticker: Sticker?
    var stickers: [Sticker] = []
    /// Number of the cover's marks that are its illustration, under all the others.
    let sceneMarks: Int

    init(
        book: Book,
        brief: SpineBrief,
        typefaces: [Typeface],
        thickness: Double,
        length: Double,
        cover: Cover,
        generator: SeededGenerator
    ) {
        self.book = book
        self.brief = brief
        self.thickness = thickness
        self.length = length
        self.cover = cover
        sceneMarks = cover.marks.count
        self.generator = generator
        typesetter = Typesetter()
        lettering = Lettering(brief: brief, typefaces: typefaces, typesetter: typesetter)
        inks = Inks(stylized: brief.category == .stylized, &self.generator)
        texts = SpineTexts(book: book, lettering: lettering, &self.generator)
    }

    /// Makes all decisions.
    mutating func compose() {
        plannedSticker = planSticker()
        switch brief.layout {
        case .running: running()
        case .sideBySide: sideBySide()
        case .stacked: stacked()
        case .letterStack: letterStack()
        case .compartments: compartments()
        case .authorAcross: authorAcross()
        case .titleAcross: titleAcross()
        }
        addStickers()
        blocks += footBlocks
        // The title first: the other inks keep to its colours.
        for index in blocks.indices where blocks[index].role == .title { blocks[index] = inked(blocks[index]) }
        for index in blocks.indices where blocks[index].role != .title { blocks[index] = inked(blocks[index]) }
        // Read in the title's direction: from the foot where it runs up.
        if blocks.first(where: { $0.role == .title })?.direction == .up { blocks.reverse() }
    }

    // MARK: Measures

    /// Text of a font size that is yet to be decided.
    struct Run {
        var block: TextBlock
        var extent: TextSetter.Extent
        /// Font size in pixels.
        var size: Double

        /// Length along the spine, and across it, in pixels.
        var length: Double { size * (block.direction == .across ? extent.across : extent.along) }
        var depth: Double { size * (block.direction == .across ? extent.along : extent.across) }
    }

    /// The block at the font size at which it takes `depth` of the thickness.
    func run(_ block: TextBlock, depth: Double) -> Run {
        let extent = measure(block)
        let across = block.direction == .across ? extent.along : extent.across
        return Run(block: block, extent: extent, size: depth * thickness / max(across, 0.01))
    }

    /// Extent of a block at a font size of 1; a guess for text that no typeface here can write.
    ///
    /// Drawing such text says what is missing.
    func measure(_ block: TextBlock) -> TextSetter.Extent {
        let setter = TextSetter(block: block, thickness: thickness, length: length)
        if let extent = try? setter.extent(with: typesetter) { return extent }
        let longest = block.rows.map(\.text.count).max() ?? 1
        return TextSetter.Extent(along: 0.6 * Double(longest), across: Double(block.rows.count))
    }

    /// Places a run with its upper end at `start`, its middle at `centre` across the spine.
    mutating func place(_ run: Run, from start: Double, centre: Double = 0.5) {
        var block = run.block
        block.along = start / length...(start + max(run.length, 1)) / length
        let half = max(run.depth, 1) / thickness / 2
        block.across = centre - half...centre + half
        blocks.append(block)
    }

    /// A stretch of the spine in a colour of its own, from edge to edge.
    mutating func addBand(_ range: ClosedRange<Double>, _ colour: Colour) {
        cover.marks.append(
            Mark(
                shape: .box,
                along: (range.lowerBound + range.upperBound) / 2 / length,
                across: 0.5,
                width: 1.02,
                height: (range.upperBound - range.lowerBound) / thickness,
                colour: colour
            )
        )
    }

    /// The colours under a stretch of the spine.
    func grounds(_ range: ClosedRange<Double>) -> [Colour] {
        cover.grounds(
            along: range.lowerBound / length...range.upperBound / length,
            across: 0.1...0.9,
            shape: length / thickness
        )
    }

    /// An ink for marks in a stretch of the spine.
    mutating func markInk(_ range: ClosedRange<Double>, contrast: Double = 2) -> Colour {
        inks.other(on: grounds(range), contrast: contrast, &generator)
    }

    private mutating func inked(_ block: TextBlock) -> TextBlock {
        var block = block
        let grounds = cover.grounds(along: block.along, across: block.across, shape: length / thickness)
        if brief.layout == .compartments, brief.treatment == nil || block.role != .title {
            block.ink = inks.stamped(on: grounds, &generator)
        } else if block.role == .title {
            lettering.finish(&block, on: grounds, &inks, &generator)
        } else {
            block.ink = inks.other(on: grounds, &generator)
        }
        return block
    }
}
