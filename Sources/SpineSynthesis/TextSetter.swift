import Raster

/// Sets one block of text as large as its room allows.
struct TextSetter {
    let block: TextBlock
    let thickness: Double
    let length: Double
    /// Added to the quads, which are in the pixels of the picture with its margin.
    let margin: Double

    /// Space between rows, as a share of the lower row's font size.
    private static let leading = 0.22

    /// Draws the block on a canvas whose origin is the spine's top left corner.
    func set(on canvas: Canvas) throws(SynthesisError) -> [RenderedSpine.Line] {
        let room = (
            x: block.across.lowerBound * thickness, y: block.along.lowerBound * length,
            width: (block.across.upperBound - block.across.lowerBound) * thickness,
            height: (block.along.upperBound - block.along.lowerBound) * length
        )
        guard room.width >= 1, room.height >= 1, !block.rows.isEmpty else {
            throw .specification("a block of text has no room or no rows")
        }
        // In the reader's frame the room is `extent` long in reading direction and `depth` from the first row to the last.
        let extent = block.direction == .across ? room.width : room.height
        let depth = block.direction == .across ? room.height : room.width

        var measures: [RowMeasure] = []
        for row in block.rows { measures.append(try canvas.measure(row.text, in: block)) }
        let leads = block.rows.dropFirst().map { Self.leading * Canvas.nominalSize * $0.scale }
        let longest = zip(measures, block.rows).map { $0.ink.width * block.stretch * $1.scale }.max() ?? 1
        let deepest = zip(measures, block.rows).map { $0.ink.height * $1.scale }.reduce(0, +) + leads.reduce(0, +)
        let scale = min(extent / longest, depth / deepest)

        let frame = ReadingFrame(
            direction: block.direction,
            centre: Point(x: room.x + room.width / 2, y: room.y + room.height / 2)
        )
        var lines: [RenderedSpine.Line] = []
        var y = -deepest * scale / 2
        for (index, row) in block.rows.enumerated() {
            let ink = measures[index].ink
            let size = scale * row.scale
            let (width, height) = (ink.width * block.stretch * size, ink.height * size)
            let x = -extent / 2 + (extent - width) * block.alignment
            try canvas.draw(
                row.text,
                in: block,
                ink: ink,
                originX: frame.centre.x,
                originY: frame.centre.y,
                angle: frame.angle,
                x: x,
                y: y,
                scale: size
            )
            let corners = [
                Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
                Point(x: x, y: y + height),
            ].map { frame.onSpine($0) }.map { Point(x: $0.x + margin, y: $0.y + margin) }
            lines.append(
                RenderedSpine.Line(
                    text: row.text,
                    role: block.role,
                    quad: Quad(
                        topLeft: corners[0],
                        topRight: corners[1],
                        bottomRight: corners[2],
                        bottomLeft: corners[3]
                    ),
                    font: measures[index].family,
                    size: size * Canvas.nominalSize
                )
            )
            y += height + (index < leads.count ? leads[index] * scale : 0)
        }
        return lines
    }
}

/// Coordinates as the reader of a block sees them, x in reading direction and y from row to row, about the block's centre.
struct ReadingFrame {
    let direction: TextBlock.Direction
    /// On the spine.
    let centre: Point

    /// Clockwise turn of the frame against the spine, in radians.
    var angle: Double {
        switch direction {
        case .down: .pi / 2
        case .up: -.pi / 2
        case .across: 0
        }
    }

    /// Where a point of the frame lies on the standing spine.
    func onSpine(_ point: Point) -> Point {
        switch direction {
        case .down: Point(x: centre.x - point.y, y: centre.y + point.x)
        case .up: Point(x: centre.x + point.y, y: centre.y - point.x)
        case .across: Point(x: centre.x + point.x, y: centre.y + point.y)
        }
    }
}
