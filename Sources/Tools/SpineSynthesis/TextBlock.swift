import Imaging
import SpineDatasets

/// Position in which a book is placed.
enum Pose: String, Sendable {
    case standing
    /// Head down: everything on the spine is turned by 180°.
    case upsideDown
    /// Placed on its back cover: turned by 90° counter-clockwise, so that text running down it reads upright.
    case lying

    /// Clockwise quarter turns from a spine to the picture.
    var quarterTurns: Int {
        switch self {
        case .standing: 0
        case .upsideDown: 2
        case .lying: 3
        }
    }
}

/// Lines of text that a spine carries in one place, of one size.
///
/// Places are in the pixels of the spine's design: x from its left edge, y from its head.
struct TextBlock: Sendable, Equatable {
    enum Direction: String, Sendable {
        case down
        case up
        case across

        /// Returns the orientation of the text in the image for a book in this pose.
        func seen(in pose: Pose) -> SampleOrientation {
            let clockwise: [SampleOrientation] = [.upright, .clockwise, .inverted, .counterclockwise]
            let own =
                switch self {
                case .across: 0
                case .down: 1
                case .up: 3
                }
            return clockwise[(own + pose.quarterTurns) % 4]
        }
    }

    struct Row: Sendable, Equatable {
        /// Printed text, in the letter case that is drawn and labelled.
        var text: String
        /// Font size, relative to the block's.
        var scale = 1.0
    }

    enum Effect: Sendable, Equatable {
        case plain
        /// Outline of the letters alone, in the ink's colour; the width is a share of the font size.
        case hollow(width: Double)
        /// Letters with a soft shade around them.
        case shaded(Colour)
    }

    var role: LineRole
    var rows: [Row]
    var direction: Direction
    /// Whether the letters of each row are upright, one below the other: the rows make one column.
    var isColumn = false
    var style: Typesetter.Style
    var ink = Colour.black
    var effect = Effect.plain
    /// Alignment of the rows in the free room in reading direction: 0 at its start, 0.5 in the middle, 1 at its end.
    var alignment = 0.5
    var room = Box(x: 0, y: 0, width: 0, height: 0)
}

extension TextBlock {
    /// Space between rows, between the letters of a column, and between its words, as shares of the font size.
    private static let (leading, letterGap, wordGap) = (0.22, 0.16, 0.5)

    /// Line of a block: the outlines of its text, or of each letter, by their ink's top left corners in the frame.
    struct SetLine {
        var text: String
        var pieces: [(outline: TextOutline, corner: Point)]
        var box: Box
        /// Font size by the nominal one.
        var scale: Double
    }

    /// Returns the extent of the block at a font size of 1: in reading direction, and from the first row to the last.
    func extent(_ typesetter: Typesetter) throws(SynthesisError) -> (along: Double, across: Double) {
        let lines = try measured(typesetter)
        let width = lines.map(\.box.width).max() ?? 0
        return (width / Typesetter.nominalSize, (lines.last?.box.bottom ?? 0) / Typesetter.nominalSize)
    }

    /// Returns the block's lines in reading order, as large as the room allows, and the frame that they are placed in.
    func set(_ typesetter: Typesetter) throws(SynthesisError) -> (frame: ReadingFrame, lines: [SetLine]) {
        guard room.width >= 1, room.height >= 1, !rows.isEmpty else {
            throw .drawing("a block of text has no room or no rows")
        }
        var lines = try measured(typesetter)
        let (width, height) = (lines.map(\.box.width).max() ?? 0, lines.last?.box.bottom ?? 0)
        // The room in the reader's frame is `extent` long in reading direction and `depth` from the first row to the
        // last.
        let (extent, depth) = direction == .across ? (room.width, room.height) : (room.height, room.width)
        let scale = min(extent / width, depth / height)
        for index in lines.indices {
            let box = lines[index].box
            let shift = (extent - box.width * scale) * alignment - extent / 2
            func place(_ x: Double, _ y: Double) -> Point { Point(x: x * scale + shift, y: (y - height / 2) * scale) }
            lines[index].pieces = lines[index].pieces.map { ($0.outline, place($0.corner.x, $0.corner.y)) }
            let corner = place(box.x, box.y)
            lines[index].box = Box(x: corner.x, y: corner.y, width: box.width * scale, height: box.height * scale)
            lines[index].scale *= scale
        }
        return (ReadingFrame(direction: direction, centre: room.centre), lines)
    }

    /// Returns the lines at the nominal size, left aligned, from 0 down.
    private func measured(_ typesetter: Typesetter) throws(SynthesisError) -> [SetLine] {
        var lines: [SetLine] = []
        for row in rows {
            let gap = lines.isEmpty ? 0 : (isColumn ? Self.wordGap : Self.leading * row.scale) * Typesetter.nominalSize
            let top = (lines.last?.box.bottom ?? 0) + gap
            let parts = isColumn ? row.text.filter { !$0.isWhitespace }.map(String.init) : [row.text]
            var outlines: [TextOutline] = []
            for part in parts { outlines.append(try typesetter.outline(of: part, in: style)) }
            let width = (outlines.map(\.ink.width).max() ?? 0) * row.scale
            var pieces: [(TextOutline, Point)] = []
            var y = top
            for outline in outlines {
                if !pieces.isEmpty { y += Self.letterGap * Typesetter.nominalSize }
                pieces.append((outline, Point(x: (width - outline.ink.width * row.scale) / 2, y: y)))
                y += outline.ink.height * row.scale
            }
            let box = Box(x: 0, y: top, width: width, height: y - top)
            lines.append(SetLine(text: row.text, pieces: pieces, box: box, scale: row.scale))
        }
        return lines
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
}
