import SpineDatasets

/// Text in two directions.
extension SpineLayout {
    /// The author across the head, the title along the rest.
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

    /// The title across the head, the author along the rest.
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
            decorateGap(start - 0.2 * thickness...from, between: blocks[blocks.count - 1], and: run, in: head...foot)
        }
        place(run, from: from)
    }

    private mutating func alongTitle(_ direction: TextBlock.Direction, in area: ClosedRange<Double>) {
        let room = area.upperBound - area.lowerBound
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
