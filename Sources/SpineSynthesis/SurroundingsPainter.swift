/// Draws what is beside a standing spine: its neighbours, the board that it stands on, and the gaps between.
struct SurroundingsPainter {
    let specification: SpineSpecification
    let margin: Double

    private var thickness: Double { Double(specification.thickness) }
    private var length: Double { Double(specification.length) }

    /// On a canvas whose origin is its own corner.
    func paintBackground(on canvas: Canvas) {
        let camera = specification.camera
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let dark = Colour(0x0C0B0B)
        canvas.fill(x: 0, y: 0, width: width, height: height, dark)
        canvas.fill(x: 0, y: 0, width: margin, height: height, camera.leftNeighbour)
        canvas.fill(x: margin + thickness, y: 0, width: margin, height: height, camera.rightNeighbour)
        canvas.fill(
            x: 0,
            y: margin + length,
            width: width,
            height: margin,
            gradient: [dark, camera.shelf],
            down: true
        )
    }

    /// The gaps to the neighbours, dark where no light gets in, on a canvas whose origin is the spine's corner.
    func paintGaps(on canvas: Canvas) {
        let gap = max(1.5, thickness * 0.02)
        let shade = margin * 0.7
        let (top, height) = (-margin, length + 2 * margin)
        canvas.fill(
            x: -shade,
            y: top,
            width: shade,
            height: height,
            gradient: [.black, .black],
            opacities: [0, 0.75],
            down: false
        )
        canvas.fill(
            x: thickness,
            y: top,
            width: shade,
            height: height,
            gradient: [.black, .black],
            opacities: [0.75, 0],
            down: false
        )
        canvas.fill(x: -gap, y: top, width: gap, height: height, .black, opacity: 0.8)
        canvas.fill(x: thickness, y: top, width: gap, height: height, .black, opacity: 0.8)
    }
}
