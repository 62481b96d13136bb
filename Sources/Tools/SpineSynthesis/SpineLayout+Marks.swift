import SpineDatasets

extension SpineLayout {
    /// Adds decoration between two texts: a coloured part of the spine, a rule, an ornament, a picture, or nothing.
    mutating func decorateGap(_ gap: ClosedRange<Double>, between upper: TextBlock, and lower: Run) {
        let room = gap.span
        let middle = gap.middle
        switch generator.integer(in: 0...11) {
        case 0 where brief.treatment != .scene:
            // The author's part has a different colour, up to the end of the spine.
            let isUpper = upper.role == .author
            guard isUpper || lower.block.role == .author else { return }
            addBand(isUpper ? -2...middle : middle...length + 2, generator.element(of: Palette.covers))
            sinkLastMark()
        case 1, 2:
            addRules(near: generator.chance(0.5) ? [middle] : [middle - 0.03 * thickness, middle + 0.03 * thickness])
        case 3, 4:
            let size = min(room / thickness * 0.6, generator.number(in: 0.2...0.5))
            if size >= 0.1 { addOrnament(at: middle, size: size) }
        case 5 where room > 0.9 * thickness, 6 where room > 0.9 * thickness:
            let pad = 0.22 * thickness
            if generator.chance(0.5) {
                addPicture(gap.lowerBound + pad...gap.upperBound - pad)
            } else {
                addOrnament(at: middle, size: min(0.7, room / thickness * 0.5))
            }
        case 7 where room > 0.3 * thickness: addRow(at: middle, height: min(0.12, room / thickness * 0.3))
        default: break
        }
    }

    /// Adds a frame, rules at head and foot, or a panel behind the title; most spines have none of them.
    mutating func decorateSpine() {
        switch generator.integer(in: 0...13) {
        case 0 where cover.marks.isEmpty: addFrame()
        case 1: addRules(near: [0.012, 0.024, 0.976, 0.988].map { $0 * length })
        case 2 where brief.treatment == nil, 3 where brief.treatment == nil: addPanel(behind: .title)
        case 4 where brief.treatment != .foil: addPanel(behind: .author)
        default: break
        }
    }

    /// Adds a label of another colour behind a text, as on cloth bindings.
    private mutating func addPanel(behind role: LineRole) {
        guard let block = blocks.first(where: { $0.role == role }), brief.layout != .sideBySide else { return }
        let pad = generator.number(in: 0.1...0.18)
        let isWide = generator.chance(0.5)
        let (left, right) = (block.across.lowerBound - pad, block.across.upperBound + pad)
        let tall = block.along.span * length / thickness + 2 * pad
        guard isWide || left > 0.03 && right < 0.97 else { return }
        let ground = grounds(block.along * length).first ?? .white
        let colours = Palette.covers.filter { $0.contrast(with: ground) > 1.5 }
        guard let colour = colours.isEmpty ? nil : generator.element(of: colours) else { return }
        var panel = Mark(
            shape: !isWide && generator.chance(0.4) ? .roundedBox : .box,
            along: block.along.middle,
            across: isWide ? 0.5 : (left + right) / 2,
            width: isWide ? 1.02 : right - left,
            height: tall,
            colour: colour
        )
        // Not under a neighbour: half of its text would be on the panel.
        let (top, bottom) = (panel.along - tall / 2 * thickness / length, panel.along + tall / 2 * thickness / length)
        let others = blocks + footBlocks
        guard others.allSatisfy({ $0 == block || $0.along.lowerBound >= bottom || $0.along.upperBound <= top }) else {
            return
        }
        cover.marks.append(panel)
        if generator.chance(0.5) {
            panel.colour = inks.other(on: [colour], contrast: 2.5, &generator)
            panel.lineWidth = 0.018
            panel.width = isWide ? 1.02 : panel.width - 0.08
            panel.height -= 0.08
            cover.marks.append(panel)
        }
    }

    private mutating func addFrame() {
        let inset = generator.number(in: 0.035...0.06)
        var frame = Mark(
            shape: .box,
            along: 0.5,
            across: 0.5,
            width: 1 - 2 * inset,
            height: length / thickness - 2 * inset,
            colour: markInk(0...length),
            lineWidth: 0.014
        )
        cover.marks.append(frame)
        guard generator.chance(0.5) else { return }
        frame.width -= 0.05
        frame.height -= 0.05
        frame.lineWidth = 0.008
        cover.marks.append(frame)
    }

    /// Adds thin lines across the spine at these places.
    mutating func addRules(near places: [Double], gold: Bool = false) {
        guard let first = places.first else { return }
        let colour = gold ? Colour(0xC9A24B) : markInk(first - 2...first + 2)
        let height = generator.number(in: 0.012...0.03)
        let width = gold || generator.chance(0.6) ? 1.02 : generator.number(in: 0.4...0.8)
        for place in places {
            cover.marks.append(Mark(.box, along: place / length, width: width, height: height, colour))
        }
    }

    mutating func addRow(at y: Double, height: Double) {
        let shape = generator.element(of: [Mark.Shape.zigzag, .waves, .dots, .diamonds, .vine])
        let width = generator.number(in: 0.6...0.96)
        cover.marks.append(Mark(shape, along: y / length, width: width, height: height, markInk(y - 2...y + 2)))
    }

    mutating func addOrnament(at y: Double, size: Double, gold: Bool = false) {
        let shapes: [Mark.Shape] = [
            .fleuron, .fleuron, .leaf, .flower, .star, .sun, .crescent, .lozenge, .crown, .bird, .tree, .key,
        ]
        let half = size * thickness / 2
        let shape = generator.element(of: shapes)
        let colour = gold ? Colour(0xC9A24B) : markInk(y - half...y + half)
        cover.marks.append(Mark(shape, along: y / length, width: size, height: size, colour))
    }

    /// Moves the mark that was added last under all others but the scene's, so that bands do not hide devices.
    private mutating func sinkLastMark() {
        let mark = cover.marks.removeLast()
        cover.marks.insert(mark, at: min(sceneMarks, cover.marks.count))
    }
}
