import Foundation
import Imaging

struct ShelfPainter {
    let specification: ShelfSpecification

    private var width: Double { Double(specification.width) }
    private var height: Double { Double(specification.height) }
    private var floor: Double { specification.floor }

    private func strip(from top: Double, to bottom: Double) -> Box {
        Box(x: 0, y: top, width: width, height: bottom - top)
    }

    /// Returns the flat picture, and each book's printed lines in reading order, their quads in that picture's pixels.
    func paint(_ generator: inout SeededGenerator) throws(SynthesisError) -> (RasterImage, [[RenderedSpine.Line]]) {
        let canvas = try Canvas(width: specification.width, height: specification.height)
        drawBack(on: canvas, &generator)
        for book in specification.books { castOnBack(book, on: canvas) }
        var lines = [[RenderedSpine.Line]](repeating: [], count: specification.books.count)
        let inFront = specification.books.firstIndex { $0.visibleBottom != nil } ?? specification.books.count
        // The second row is in the shade of the first, and behind it.
        for index in inFront..<specification.books.count {
            lines[index] = try draw(specification.books[index], on: canvas)
        }
        for index in 0..<inFront {
            lines[index] = try draw(specification.books[index], on: canvas)
            if index > 0 { shade(specification.books[index], by: specification.books[index - 1], on: canvas) }
        }
        drawBoard(on: canvas, &generator)
        for thing in specification.things { try draw(thing, on: canvas) }
        return (canvas.image(), lines)
    }

    // MARK: Furniture

    private func drawBack(on canvas: Canvas, _ generator: inout SeededGenerator) {
        let back = specification.back
        // Light comes from the room: the back is in the shade of the boards above and of the books.
        let tones = [0.6, 0.25, 0.35].map { back.mixed(with: .black, share: $0) }
        canvas.fill(strip(from: 0, to: floor), gradient: tones, down: true)
        if specification.material == .wood { grain(back, from: 0, to: floor, strength: 0.12, on: canvas, &generator) }
        guard specification.ceiling > 0 else { return }
        let ceiling = specification.ceiling
        drawPlank(from: ceiling - 46, to: ceiling, on: canvas, &generator)
        canvas.fill(strip(from: 0, to: max(0, ceiling - 46)), .black, opacity: 0.6)
        canvas.shade(Box(x: 0, y: ceiling, width: width, height: 90), [0.6, 0], down: true)
    }

    private func drawBoard(on canvas: Canvas, _ generator: inout SeededGenerator) {
        let bottom = specification.boardBottom
        drawPlank(from: floor, to: bottom, on: canvas, &generator)
        // The edge between books and board is dark; the area below the board is in shade.
        canvas.shade(Box(x: 0, y: floor, width: width, height: 7), [0.55, 0], down: true)
        let tones = [Colour(0x0C0B0B), specification.back.mixed(with: .black, share: 0.6)]
        canvas.fill(strip(from: bottom, to: height), gradient: tones, down: true)
    }

    private func drawPlank(
        from top: Double,
        to bottom: Double,
        on canvas: Canvas,
        _ generator: inout SeededGenerator
    ) {
        let colour = specification.board
        let light = colour.mixed(with: .white, share: specification.material == .metal ? 0.35 : 0.12)
        let tones = [light, colour, colour.mixed(with: .black, share: 0.25)]
        canvas.fill(strip(from: top, to: bottom), gradient: tones, down: true)
        switch specification.material {
        case .wood: grain(colour, from: top, to: bottom, strength: 0.3, on: canvas, &generator)
        case .metal:
            // The slots that brackets hang in.
            for x in stride(from: 40.0, to: width, by: 160) {
                canvas.fill(Box(x: x, y: (top + bottom) / 2 - 3, width: 26, height: 6), .black, opacity: 0.5)
            }
        case .painted: break
        }
    }

    private func grain(
        _ colour: Colour,
        from top: Double,
        to bottom: Double,
        strength: Double,
        on canvas: Canvas,
        _ generator: inout SeededGenerator
    ) {
        for _ in 0..<Int((bottom - top) * 1.2) {
            let (x, y) = (generator.number(in: -0.3...1) * width, generator.number(in: top...bottom - 1))
            canvas.stroke(
                from: Point(x: x, y: y),
                to: Point(x: x + generator.number(in: 0.1...0.6) * width, y: y + generator.number(in: -1.5...1.5)),
                colour.mixed(with: generator.chance(0.7) ? .black : .white, share: 0.5),
                lineWidth: generator.number(in: 0.6...2.2),
                opacity: strength * generator.unit()
            )
        }
    }

    // MARK: Books

    private func castOnBack(_ book: PlacedBook, on canvas: Canvas) {
        let spine = book.box
        for step in 1...8 {
            let (right, down) = (book.centre.x + Double(step) * 7, book.centre.y + Double(step) * 3)
            canvas.turned(aboutX: right, y: down, by: book.turn) {
                canvas.fill(spine, .black, opacity: 0.09)
            }
        }
    }

    private func draw(_ book: PlacedBook, on canvas: Canvas) throws(SynthesisError) -> [RenderedSpine.Line] {
        var generator = SeededGenerator(seed: book.spine.grainSeed)
        let painter = SpinePainter(book.spine)
        let (flat, lines) = try painter.paint(&generator)
        let (thickness, length) = (Double(book.spine.thickness), Double(book.spine.length))
        let spine = book.box
        let part = Box(x: painter.margin, y: painter.margin, width: thickness, height: length)
        try canvas.draw(flat, part: part, centre: book.centre, turn: book.turn)
        let isUpright = book.isUpright
        canvas.turned(aboutX: book.centre.x, y: book.centre.y, by: book.turn) {
            // The edges turn away from the light; the camera bends and shades upright books with their contents.
            let edge = isUpright ? 0.03 : 0.12
            for side in [-1.0, 1.0] {
                let reach = edge * thickness
                let left = side < 0 ? -thickness / 2 : thickness / 2 - reach
                let strip = Box(x: left, y: -length / 2, width: reach, height: length)
                canvas.shade(strip, side < 0 ? [0.7, 0] : [0, 0.7], down: false)
            }
            // Books that were pushed in get less light.
            canvas.fill(spine, .black, opacity: book.visibleBottom == nil ? 0.18 * book.depth : 0.45)
        }
        let (left, top) = (painter.margin + thickness / 2, painter.margin + length / 2)
        return lines.map { $0.moved { book.onShelf(Point(x: $0.x - left, y: $0.y - top)) } }
    }

    /// Draws the shadow on a book from the one to its left, when that one is nearer to the viewer.
    private func shade(_ book: PlacedBook, by left: PlacedBook, on canvas: Canvas) {
        let uprights = [book, left].allSatisfy { $0.isUpright }
        guard uprights, book.depth > left.depth + 0.2 else { return }
        let (x, top) = (book.centre.x - Double(book.spine.thickness) / 2, floor - Double(left.spine.length))
        let shadow = Box(
            x: x,
            y: max(top, floor - Double(book.spine.length)),
            width: Double(book.spine.thickness) * 0.4 * (book.depth - left.depth),
            height: min(Double(left.spine.length), Double(book.spine.length))
        )
        canvas.shade(shadow, [0.45, 0], down: false)
    }

    // MARK: Things

    private func draw(_ thing: ShelfThing, on canvas: Canvas) throws(SynthesisError) {
        let (box, colour) = (thing.box, thing.colour)
        let dark = colour.mixed(with: .black, share: 0.5)
        let light = colour.mixed(with: .white, share: 0.35)
        switch thing.kind {
        case .bookend:
            canvas.fill(box, gradient: [light, dark], down: false)
            let (foot, plate) = (box.height * 0.45, box.width * 0.5)
            canvas.fill(Box(x: box.x, y: box.y + box.height - plate, width: foot, height: plate), dark)
        case .tag, .sign:
            let paper = Colour(0xF4F2EC)
            canvas.fill(box, paper)
            let size = max(6, Int(min(box.height * 0.5, box.width / Double(max(1, thing.text.count)) * 1.5)))
            let print = try TextLabel.image(thing.text, size: size, colour: Colour(0x1A1A1A), background: paper)
            let part = Box(x: 0, y: 0, width: Double(print.width), height: Double(print.height))
            try canvas.draw(print, part: part, centre: box.centre, turn: 0)
        case .mug:
            let rim = box.height * 0.12
            let foot = Box(x: box.x, y: box.y + box.height - rim, width: box.width, height: rim)
            shadow(of: box, on: canvas)
            canvas.draw([.ellipse(foot)], colour.mixed(with: .black, share: 0.3))
            let wall = Box(x: box.x, y: box.y + rim / 2, width: box.width, height: box.height - rim)
            canvas.fill(wall, gradient: [dark, colour, light, colour, dark], down: false)
            canvas.draw([.ellipse(Box(x: box.x, y: box.y, width: box.width, height: rim))], light)
            let (left, top) = (box.x + 0.05 * box.width, box.y + 0.15 * rim)
            let inside = Box(x: left, y: top, width: 0.9 * box.width, height: 0.75 * rim)
            canvas.draw([.ellipse(inside)], dark.mixed(with: .black, share: 0.5))
        case .card:
            shadow(of: box, on: canvas)
            canvas.fill(box, Colour(0xF1EEE6))
            let tones = [Colour(0x9CB8D4), Colour(0xD9C7A0), colour, dark]
            canvas.fill(box.inset(by: 0.05 * box.width), gradient: tones, down: true)
        }
    }

    private func shadow(of box: Box, on canvas: Canvas) {
        let (left, top) = (box.x + box.width, box.y + 0.1 * box.height)
        let shadow = Box(x: left, y: top, width: 0.15 * box.width, height: 0.9 * box.height)
        canvas.shade(shadow, [0.5, 0], down: false)
    }
}
