import SpineDatasets

extension SpineLayout {
    /// No title or author is set smaller than this, in pixels of the design.
    static let smallestLetters = 13.0

    mutating func drawDirection() -> TextBlock.Direction {
        // Most English spines read downwards, most others upwards. The text of a flat book is read downwards.
        let downwards =
            switch book.language {
            case .english: 0.9
            case .swedish, .norwegian: 0.6
            default: 0.2
            }
        return brief.pose == .lying || generator.chance(downwards) ? .down : .up
    }

    mutating func running() {
        let direction = drawDirection()
        let head = headOfSpine()
        let foot = footOfSpine(direction)
        fill(head...foot, direction)
    }

    private mutating func fill(_ area: ClosedRange<Double>, _ direction: TextBlock.Direction) {
        let gap = thickness * generator.number(in: 0.3...0.7)
        let room = area.span
        let isAuthorBig = !texts.authorName.isEmpty && generator.chance(0.2)
        let titleDepth = isAuthorBig ? generator.number(in: 0.26...0.42) : generator.number(in: 0.42...0.75)
        let authorDepth = isAuthorBig ? generator.number(in: 0.45...0.65) : generator.number(in: 0.2...0.42)

        var runs = [fittedTitle(direction, depth: titleDepth, room: room, besides: authorDepth)]
        if let author = texts.author(direction, rows: thickness >= 95 && generator.chance(0.35) ? 2 : 1) {
            let depth = author.rows.count > 1 ? min(0.66, authorDepth * 1.9) : authorDepth
            var run = run(author, depth: depth)
            if !isAuthorBig {
                run.size = min(run.size, runs[0].size * 0.95, 0.36 * room / max(run.extent.along, 0.01))
                run.size = max(run.size, min(Self.smallestLetters, runs[0].size))
            }
            runs.append(run)
        }
        let besides = beside(direction, title: runs[0].size)
        let titleFirst = generator.chance(0.45)
        if !titleFirst { runs.reverse() }
        if let besides {
            // A subtitle follows the title, a series is between or at an end.
            let place = runs.firstIndex { $0.block.role == .title } ?? 0
            runs.insert(besides, at: besides.block.role == .other || generator.chance(0.5) ? place + 1 : 0)
        }
        if direction == .up { runs.reverse() }
        shrink(&runs, to: room - gap * Double(runs.count - 1))
        spread(runs, over: area, gap: gap)
    }

    /// Returns the title in the number of rows that makes it largest, or in a random one.
    private mutating func fittedTitle(
        _ direction: TextBlock.Direction,
        depth: Double,
        room: Double,
        besides authorDepth: Double
    ) -> Run {
        let share = texts.authorName.isEmpty ? 0.92 : 0.7
        func fitted(_ rows: Int) -> Run {
            var title = texts.title(direction, rows: rows)
            var generator = self.generator
            lettering.shape(&title, &generator)
            var result = run(title, depth: title.rows.count > 1 ? max(depth, 0.62) : depth)
            result.size = min(result.size, room * share / max(result.extent.along, 0.01))
            return result
        }
        var best = fitted(lettering.brief.treatment == .mixedWeights || brief.treatment == .twoColours ? 2 : 1)
        if best.block.rows.count == 1, book.title.contains(" ") {
            for rows in 2...3 where thickness >= 36 * Double(rows) - 10 {
                let other = fitted(rows)
                if other.size > 1.2 * best.size || rows == 2 && generator.chance(0.15) { best = other }
            }
        }
        // The chance that shaped the candidates is spent.
        _ = generator.next()
        if best.block.rows.count > 1 {
            best.block.alignment = generator.element(of: [0, 0.5, 0.5, direction == .up ? 1 : 0])
        }
        return best
    }

    /// Returns the subtitle or series that the brief asks for.
    private mutating func beside(_ direction: TextBlock.Direction, title size: Double) -> Run? {
        switch brief.extra {
        case .subtitle:
            var run = run(texts.subtitle(direction, &generator), depth: 0.2)
            run.size = min(run.size, size * 0.6)
            return run
        case .series:
            let name = generator.chance(0.6)
            if !name, generator.chance(0.5), let number = texts.volumeNumber() { return numberInDisc(number) }
            guard let block = texts.series(direction, name: name, number: !name || generator.chance(0.6)) else {
                return nil
            }
            var run = run(block, depth: 0.2)
            run.size = min(run.size, max(size * 0.6, 12))
            return run
        default: return nil
        }
    }

    /// Returns a volume's number centred in a disc; `spread` draws the disc.
    private func numberInDisc(_ number: TextBlock) -> Run {
        var run = run(number, depth: 0.3)
        run.size = min(run.size, 0.34 * thickness / max(run.extent.across, 0.01))
        return run
    }

    /// Makes text smaller until it takes no more than `room`, the largest first.
    private func shrink(_ runs: inout [Run], to room: Double) {
        for _ in 0..<40 {
            let total = runs.map(\.length).reduce(0, +)
            guard total > room else { return }
            let largest = runs.map(\.size).max() ?? 0
            let share = room / total
            for index in runs.indices where runs[index].size >= 0.7 * largest || runs[index].size > 15 {
                runs[index].size *= max(share, 0.94)
            }
        }
        let total = runs.map(\.length).reduce(0, +)
        guard total > room else { return }
        for index in runs.indices { runs[index].size *= room / total }
    }

    /// Places runs from the head to the foot, and fills the gaps between them.
    private mutating func spread(_ runs: [Run], over area: ClosedRange<Double>, gap: Double) {
        let total = runs.map(\.length).reduce(0, +)
        let spare = max(0, area.upperBound - area.lowerBound - total - gap * Double(runs.count - 1))
        let inner = Double(max(runs.count - 1, 1))
        // Layouts: at the head, at the foot, apart, evenly, or in the middle.
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
            let end = position + run.length
            if run.block.role == .series, run.block.direction == .across {
                let colour = markInk(position...end, contrast: 2.5)
                let size = 1.5 * max(run.depth, run.length) / thickness
                let (along, width) = ((position + end) / 2 / length, run.depth / thickness)
                let disc = generator.element(of: [Mark.Shape.ellipse, .ellipse, .lozenge])
                cover.marks.append(Mark(disc, along: along, width: size, height: size, colour))
                // Partly outside the disc, the number would be invisible against the cover.
                cover.marks.append(Mark(.box, along: along, width: width, height: run.length / thickness, colour))
            }
            place(run, from: position)
            if index + 1 < runs.count {
                decorateGap(end...end + gap + between, between: blocks[blocks.count - 1], and: runs[index + 1])
            }
            position = end + gap + between
        }
        decorateSpine()
    }

    mutating func sideBySide() {
        let direction = drawDirection()
        let area = headOfSpine()...footOfSpine(direction)
        let room = area.span
        let titleDepth = generator.number(in: 0.36...0.46)
        var title = texts.title(direction, rows: 1)
        lettering.shape(&title, &generator)
        var first = run(title, depth: titleDepth)
        first.size = min(first.size, room / first.extent.along)
        guard let author = texts.author(direction) else {
            place(first, from: area.lowerBound + (room - first.length) / 2)
            return
        }
        var second = run(author, depth: generator.number(in: 0.2...0.28))
        second.size = min(second.size, room / second.extent.along, first.size * 1.1)
        let titleOnTop = generator.chance(0.7)
        // The first row is on the right where text runs down, on the left where it runs up.
        let sides = (titleOnTop ? 1.0 : -1.0) * (direction == .down ? 1 : -1)
        let alignment = generator.element(of: [0, 0.5, 0.5, 1])
        // Both rows are in the middle of the spine, a fifth of the thickness between them or the available space.
        let depths = (first.depth / thickness, second.depth / thickness)
        let gap = min(0.14, max(0.06, 0.9 - depths.0 - depths.1))
        let total = depths.0 + depths.1 + gap
        let titleCentre = 0.5 + sides * (total / 2 - depths.0 / 2)
        let authorCentre = 0.5 - sides * (total / 2 - depths.1 / 2)
        let runs = [(first, titleCentre), (second, authorCentre)]
        for (run, centre) in titleOnTop == (direction == .down) ? runs : runs.reversed() {
            place(run, from: area.lowerBound + (room - run.length) * alignment, centre: centre)
        }
        decorateSpine()
    }
}
