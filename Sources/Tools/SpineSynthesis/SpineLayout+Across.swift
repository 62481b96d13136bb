import SpineDatasets

extension SpineLayout {
    /// Returns a run across the spine at the largest font size that keeps to a width and a length.
    func across(_ block: TextBlock, width: Double, atMost longest: Double) -> Run {
        var run = run(block, depth: width)
        run.size = min(run.size, longest / max(run.extent.across, 0.01))
        return run
    }

    /// Returns rows of as much the same width as keeps small rows readable.
    private func justified(_ block: TextBlock) -> TextBlock {
        let widths = block.rows.map { row -> Double in
            var single = block
            single.rows = [row]
            return measure(single).along
        }
        let widest = widths.max() ?? 1
        var result = block
        for index in result.rows.indices { result.rows[index].scale = min(1.9, widest / max(widths[index], 0.01)) }
        return result
    }

    /// Places the words of title and author one above the other.
    mutating func stacked() {
        let head = headOfSpine()
        let foot = footOfSpine(.across)
        let room = foot - head
        var block = texts.stackedTitle(limit: generator.chance(0.5) ? 6 : 9)
        lettering.shape(&block, &generator)
        block.stretch = 1
        if block.rows.count > 1, generator.chance(0.35) { block = justified(block) }
        block.alignment = generator.element(of: [0.5, 0.5, 0])
        let title = across(block, width: generator.number(in: 0.72...0.86), atMost: room * 0.56)
        guard let author = texts.author(.across) else {
            place(title, from: head + (room - title.length) * generator.number(in: 0.1...0.5))
            decorateSpine()
            return
        }
        var other = across(author, width: generator.number(in: 0.6...0.84), atMost: room * 0.3)
        other.size = min(other.size, title.size * 1.2)
        let (first, second) = generator.chance(0.6) ? (title, other) : (other, title)
        let spare = room - first.length - second.length
        let before = spare * generator.number(in: 0.05...0.3)
        let between = max(0.12 * thickness, spare * generator.number(in: 0.15...0.45))
        let start = min(head + before + first.length + between, foot - second.length)
        place(first, from: head + before)
        let gap = head + before + first.length...start
        decorateGap(gap, between: blocks[blocks.count - 1], and: second)
        place(second, from: start)
        decorateSpine()
    }

    /// Places the title as a column of letters, the author along the spine or across it.
    mutating func letterStack() {
        let direction = drawDirection()
        let head = headOfSpine()
        let foot = footOfSpine(.across)
        let room = foot - head
        if texts.authorName.count > 10 { texts.authorName = book.surname }
        var author: Run?
        if let block = texts.author(generator.chance(0.5) ? direction : .across) {
            if block.direction == .across {
                author = across(block, width: 0.8, atMost: room * 0.16)
            } else {
                var along = run(block, depth: generator.number(in: 0.24...0.4))
                along.size = min(along.size, room * 0.34 / max(along.extent.along, 0.01))
                author = along
            }
        }
        let taken = author.map { $0.length + 0.3 * thickness } ?? 0
        let title = across(texts.columnTitle(), width: generator.number(in: 0.46...0.62), atMost: room - taken)
        guard let author else {
            place(title, from: head + (room - title.length) / 2)
            return
        }
        let spare = room - title.length - author.length
        if generator.chance(0.5) {
            place(title, from: head)
            place(author, from: foot - author.length - (spare - 0.2 * thickness) * generator.number(in: 0...0.5))
        } else {
            place(author, from: head)
            place(title, from: foot - title.length)
        }
        decorateSpine()
    }

    /// Draws a leather binding: raised bands, title and author on labels between them.
    mutating func compartments() {
        let count = generator.integer(in: 4...5)
        let edges = (0...count).map { (0.03 + 0.94 * Double($0) / Double(count)) * length }
        cover.ribs = edges.dropFirst().dropLast().map { $0 / length }
        let hasLabels = generator.chance(0.5)
        let label = generator.element(of: [Colour(0x5A1418), Colour(0x12261C), Colour(0x14141A), Colour(0x1B2A4A)])
        let title = texts.stackedTitle(limit: 6)
        texts.authorName = book.surname
        var content: [(place: Int, block: TextBlock)] = [(1, title)]
        if let author = texts.author(.across) { content.append((count > 4 ? 3 : 2, author)) }
        if let volume = texts.volumeNumber(), brief.extra == .series { content.append((count - 1, volume)) }
        let pad = 0.14 * thickness
        for place in 0..<count {
            let room = edges[place] + pad...edges[place + 1] - pad
            let middle = room.middle
            guard let block = content.first(where: { $0.place == place })?.block else {
                addOrnament(at: middle, size: generator.number(in: 0.3...0.5), gold: true)
                continue
            }
            if hasLabels, block.role != .series {
                addBand(edges[place] + pad * 0.5...edges[place + 1] - pad * 0.5, label)
            }
            addRules(near: [edges[place] + pad * 0.6, edges[place + 1] - pad * 0.6], gold: true)
            let height = room.span * 0.86
            let run = across(block, width: block.role == .series ? 0.2 : 0.76, atMost: height)
            self.place(run, from: middle - run.length / 2)
        }
    }
}
