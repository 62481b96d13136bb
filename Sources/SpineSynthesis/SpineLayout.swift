import SpineDatasets

/// Places a book's texts on its spine and gives the cover the bands and ornaments that go with them.
struct SpineLayout {
    let book: Book
    let lettering: Lettering
    let thickness: Double
    let length: Double
    private let brief: SpineBrief

    init(book: Book, brief: SpineBrief, typefaces: [Typeface], thickness: Double, length: Double) {
        self.book = book
        self.brief = brief
        self.thickness = thickness
        self.length = length
        lettering = Lettering(brief: brief, typefaces: typefaces)
    }

    /// The blocks in reading order.
    func blocks(on cover: inout Cover, _ generator: inout SeededGenerator) -> [TextBlock] {
        let faces = lettering.pair(&generator)
        var texts = SpineTexts(book: book, lettering: lettering, title: faces.title, other: faces.other, &generator)
        switch brief.layout {
        case .running: return running(&texts, on: &cover, &generator)
        case .stacked: return stacked(&texts, on: &cover, &generator)
        case .mixed: return mixed(&texts, on: &cover, &generator)
        }
    }

    // MARK: Text along the spine

    private func running(
        _ texts: inout SpineTexts,
        on cover: inout Cover,
        _ generator: inout SeededGenerator
    ) -> [TextBlock] {
        // Most English spines read downwards, most others upwards. A lying book is read as it lies: downwards.
        let down = brief.pose == .lying || generator.chance(book.language == .english ? 0.82 : 0.2)
        let direction: TextBlock.Direction = down ? .down : .up
        let foot = footOfSpine(&texts, on: &cover, direction: direction, &generator)

        let head = generator.number(in: 0.04...0.07)
        let free = 1 - foot.share - head
        let shared = brief.treatment != .smallWords && thickness >= 105 && generator.chance(0.28)
        var blocks: [TextBlock] = []
        if shared {
            // Title over author, both along the whole spine.
            let room = head...1 - foot.share
            blocks = [
                texts.title(direction, along: room, across: across(0.08...0.56, direction), rows: 1),
                texts.author(direction, along: room, across: across(0.66...0.9, direction)),
            ]
        } else {
            let titleFirst = generator.chance(0.45)
            let rows = titleRowCount(&generator)
            let titleWeight = 1.5 * Double(book.title.count) / Double(rows) + 6
            let authorWeight = 0.95 * Double(texts.authorName.count) + 3
            let gap = generator.number(in: 0.02...0.06)
            let titleShare = (free - gap) * titleWeight / (titleWeight + authorWeight)
            // Reading positions, from the head when reading down and from the foot when reading up.
            let order = down ? head : foot.share
            let title = titleFirst ? order...order + titleShare : order + free - titleShare...order + free
            let author =
                titleFirst
                ? order + titleShare + gap...order + free : order...order + free - titleShare - gap
            let depth = rows > 1 ? 0.09 : generator.number(in: generator.chance(0.3) ? 0.24...0.32 : 0.12...0.2)
            let slim = generator.number(in: 0.26...0.35)
            let titleBlock = texts.title(direction, along: along(title, down), across: depth...1 - depth, rows: rows)
            let authorBlock = texts.author(direction, along: along(author, down), across: slim...1 - slim)
            blocks = titleFirst ? [titleBlock, authorBlock] : [authorBlock, titleBlock]
            decorate(&cover, between: along(title, down), and: along(author, down), &generator)
        }
        for index in blocks.indices { finish(&blocks[index], on: cover, &generator) }
        return down ? blocks + foot.blocks : foot.blocks + blocks
    }

    private func titleRowCount(_ generator: inout SeededGenerator) -> Int {
        guard thickness >= 85, book.title.contains(" ") else { return 1 }
        return generator.chance(book.title.count > 24 ? 0.75 : book.title.count > 12 ? 0.5 : 0) ? 2 : 1
    }

    /// A range from the side where a block's first row is, which is the right one when reading down.
    private func across(_ range: ClosedRange<Double>, _ direction: TextBlock.Direction) -> ClosedRange<Double> {
        direction == .down ? 1 - range.upperBound...1 - range.lowerBound : range
    }

    /// A range of reading positions as positions from the head.
    private func along(_ range: ClosedRange<Double>, _ down: Bool) -> ClosedRange<Double> {
        down ? range : 1 - range.upperBound...1 - range.lowerBound
    }

    /// What is printed at the foot of a spine: a publisher's name, a device, or nothing.
    private struct Foot {
        /// How much of the spine it takes.
        var share: Double
        var blocks: [TextBlock] = []
    }

    private func footOfSpine(
        _ texts: inout SpineTexts,
        on cover: inout Cover,
        direction: TextBlock.Direction,
        _ generator: inout SeededGenerator
    ) -> Foot {
        let edge = generator.number(in: 0.035...0.05)
        guard generator.chance(0.8) else { return Foot(share: edge + 0.02) }
        let named = generator.chance(0.7)
        let deviceShare = !named || generator.chance(0.4) ? 0.42 * thickness / length : 0
        let across = thickness >= 105 && generator.chance(0.5)
        let nameShare = named ? (across ? 0.42 * thickness : 11 * Double(texts.publisherName.count)) / length : 0
        let gap = named && deviceShare > 0 ? 0.012 : 0
        let share = edge + deviceShare + gap + nameShare + 0.03
        if generator.chance(0.35) {
            cover.bands.append(Cover.Band(along: 1 - share + 0.015...1, colour: generator.element(of: Palette.covers)))
        }
        if deviceShare > 0 {
            let place = 1 - edge - deviceShare / 2
            let shape = generator.element(of: [Cover.Ornament.Shape.disc, .ring, .lozenge, .block])
            let tint = CoverDesigner.ink(on: cover.ground(at: place), contrast: 3, &generator)
            cover.ornaments.append(Cover.Ornament(shape: shape, along: place, size: 0.42, colour: tint))
        }
        guard named else { return Foot(share: share) }
        let lower = 1 - edge - deviceShare - gap
        var block = texts.publisher(
            across ? .across : direction,
            along: lower - nameShare...lower,
            across: across ? 0.1...0.9 : 0.36...0.64
        )
        finish(&block, on: cover, &generator)
        return Foot(share: share, blocks: [block])
    }

    private func decorate(
        _ cover: inout Cover,
        between title: ClosedRange<Double>,
        and author: ClosedRange<Double>,
        _ generator: inout SeededGenerator
    ) {
        let (upper, lower) = title.lowerBound < author.lowerBound ? (title, author) : (author, title)
        let middle = (upper.upperBound + lower.lowerBound) / 2
        switch generator.integer(in: 0...5) {
        case 0:
            // The author's part of the spine in a colour of its own.
            let range = author.lowerBound < title.lowerBound ? 0...middle : middle...author.upperBound + 0.015
            cover.bands.append(Cover.Band(along: range, colour: generator.element(of: Palette.covers)))
        case 1:
            let tint = CoverDesigner.ink(on: cover.ground(at: middle), contrast: 2, &generator)
            cover.ornaments.append(Cover.Ornament(shape: .rule, along: middle, size: 0.025, colour: tint))
        case 2:
            let tint = CoverDesigner.ink(on: cover.ground(at: middle), contrast: 2, &generator)
            for along in [0.012, 0.024, 0.976, 0.988] {
                cover.ornaments.append(Cover.Ornament(shape: .rule, along: along, size: 0.03, colour: tint))
            }
        case 3 where cover.bands.isEmpty:
            let tint = CoverDesigner.ink(on: cover.ground(at: middle), contrast: 2, &generator)
            cover.ornaments.append(Cover.Ornament(shape: .frame, along: 0.5, size: 0.05, colour: tint))
        default:
            break
        }
    }

    // MARK: Text across the spine

    private func stacked(
        _ texts: inout SpineTexts,
        on cover: inout Cover,
        _ generator: inout SeededGenerator
    ) -> [TextBlock] {
        let titleFirst = generator.chance(0.6)
        let side = generator.number(in: 0.06...0.1)
        let title = titleFirst ? 0.07...0.5 : 0.36...0.82
        let author = titleFirst ? 0.58...0.76 : 0.07...0.25
        var blocks = [
            texts.stackedTitle(along: title, across: side...1 - side),
            texts.author(.across, along: author, across: side + 0.04...0.96 - side),
        ]
        if !titleFirst { blocks.reverse() }
        decorate(&cover, between: title, and: author, &generator)
        if generator.chance(0.7) {
            blocks.append(texts.publisher(.across, along: 0.88...0.95, across: 0.16...0.84))
        }
        for index in blocks.indices { finish(&blocks[index], on: cover, &generator) }
        return blocks
    }

    private func mixed(
        _ texts: inout SpineTexts,
        on cover: inout Cover,
        _ generator: inout SeededGenerator
    ) -> [TextBlock] {
        let rows = titleRowCount(&generator)
        texts.authorName = book.surname
        var blocks = [
            texts.author(.across, along: 0.04...0.16, across: 0.08...0.92),
            texts.title(.down, along: 0.2...0.8, across: 0.14...0.86, rows: rows),
            texts.publisher(.across, along: 0.87...0.96, across: 0.1...0.9),
        ]
        if generator.chance(0.5) {
            cover.bands.append(Cover.Band(along: 0...0.18, colour: generator.element(of: Palette.covers)))
        }
        for index in blocks.indices { finish(&blocks[index], on: cover, &generator) }
        return blocks
    }

    private func finish(_ block: inout TextBlock, on cover: Cover, _ generator: inout SeededGenerator) {
        let grounds = cover.ground(at: block.along.lowerBound) + cover.ground(at: block.along.upperBound)
        if block.role == .title {
            lettering.finish(&block, on: grounds, &generator)
        } else {
            block.ink = CoverDesigner.ink(on: grounds, contrast: 3.2, &generator)
        }
    }
}

extension Cover {
    /// The colours that text at `along` is printed on.
    func ground(at along: Double) -> [Colour] {
        if let band = bands.last(where: { $0.along.contains(along) }) { return [band.colour] }
        let base = colour.mixed(with: footColour, share: along)
        // A picture's blobs go either way from its base.
        return material == .picture
            ? [base.mixed(with: .white, share: 0.2), base.mixed(with: .black, share: 0.2)] : [base]
    }
}
