import Basics
import Imaging
import SpineDatasets

/// Places a book's texts on its spine, and gives the cover the marks that go with them.
///
/// Places are in the pixels of the design: x from the left edge, y from the head.
struct SpineLayout {
    private let book: Book
    private let recipe: Recipe
    private let lettering: Lettering
    private let typesetter: Typesetter
    private let thickness: Double
    private let length: Double
    private var generator: SplitMix64
    private var inks: Inks
    private(set) var cover: Cover
    /// Blocks in reading order.
    private(set) var blocks: [TextBlock] = []
    private var footBlocks: [TextBlock] = []
    let hasSticker: Bool

    /// No title or author is set smaller than this where room allows it.
    private static let smallestLetters = 13.0

    init(
        book: Book,
        recipe: Recipe,
        typefaces: [Typeface],
        cover: Cover,
        _ typesetter: Typesetter,
        _ generator: SplitMix64
    ) {
        (self.book, self.recipe, self.typesetter, self.cover) = (book, recipe, typesetter, cover)
        (thickness, length, self.generator) = (cover.width, cover.height, generator)
        lettering = Lettering(book: book, recipe: recipe, typefaces: typefaces, typesetter, &self.generator)
        inks = Inks(isDecorated: recipe.category == .stylized, &self.generator)
        hasSticker = self.generator.chance(recipe.treatment == nil ? 0.25 : 0.08)
        let direction = drawDirection()
        let head = headOfSpine()
        let foot = footOfSpine(recipe.layout == .along || recipe.layout == .sideBySide ? direction : .across)
        let area = head...max(head + 1, foot)
        switch recipe.layout {
        case .along: along(area, direction)
        case .sideBySide: sideBySide(area, direction)
        case .across: across(area)
        case .letters: letters(area, direction)
        case .mixed: mixed(area, direction)
        }
        decorate()
        blocks += footBlocks
        // The title first: the other inks keep to its colours.
        for index in blocks.indices where blocks[index].role == .title { blocks[index] = finished(blocks[index]) }
        for index in blocks.indices where ![.title, .sticker].contains(blocks[index].role) {
            blocks[index].ink = inks.other(on: self.cover.grounds(blocks[index].room), &self.generator)
        }
        // Read in the title's direction: from the foot where it runs up.
        if blocks.first(where: { $0.role == .title })?.direction == .up { blocks.reverse() }
    }

    /// Name of what makes the lettering hard, for the label.
    var style: String {
        if let treatment = recipe.treatment, treatment.genre ?? lettering.titleGenre == lettering.titleGenre {
            return treatment.rawValue
        }
        return recipe.layout != .along ? recipe.layout.rawValue : hasSticker ? "sticker" : "plain"
    }

    /// Contrast of the title's ink with its background where it is lowest, 1…21 (WCAG 2.2).
    var contrast: Double {
        blocks.first { $0.role == .title }.map { $0.ink.contrast(on: cover.grounds($0.room)) } ?? 1
    }

    private mutating func finished(_ title: TextBlock) -> TextBlock {
        var block = title
        let grounds = cover.grounds(block.room)
        guard recipe.treatment != .toneOnTone else {
            block.ink = Inks.tone(on: grounds, &generator)
            return block
        }
        block.ink = inks.title(on: grounds, &generator)
        switch recipe.treatment {
        case .hollow: block.effect = .hollow(width: generator.number(in: 0.035...0.05))
        case .picture where generator.chance(0.5):
            // Print on an illustration often has a separate shade for contrast everywhere.
            block.effect = .shaded(block.ink.luminance > 0.3 ? Colour(0x101014) : Colour(0xF4F0E6))
        default: break
        }
        return block
    }

    private mutating func drawDirection() -> TextBlock.Direction {
        // Most English spines read downwards, most others upwards. The text of a flat book is read downwards.
        let downwards =
            switch book.language {
            case .english: 0.9
            case .swedish, .norwegian: 0.6
            default: 0.2
            }
        return generator.chance(downwards) || recipe.pose == .lying ? .down : .up
    }
}

/// Measuring and placing.
extension SpineLayout {
    /// Text of a font size that is yet to be decided.
    private struct Run {
        var block: TextBlock
        /// Extent along the spine and across it, at a font size of 1.
        var extent: (along: Double, across: Double)
        var size = 0.0

        var length: Double { size * extent.along }
        var depth: Double { size * extent.across }

        /// Makes the text smaller where it is longer than this along the spine.
        func fitted(to room: Double) -> Run {
            var run = self
            run.size = min(size, max(room, 1) / max(extent.along, 0.01))
            return run
        }
    }

    /// Returns a run that takes this share of the thickness; a guess for text without glyphs, which drawing will
    /// report.
    private func run(_ block: TextBlock, depth: Double) -> Run {
        let rows = block.rows
        let read = try? block.extent(typesetter)
        let (along, across) = (read?.along ?? 0.6 * Double(rows[0].text.count), read?.across ?? Double(rows.count))
        let isAcross = block.direction == .across
        let extent = (along: isAcross ? across : along, across: isAcross ? along : across)
        return Run(block: block, extent: extent, size: depth * thickness / max(extent.across, 0.01))
    }

    /// Places a run with its upper end at `start`, its middle at `centre` (0…1) across the spine.
    private mutating func place(_ run: Run, from start: Double, centre: Double = 0.5) {
        var block = run.block
        let depth = max(run.depth, 1)
        block.room = Box(x: centre * thickness - depth / 2, y: start, width: depth, height: max(run.length, 1))
        blocks.append(block)
    }

    private mutating func placeAtFoot(_ run: Run, from start: Double) {
        place(run, from: start)
        footBlocks.append(blocks.removeLast())
    }
}

/// Head, foot and decoration.
extension SpineLayout {
    /// Returns where the text may begin.
    private mutating func headOfSpine() -> Double {
        let margin = length * generator.number(in: 0.025...0.06)
        switch generator.integer(in: 0...9) {
        case 0:
            let end = thickness * generator.number(in: 0.25...1.4)
            addBand(-2...end, generator.element(of: Palette.covers))
            return end + 0.22 * thickness
        case 1:
            let size = generator.number(in: 0.4...0.6)
            addDevice(at: margin + size * thickness / 2, size: size)
            return margin + (size + 0.3) * thickness
        default: return margin
        }
    }

    /// Puts a library's label, the publisher's name, a device or nothing at the foot, and returns where the text has to
    /// end.
    private mutating func footOfSpine(_ direction: TextBlock.Direction) -> Double {
        var end = length * (1 - generator.number(in: 0.025...0.05))
        if hasSticker { end = addSticker(above: end) - 0.12 * thickness }
        let draw = generator.nextDouble()
        let isAcross = direction == .across || thickness >= 85 && generator.chance(0.55)
        if draw < 0.62 {
            let depth = isAcross ? generator.number(in: 0.55...0.8) : generator.number(in: 0.16...0.24)
            var name = run(lettering.publisher(isAcross ? .across : direction), depth: depth)
            if isAcross { name.size = min(name.size, 0.2 * thickness) }
            name = name.fitted(to: 0.16 * length)
            placeAtFoot(name, from: end - name.length)
            end -= name.length + 0.12 * thickness
        }
        if draw > 0.42, draw < 0.88 {
            let size = generator.number(in: 0.36...0.6)
            addDevice(at: end - size * thickness / 2, size: size)
            end -= (size + 0.12) * thickness
        }
        if generator.chance(0.15), !hasSticker { addBand(end...length + 2, generator.element(of: Palette.covers)) }
        return end - 0.16 * thickness
    }

    /// Adds a label with a call number that ends at `end`, and returns its upper end.
    private mutating func addSticker(above end: Double) -> Double {
        let isThin = thickness < 62
        let block = lettering.callNumber(isThin ? .down : .across, &generator)
        let side = generator.chance(0.35) ? 0 : generator.number(in: 0.03...0.1) * thickness
        let pad = 0.1 * thickness
        var text = run(block, depth: 1 - 2 * (side + pad) / thickness)
        text.size = min(text.size, (isThin ? 1 : generator.number(in: 0.2...0.3)) * thickness)
        text = text.fitted(to: 0.3 * length)
        let top = end - text.length - 2.4 * pad
        let colour = Colour(generator.element(of: [0xFAFAF7, 0xF4F1E6, 0xEFE6CC, 0xFFFFFF, 0xE9EEF0]))
        let label = Box(x: side, y: top, width: thickness - 2 * side, height: end - top)
        cover.marks.append(Mark(box: label, colour: colour))
        placeAtFoot(text, from: top + 1.2 * pad)
        return top
    }

    private mutating func addBand(_ range: ClosedRange<Double>, _ colour: Colour) {
        let box = Box(x: -1, y: range.lowerBound, width: thickness + 2, height: range.span)
        cover.marks.insert(Mark(box: box, colour: colour), at: 0)
    }

    /// Adds a publisher's device: a shape, alone or in another one.
    private mutating func addDevice(at y: Double, size: Double) {
        let side = size * thickness
        let box = Box(x: (thickness - side) / 2, y: y - side / 2, width: side, height: side)
        let ink = inks.other(on: cover.grounds(box), contrast: 2.5, &generator)
        let shape = generator.element(of: Mark.Shape.allCases)
        cover.marks.append(Mark(shape: shape, box: box, colour: ink))
        guard shape != .star else { return }
        let counter = Inks.strongest(on: [ink])
        cover.marks.append(Mark(shape: .star, box: box.inset(by: 0.22 * side), colour: counter))
    }

    /// Adds a rule, a device, a band to the end of the spine, or nothing between two texts.
    private mutating func decorateGap(_ gap: ClosedRange<Double>) {
        let (middle, room) = (gap.middle, gap.span)
        let ground = cover.grounds(Box(x: 0, y: middle, width: thickness, height: 1))
        switch generator.integer(in: 0...9) {
        case 0:
            addBand(generator.chance(0.5) ? -2...middle : middle...length + 2, generator.element(of: Palette.covers))
        case 1, 2:
            let width = generator.number(in: 0.4...1) * thickness
            let height = generator.number(in: 0.012...0.03) * thickness
            let box = Box(x: (thickness - width) / 2, y: middle, width: width, height: height)
            cover.marks.append(Mark(box: box, colour: inks.other(on: ground, contrast: 2, &generator)))
        case 3, 4:
            let size = min(room / thickness * 0.6, generator.number(in: 0.2...0.5))
            if size >= 0.1 { addDevice(at: middle, size: size) }
        default: break
        }
    }

    /// Adds a frame, or a panel behind the title; most spines have neither.
    private mutating func decorate() {
        let draw = generator.nextDouble()
        if draw < 0.07 {
            let inset = generator.number(in: 0.035...0.06) * thickness
            let ink = inks.other(on: cover.grounds(cover.box), contrast: 2, &generator)
            cover.marks.append(Mark(box: cover.box.inset(by: inset), colour: ink, lineWidth: 0.014 * thickness))
        } else if draw < 0.25, recipe.treatment == nil, recipe.layout != .sideBySide,
            let title = blocks.first(where: { $0.role == .title })
        {
            let room = title.room.inset(by: -generator.number(in: 0.1...0.18) * thickness)
            let panel = Box(x: -1, y: room.y, width: thickness + 2, height: room.height)
            // Not under a neighbour: half of its text would be on the panel.
            guard (blocks + footBlocks).allSatisfy({ $0 == title || !$0.room.overlaps(panel) }) else { return }
            cover.marks.append(Mark(box: panel, colour: generator.element(of: Palette.covers)))
        }
    }
}

/// The five layouts.
extension SpineLayout {
    private mutating func along(_ area: ClosedRange<Double>, _ direction: TextBlock.Direction) {
        let (gap, room) = (thickness * generator.number(in: 0.3...0.7), area.span)
        let isAuthorBig = generator.chance(0.2)
        let titleDepth = generator.number(in: isAuthorBig ? 0.26...0.42 : 0.42...0.75)
        let authorDepth = generator.number(in: isAuthorBig ? 0.45...0.65 : 0.2...0.42)
        let name = generator.chance(0.25) ? book.surname : book.author
        var runs = [fittedTitle(direction, depth: titleDepth, room: room * (name.isEmpty ? 0.92 : 0.7))]
        let title = runs[0].size
        let authorRows = thickness >= 95 && generator.chance(0.35) ? 2 : 1
        if let author = lettering.author(name, direction, rows: authorRows) {
            var run = run(author, depth: author.rows.count > 1 ? min(0.66, authorDepth * 1.9) : authorDepth)
            if !isAuthorBig {
                run.size = min(run.size, title * 0.95)
                run = run.fitted(to: 0.36 * room)
                run.size = max(run.size, min(Self.smallestLetters, title))
            }
            runs.append(run)
        }
        if generator.chance(0.55) { runs.reverse() }
        if recipe.treatment == nil, generator.chance(0.1) {
            var subtitle = run(lettering.subtitle(direction, &generator), depth: 0.2)
            subtitle.size = min(subtitle.size, title * 0.6)
            runs.insert(subtitle, at: (runs.firstIndex { $0.block.role == .title } ?? 0) + 1)
        }
        if direction == .up { runs.reverse() }
        // The largest text gives way first.
        let most = room - gap * Double(runs.count - 1)
        while runs.reduce(0, { $0 + $1.length }) > max(most, 1) {
            let largest = runs.map(\.size).max() ?? 0
            for index in runs.indices where runs[index].size >= 0.7 * largest { runs[index].size *= 0.96 }
        }
        spread(runs, over: area, gap: gap)
    }

    /// Returns the title in the number of rows that makes it largest, or in a random one.
    private mutating func fittedTitle(_ direction: TextBlock.Direction, depth: Double, room: Double) -> Run {
        func fitted(_ rows: Int) -> Run {
            let title = lettering.title(direction, rows: rows)
            return run(title, depth: title.rows.count > 1 ? max(depth, 0.62) : depth).fitted(to: room)
        }
        var best = fitted(1)
        guard best.block.rows.count == 1, book.title.contains(" ") else { return best }
        for rows in 2...3 where thickness >= 36 * Double(rows) - 10 {
            let other = fitted(rows)
            if other.size > 1.2 * best.size || rows == 2 && generator.chance(0.15) { best = other }
        }
        best.block.alignment = generator.element(of: [0, 0.5, 0.5, direction == .up ? 1 : 0])
        return best
    }

    /// Places runs from the head to the foot: at the head, at the foot, apart, evenly, or in the middle.
    private mutating func spread(_ runs: [Run], over area: ClosedRange<Double>, gap: Double) {
        let inner = Double(max(runs.count - 1, 1))
        let spare = max(0, area.span - runs.reduce(0) { $0 + $1.length } - gap * Double(runs.count - 1))
        let (before, between): (Double, Double) =
            switch generator.integer(in: 0...4) {
            case 0: (0, 0)
            case 1: (spare, 0)
            case 2: runs.count > 1 ? (0, spare / inner) : (spare / 2, 0)
            case 3: (spare / (inner + 2), spare / (inner + 2))
            default: (spare / 2, 0)
            }
        var position = area.lowerBound + before
        for (index, run) in runs.enumerated() {
            place(run, from: position)
            position += run.length
            if index + 1 < runs.count { decorateGap(position...position + gap + between) }
            position += gap + between
        }
    }

    private mutating func sideBySide(_ area: ClosedRange<Double>, _ direction: TextBlock.Direction) {
        let title = run(lettering.title(direction), depth: generator.number(in: 0.36...0.46)).fitted(to: area.span)
        guard let block = lettering.author(book.author, direction) else {
            return place(title, from: area.middle - title.length / 2)
        }
        var author = run(block, depth: generator.number(in: 0.2...0.28)).fitted(to: area.span)
        author.size = min(author.size, title.size * 1.1)
        // Both rows are in the middle of the spine, a seventh of the thickness or the available space between them.
        let (first, second) = (title.depth / thickness, author.depth / thickness)
        let total = first + second + min(0.14, max(0.06, 0.9 - first - second))
        let titleOnTop = generator.chance(0.7)
        // The first row is on the right where text runs down, on the left where it runs up.
        let titleFirst = titleOnTop == (direction == .down)
        let side = titleFirst ? 1.0 : -1
        let alignment = generator.element(of: [0, 0.5, 0.5, 1])
        let runs = [
            (title, 0.5 + side * (total - first) / 2), (author, 0.5 - side * (total - second) / 2),
        ]
        for (run, centre) in titleFirst ? runs : runs.reversed() {
            place(run, from: area.lowerBound + (area.span - run.length) * alignment, centre: centre)
        }
    }

    private mutating func across(_ area: ClosedRange<Double>) {
        var block = lettering.title(limit: generator.chance(0.5) ? 6 : 9)
        block.alignment = generator.element(of: [0.5, 0.5, 0])
        let title = run(block, depth: generator.number(in: 0.72...0.86)).fitted(to: area.span * 0.56)
        let author = lettering.author(book.author, .across).map { block in
            var author = run(block, depth: generator.number(in: 0.6...0.84)).fitted(to: area.span * 0.3)
            author.size = min(author.size, title.size * 1.2)
            return author
        }
        let runs = [title, author].compactMap(\.self)
        spread(generator.chance(0.6) ? runs : runs.reversed(), over: area, gap: 0.2 * thickness)
    }

    /// Places the title as a column of letters, the author along the spine or across it.
    private mutating func letters(_ area: ClosedRange<Double>, _ direction: TextBlock.Direction) {
        let gap = 0.3 * thickness
        let name = book.author.count > 10 ? book.surname : book.author
        let author = lettering.author(name, generator.chance(0.5) ? direction : .across).map { block in
            block.direction == .across
                ? run(block, depth: 0.8).fitted(to: area.span * 0.16)
                : run(block, depth: generator.number(in: 0.24...0.4)).fitted(to: area.span * 0.34)
        }
        let room = area.span - (author.map { $0.length + gap } ?? 0)
        let title = run(lettering.columnTitle(), depth: generator.number(in: 0.46...0.62)).fitted(to: room)
        let runs = [title, author].compactMap(\.self)
        spread(generator.chance(0.5) ? runs : runs.reversed(), over: area, gap: gap)
    }

    /// Places one of author and title across the head, the other along the rest.
    private mutating func mixed(_ area: ClosedRange<Double>, _ direction: TextBlock.Direction) {
        let hasTitleAcross =
            Recipe.fitsAcross(title: book) && (!Recipe.fitsAcross(author: book) || generator.chance(0.75))
        let gap = 0.34 * thickness
        let upper = (hasTitleAcross ? lettering.title(limit: 5) : lettering.author(book.surname, .across)).map {
            run($0, depth: 0.84).fitted(to: area.span * (hasTitleAcross ? 0.5 : 0.2))
        }
        let room = area.span - (upper?.length ?? 0) - gap
        let lower =
            hasTitleAcross
            ? lettering.author(book.author, direction).map { block in
                run(block, depth: generator.number(in: 0.26...0.5)).fitted(to: room)
            } : fittedTitle(direction, depth: generator.number(in: 0.4...0.68), room: room)
        spread([upper, lower].compactMap(\.self), over: area, gap: gap)
    }
}
