import SpineDatasets

extension SpineLayout {
    /// Fills the head, and returns where the text may begin.
    mutating func headOfSpine() -> Double {
        let margin = length * generator.number(in: 0.025...0.06)
        guard brief.layout != .compartments else { return margin }
        switch generator.integer(in: 0...19) {
        case 0, 1:
            // A picture that the front cover's illustration ends in.
            let end = thickness * generator.number(in: 0.8...1.7)
            addPicture(-2...end)
            return end + 0.22 * thickness
        case 2:
            let end = thickness * generator.number(in: 0.25...0.6)
            addBand(-2...end, generator.element(of: Palette.covers))
            return end + 0.22 * thickness
        case 3, 4:
            let size = generator.number(in: 0.4...0.6)
            addDevice(at: margin + size * thickness / 2, size: size)
            return margin + (size + 0.3) * thickness
        case 5:
            let size = generator.number(in: 0.05...0.09) * thickness
            let y = margin + size
            addRow(at: y, height: size / thickness)
            return y + size + 0.2 * thickness
        default: return margin
        }
    }

    /// Fills the foot with a publisher's name, a device, both or neither, and returns where the text has to end.
    mutating func footOfSpine(_ direction: TextBlock.Direction) -> Double {
        let margin = length * generator.number(in: 0.025...0.05)
        let reserve = reserveForSticker()
        var end = length - margin
        if brief.layout != .compartments, generator.chance(0.12) {
            // The illustration's other end.
            let height = thickness * generator.number(in: 0.8...1.6)
            addPicture(length - height...length + 2)
            return min(length - height - 0.2 * thickness, reserve)
        }
        let draw = generator.unit()
        let hasName = draw < 0.62
        let hasDevice = draw > 0.42 && draw < 0.88
        let isAcross = direction == .across || thickness >= 85 && generator.chance(0.55)
        var name: Run?
        if hasName {
            let block = texts.publisher(isAcross ? .across : direction)
            var run = run(block, depth: isAcross ? generator.number(in: 0.55...0.8) : generator.number(in: 0.16...0.24))
            if isAcross { run.size = min(run.size, 0.2 * thickness) }
            run.size = min(run.size, 0.16 * length / max(isAcross ? 1 : run.extent.along, 0.1))
            name = run
        }
        let deviceSize = generator.number(in: 0.36...0.6)
        let total = (name?.length ?? 0) + (hasDevice ? deviceSize * thickness : 0)
        guard total > 0 else { return min(end, reserve) }
        let gap = name != nil && hasDevice ? 0.12 * thickness : 0
        let top = end - total - gap
        if generator.chance(0.22) {
            addBand(top - 0.14 * thickness...length + 2, generator.element(of: Palette.covers))
        }
        if hasDevice { addDevice(at: top + deviceSize * thickness / 2, size: deviceSize) }
        if let name {
            place(name, from: end - name.length)
            footBlocks.append(blocks.removeLast())
        }
        end = top - 0.28 * thickness
        return min(end, reserve)
    }

    /// Adds a publisher's device: an emblem or initials, alone, in a box, a disc or a ring.
    mutating func addDevice(at y: Double, size: Double) {
        let along = y / length
        let half = size * thickness / 2
        let ground = grounds(y - half...y + half)
        let ink = inks.other(on: ground, contrast: 3, &generator)
        func mark(_ shape: Mark.Shape, _ scale: Double, _ colour: Colour) -> Mark {
            Mark(shape, along: along, width: size * scale, height: size * scale, colour)
        }
        let emblems: [Mark.Shape] = [
            .tree, .bird, .book, .sail, .key, .crown, .leaf, .flower, .sun, .crescent, .star, .lozenge, .waves,
        ]
        let emblem = generator.element(of: emblems)
        let frames: [Mark.Shape] = [.box, .roundedBox, .ellipse, .lozenge]
        switch generator.integer(in: 0...5) {
        case 0, 1: cover.marks.append(mark(emblem, 1, ink))
        case 2: cover.marks += [mark(.ring, 1, ink), mark(emblem, 0.5, ink)]
        case 3, 4:
            let frame = generator.element(of: frames)
            let tint = generator.chance(0.4) ? Colour(0xB3202A) : ink
            let fill = Inks.contrast(tint, ground.map(\.luminance)) < 1.3 ? ink : tint
            let counter: Colour = fill.luminance > 0.3 ? Colour(0x18181C) : .white
            cover.marks += [mark(frame, 1, fill), mark(emblem, frame == .lozenge ? 0.4 : 0.58, counter)]
        default:
            cover.marks.append(mark(.box, 1, ink))
            var initials = run(texts.initials(), depth: size * 0.6)
            initials.size = min(initials.size, size * 0.6 * thickness / max(initials.extent.across, 0.01))
            place(initials, from: y - initials.length / 2)
            let block = blocks.removeLast()
            if y < length / 2 { blocks.append(block) } else { footBlocks.append(block) }
        }
    }

    /// Adds a picture from edge to edge, with or without a line around.
    mutating func addPicture(_ range: ClosedRange<Double>) {
        let ground = generator.element(of: Palette.covers)
        addBand(range, ground)
        cover.marks += SceneDesigner.marks(
            over: range / length,
            shape: length / thickness,
            ground: ground,
            strength: 1,
            &generator
        )
    }
}
