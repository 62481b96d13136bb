import Imaging
import SpineDatasets

struct TextSetter {
    let block: TextBlock
    let thickness: Double
    let length: Double

    /// Space between rows, as a share of the lower row's font size.
    private static let leading = 0.22
    /// Space between the letters of a column, and between its words, as shares of the font size.
    private static let letterGap = 0.16
    private static let wordGap = 0.5

    struct SetLine {
        struct Piece {
            var outline: TextOutline
            /// The ink's top left corner in the frame.
            var x: Double
            var y: Double
        }

        var row: TextBlock.Row
        var pieces: [Piece]
        var box: Box
        var scale: Double
    }

    /// Extent of a block, as multiples of its font size.
    struct Extent: Equatable {
        var along: Double
        var across: Double
    }

    /// Returns the extent of the block at a font size of 1.
    func extent(with typesetter: Typesetter) throws(SynthesisError) -> Extent {
        let (_, width, height) = try lines(with: typesetter)
        return Extent(along: width / Typesetter.nominalSize, across: height / Typesetter.nominalSize)
    }

    /// Returns the block's lines in reading order, and the frame that they are placed in.
    func set(with typesetter: Typesetter) throws(SynthesisError) -> (frame: ReadingFrame, lines: [SetLine]) {
        let room = Box(along: block.along, across: block.across, thickness: thickness, length: length)
        guard room.width >= 1, room.height >= 1, !block.rows.isEmpty else {
            throw .specification("a block of text has no room or no rows")
        }
        var (lines, width, height) = try lines(with: typesetter)
        // The room in the reader's frame is `extent` long in reading direction and `depth` from the first row to the
        // last.
        let extent = block.direction == .across ? room.width : room.height
        let depth = block.direction == .across ? room.height : room.width
        let scale = min(extent / width, depth / height)
        for index in lines.indices {
            let shift = (extent - lines[index].box.width * scale) * block.alignment - extent / 2
            let left = lines[index].box.x
            func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
                ((x - left) * scale + shift, (y - height / 2) * scale)
            }
            for piece in lines[index].pieces.indices {
                let old = lines[index].pieces[piece]
                (lines[index].pieces[piece].x, lines[index].pieces[piece].y) = place(old.x, old.y)
            }
            let box = lines[index].box
            let corner = place(box.x, box.y)
            lines[index].box = Box(x: corner.x, y: corner.y, width: box.width * scale, height: box.height * scale)
            lines[index].scale *= scale
        }
        return (ReadingFrame(direction: block.direction, centre: room.centre), lines)
    }

    private func lines(
        with typesetter: Typesetter
    ) throws(SynthesisError) -> (lines: [SetLine], width: Double, height: Double) {
        var result: [SetLine] = []
        var (width, y) = (0.0, 0.0)
        for row in block.rows {
            let style = Typesetter.Style(
                typeface: row.typeface ?? block.typeface,
                letterSpacing: block.arrangement == .letters ? 0 : block.letterSpacing,
                smallCapitals: block.smallCapitals,
                initialScale: block.initialScale
            )
            switch block.arrangement {
            case .rows:
                let outline = try typesetter.outline(of: row.text, in: style)
                if !result.isEmpty { y += Self.leading * Typesetter.nominalSize * row.scale }
                let box = Box(
                    x: 0,
                    y: y,
                    width: outline.ink.width * block.stretch * row.scale,
                    height: outline.ink.height * row.scale
                )
                let piece = SetLine.Piece(outline: outline, x: 0, y: y)
                result.append(SetLine(row: row, pieces: [piece], box: box, scale: row.scale))
            case .letters:
                if !result.isEmpty { y += Self.wordGap * Typesetter.nominalSize }
                result.append(try column(row, style, from: y, typesetter))
            }
            y = (result.last?.box.y ?? 0) + (result.last?.box.height ?? 0)
            width = max(width, result.last?.box.width ?? 0)
        }
        return (result, width, y)
    }

    private func column(
        _ row: TextBlock.Row,
        _ style: Typesetter.Style,
        from top: Double,
        _ typesetter: Typesetter
    ) throws(SynthesisError) -> SetLine {
        var pieces: [SetLine.Piece] = []
        var y = top
        for letter in row.text where !letter.isWhitespace {
            if !pieces.isEmpty { y += Self.letterGap * Typesetter.nominalSize }
            let outline = try typesetter.outline(of: String(letter), in: style)
            pieces.append(SetLine.Piece(outline: outline, x: 0, y: y))
            y += outline.ink.height
        }
        let width = pieces.map { $0.outline.ink.width * block.stretch }.max() ?? 0
        for index in pieces.indices {
            pieces[index].x = (width - pieces[index].outline.ink.width * block.stretch) / 2
        }
        return SetLine(row: row, pieces: pieces, box: Box(x: 0, y: top, width: width, height: y - top), scale: 1)
    }
}

/// Coordinates of a block's reader: x in reading direction, y from row to row, about the block's centre.
struct ReadingFrame {
    let direction: TextBlock.Direction
    let centre: Point

    var angle: Double {
        switch direction {
        case .down: .pi / 2
        case .up: -.pi / 2
        case .across: 0
        }
    }

    func onSpine(_ point: Point) -> Point {
        switch direction {
        case .down: Point(x: centre.x - point.y, y: centre.y + point.x)
        case .up: Point(x: centre.x + point.y, y: centre.y - point.x)
        case .across: Point(x: centre.x + point.x, y: centre.y + point.y)
        }
    }

    func onSpine(_ box: Box) -> Quad {
        Quad(x: box.x, y: box.y, width: box.width, height: box.height).mapped { onSpine($0) }
    }
}
