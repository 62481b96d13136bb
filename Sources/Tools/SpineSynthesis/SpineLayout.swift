import SpineDatasets

/// Places a book's texts on its spine and gives the cover the marks that go with them.
///
/// Places along the spine are in pixels from the head, places across it in shares of the thickness from the left edge.
struct SpineLayout {
    let book: Book
    let brief: SpineRequest
    let lettering: Lettering
    let typesetter: Typesetter
    let thickness: Double
    let length: Double
    var generator: SeededGenerator
    var cover: Cover
    var inks: Inks
    var texts: SpineTexts
    /// Blocks from the head to the foot, not inked yet.
    var blocks: [TextBlock] = []
    var footBlocks: [TextBlock] = []
    var plannedSticker: Sticker?
    var stickers: [Sticker] = []
    /// Number of the cover's marks that are its illustration, under all the others.
    let sceneMarks: Int

    init(
        book: Book,
        brief: SpineRequest,
        typefaces: [Typeface],
        thickness: Double,
        length: Double,
        cover: Cover,
        generator: SeededGenerator
    ) {
        (self.book, self.brief, self.thickness) = (book, brief, thickness)
        (self.length, self.cover) = (length, cover)
        sceneMarks = cover.marks.count
        self.generator = generator
        typesetter = Typesetter()
        lettering = Lettering(brief: brief, typefaces: typefaces, typesetter: typesetter)
        inks = Inks(stylized: brief.category == .stylized, &self.generator)
        texts = SpineTexts(book: book, lettering: lettering, &self.generator)
    }

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
        var size: Double

        /// Length along the spine, and across it, in pixels.
        var length: Double { size * (block.direction == .across ? extent.across : extent.along) }
        var depth: Double { size * (block.direction == .across ? extent.along : extent.across) }
    }

    func run(_ block: TextBlock, depth: Double) -> Run {
        let extent = measure(block)
        let across = block.direction == .across ? extent.along : extent.across
        return Run(block: block, extent: extent, size: depth * thickness / max(across, 0.01))
    }

    /// Returns the extent of a block at a font size of 1; a guess for text without glyphs, which drawing will report.
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

    mutating func addBand(_ range: ClosedRange<Double>, _ colour: Colour) {
        cover.marks.append(Mark(.box, along: range.middle / length, height: range.span / thickness, colour))
    }

    func grounds(_ range: ClosedRange<Double>) -> [Colour] {
        cover.grounds(along: range / length, across: 0.1...0.9, shape: length / thickness)
    }

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

extension SpineLayout {
    mutating func authorAcross() {
        if generator.chance(0.7) { texts.authorName = book.surname }
        let direction: TextBlock.Direction = generator.chance(0.8) ? drawDirection() : .down
        let head = headOfSpine()
        let foot = footOfSpine(.across)
        var start = head
        if let block = texts.author(.across) {
            let author = across(block, width: 0.84, atMost: (foot - head) * 0.2)
            if generator.chance(0.4) {
                addBand(-2...head + author.length + 0.16 * thickness, generator.element(of: Palette.covers))
            }
            place(author, from: head)
            start = head + author.length + 0.36 * thickness
        }
        alongTitle(direction, in: start...foot)
    }

    mutating func titleAcross() {
        let direction = drawDirection()
        let head = headOfSpine()
        let foot = footOfSpine(.across)
        var block = texts.stackedTitle(limit: 5)
        lettering.shape(&block, &generator)
        block.letterSpacing = min(block.letterSpacing, 0.1)
        let title = across(block, width: 0.84, atMost: (foot - head) * 0.5)
        place(title, from: head)
        let start = head + title.length + 0.34 * thickness
        guard let author = texts.author(direction) else { return }
        var run = run(author, depth: generator.number(in: 0.26...0.5))
        run.size = min(run.size, (foot - start) / max(run.extent.along, 0.01))
        let spare = foot - start - run.length
        let from = start + spare * generator.element(of: [0, 0.5, 1])
        if from - start > 0.5 * thickness {
            decorateGap(start - 0.2 * thickness...from, between: blocks[blocks.count - 1], and: run)
        }
        place(run, from: from)
    }

    private mutating func alongTitle(_ direction: TextBlock.Direction, in area: ClosedRange<Double>) {
        let room = area.span
        var title = texts.title(direction, rows: 1)
        lettering.shape(&title, &generator)
        var run = run(title, depth: generator.number(in: 0.4...0.68))
        if run.length > room, book.title.contains(" ") {
            var broken = texts.title(direction, rows: 2)
            broken.letterSpacing = title.letterSpacing
            run = self.run(broken, depth: 0.72)
        }
        run.size = min(run.size, room / max(run.extent.along, 0.01))
        place(run, from: area.lowerBound + (room - run.length) * generator.element(of: [0, 0.5, 0.5]))
    }
}

extension SpineLayout {
    var style: String {
        if brief.layout == .letterStack { return brief.layout.rawValue }
        let title = blocks.first { $0.role == .title }
        if let treatment = brief.treatment {
            // Without a typeface of the kind that has the letters, the lettering is plain.
            let isPlain = treatment.genre.map { $0 != title?.typeface.genre } ?? false
            return isPlain ? "plain" : treatment.rawValue
        }
        if !stickers.isEmpty { return "sticker" }
        return brief.layout == .running ? "plain" : brief.layout.rawValue
    }

    var difficulty: [String: Double] {
        guard let title = blocks.first(where: { $0.role == .title }) else { return [:] }
        let grounds = cover.grounds(along: title.along, across: title.across, shape: length / thickness)
        let luminances = grounds.map(\.luminance)
        let colours = title.rows.map { $0.ink ?? title.ink }
        let contrast = colours.map { Inks.contrast($0, luminances) }.min() ?? 1
        let size = fontSizes(of: [.title]).max() ?? 0
        return ["contrast": (contrast * 100).rounded() / 100, "titleSize": (size / thickness * 1000).rounded() / 1000]
    }

    func fontSizes(of roles: Set<LineRole>) -> [Double] {
        blocks.filter { roles.contains($0.role) }.flatMap { block -> [Double] in
            let setter = TextSetter(block: block, thickness: thickness, length: length)
            guard let (_, lines) = try? setter.set(with: typesetter) else { return [] }
            return lines.map { $0.scale * Typesetter.nominalSize }
        }
    }
}
