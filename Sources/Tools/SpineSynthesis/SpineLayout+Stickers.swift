import Foundation
import Imaging
import SpineDatasets

extension SpineLayout {
    /// Returns the end of the room for text: before the planned label, or the whole length where it may hide text.
    mutating func reserveForSticker() -> Double {
        guard let sticker = plannedSticker else { return length }
        let height = sticker.along.span * length
        return generator.chance(0.75) ? length - height - 0.08 * length - 0.12 * thickness : length
    }

    /// Returns a sticker of the kind that the brief asks for, its upper end at the head; `addStickers` moves it.
    mutating func planSticker() -> Sticker? {
        switch brief.extra {
        case .callNumber: callNumber()
        case .genreLabel: genreLabel()
        case .barCode: barCode()
        default: nil
        }
    }

    /// Puts the planned sticker where it hides neither the title nor half of anything.
    mutating func addStickers() {
        guard let sticker = plannedSticker else { return }
        let height = sticker.along.upperBound
        let lines = (blocks + footBlocks).flatMap(linesOnSpine)
        let mayHideAuthor = generator.chance(0.12)
        let lowest = 1 - height - generator.number(in: 0.015...0.075)
        var places = stride(from: lowest, through: 0.45, by: -0.02).map { $0 }
        places += stride(from: 0.02, through: 0.12, by: 0.02)
        let pad = 0.05 * thickness / length
        for place in places {
            let range = place - pad...place + height + pad
            let isFree = lines.allSatisfy { line in
                let low = max(line.along.lowerBound, range.lowerBound)
                let hidden = max(0, min(line.along.upperBound, range.upperBound) - low)
                let share = hidden / max(line.along.upperBound - line.along.lowerBound, 1e-9)
                switch line.role {
                case .title: return share == 0
                case .author: return share == 0 || mayHideAuthor && share > 0.5
                default: return share == 0 || share > 0.5
                }
            }
            if isFree {
                stickers.append(sticker.moved(by: place))
                return
            }
        }
    }

    private func linesOnSpine(_ block: TextBlock) -> [(role: LineRole, along: ClosedRange<Double>)] {
        let setter = TextSetter(block: block, thickness: thickness, length: length)
        guard let (frame, lines) = try? setter.set(with: typesetter) else { return [(block.role, block.along)] }
        return lines.map { line in
            let ys = frame.onSpine(line.box).corners.map { $0.y / length }
            return (block.role, (ys.min() ?? 0)...(ys.max() ?? 1))
        }
    }

    private mutating func callNumber() -> Sticker {
        var rows = callNumberRows()
        let face = lettering.labelFace(for: rows.joined(), &generator)
        let isThin = thickness < 62
        let direction: TextBlock.Direction = isThin ? .down : .across
        if isThin, rows.count > 2 { rows = [rows.dropLast().joined(separator: " "), rows[rows.count - 1]] }
        var block = stickerBlock(rows, face, direction)
        let side = generator.chance(0.35) ? 0 : generator.number(in: 0.03...0.1)
        let width = 1 - 2 * side
        let extent = measure(block)
        let pad = 0.1 * thickness
        let size =
            isThin
            ? (width * thickness - 1.2 * pad) / extent.across
            : min((width * thickness - 2 * pad) / extent.along, generator.number(in: 0.2...0.3) * thickness)
        let textLength = size * (isThin ? extent.along : extent.across)
        let stripe = generator.chance(0.25) ? 0.16 * thickness : 0
        let height = textLength + 2.4 * pad + stripe
        block.along = (1.2 * pad + stripe) / length...(1.2 * pad + stripe + textLength) / length
        let half = size * (isThin ? extent.across : extent.along) / thickness / 2
        block.across = 0.5 - half...0.5 + half
        let colour = Colour(generator.element(of: [0xFAFAF7, 0xF4F1E6, 0xEFE6CC, 0xFFFFFF, 0xE9EEF0]))
        var marks: [Mark] = []
        if stripe > 0 {
            let tint = generator.element(of: Palette.colours)
            marks.append(Mark(.box, along: stripe / 2 / length, width: width, height: stripe / thickness, tint))
        }
        return Sticker(
            along: 0...height / length,
            across: side...1 - side,
            colour: colour,
            turn: generator.chance(0.5) ? generator.number(in: -0.03...0.03) : 0,
            taped: generator.chance(0.4),
            marks: marks,
            blocks: [block]
        )
    }

    /// Returns a class and the beginning of the author's name, or the title's: "823.914", "ADA".
    private mutating func callNumberRows() -> [String] {
        let source = book.surname.isEmpty ? book.title : book.surname.split(separator: " ").last.map(String.init) ?? ""
        let letters = source.folding(options: .diacriticInsensitive, locale: nil).filter { $0.isLetter && $0.isASCII }
        var cutter = String(letters.prefix(3))
        cutter = generator.chance(0.75) ? cutter.uppercased() : cutter.capitalized
        if cutter.isEmpty { cutter = "AAA" }
        let literature = book.language.words.literature
        let number =
            literature.contains(".") || generator.chance(0.4)
            ? literature : literature + ".\(generator.integer(in: 6...914))"
        switch generator.integer(in: 0...6) {
        case 0, 1: return [book.language == .english ? generator.element(of: ["FIC", "F", "YA"]) : number, cutter]
        case 2: return [number, cutter, "\(generator.integer(in: 1950...2021))"]
        case 3: return ["\(generator.integer(in: 100...995)).\(generator.integer(in: 1...99))", cutter]
        case 4: return [generator.element(of: ["J", "R", "N"]), "\(generator.integer(in: 500...990))", cutter]
        case 5: return [number, cutter, generator.element(of: ["c.2", "v.1", "c.3"])]
        default: return [number, cutter]
        }
    }

    private mutating func genreLabel() -> Sticker {
        let word = generator.element(of: book.language.words.genres)
        var block = stickerBlock([word], lettering.labelFace(for: word, &generator), .across)
        let extent = measure(block)
        let picture = 0.5 * thickness
        let textHeight = 0.72 * thickness / extent.along * extent.across
        let pad = 0.1 * thickness
        let height = picture + textHeight + 3 * pad
        block.along = (2 * pad + picture) / length...(2 * pad + picture + textHeight) / length
        block.across = 0.14...0.86
        let colour = Colour(generator.element(of: [0xFFFFFF, 0xFFF3B0, 0xCFE8FF, 0xFFD9D2]))
        let size = picture / thickness
        let icon = Mark(
            generator.element(of: [.star, .crescent, .sail, .crown, .key, .flower, .book, .sun, .bird]),
            along: (pad + picture / 2) / length,
            width: size,
            height: size,
            generator.element(of: Palette.darks)
        )
        return Sticker(
            along: 0...height / length,
            across: 0.06...0.94,
            colour: colour,
            turn: generator.chance(0.5) ? generator.number(in: -0.04...0.04) : 0,
            taped: generator.chance(0.2),
            marks: [icon],
            blocks: [block]
        )
    }

    private mutating func barCode() -> Sticker {
        let height = generator.number(in: 1...1.7) * thickness
        var marks: [Mark] = []
        var y = 0.12 * thickness
        while y < height - 0.14 * thickness {
            let bar = Double(generator.integer(in: 1...3)) * 0.018 * thickness
            let (along, height) = ((y + bar / 2) / length, bar / thickness)
            marks.append(Mark(.box, along: along, width: 0.62, height: height, Colour(0x141416)))
            y += bar + Double(generator.integer(in: 1...3)) * 0.018 * thickness
        }
        return Sticker(
            along: 0...height / length,
            across: 0.1...0.9,
            colour: Colour(0xFAFAFA),
            turn: generator.number(in: -0.03...0.03),
            taped: false,
            marks: marks,
            blocks: []
        )
    }

    private func stickerBlock(_ rows: [String], _ face: Typeface, _ direction: TextBlock.Direction) -> TextBlock {
        TextBlock(
            role: .sticker,
            rows: rows.map { TextBlock.Row(text: $0) },
            direction: direction,
            along: 0...1,
            across: 0...1,
            typeface: face,
            ink: Colour(0x1A1A1E)
        )
    }
}

extension Sticker {
    /// Returns the same sticker, farther down.
    func moved(by distance: Double) -> Sticker {
        var result = self
        result.along = along + distance
        for index in marks.indices { result.marks[index].along += distance }
        for index in blocks.indices { result.blocks[index].along = blocks[index].along + distance }
        return result
    }
}
