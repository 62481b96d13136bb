import Imaging

/// Surroundings of a spine in its picture: the neighbours, the wall above, the board below, and the gaps between.
struct SpineSurroundings {
    let specification: SpineSpecification
    /// Pixels around the spine on each side.
    let margin: Double

    private static let dark = Colour(0x0C0B0B)

    private var thickness: Double { Double(specification.thickness) }
    private var length: Double { Double(specification.length) }

    /// Draws everything behind the spine, whose corner is `margin` pixels from the canvas's own.
    func draw(on canvas: Canvas, _ generator: inout SeededGenerator) {
        var generator = generator.split()
        let camera = specification.camera
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let walls = [0.5, 0.8].map { camera.wall.mixed(with: .black, share: $0) }
        canvas.fill(Box(x: 0, y: 0, width: width, height: height), gradient: walls, down: true)
        draw(camera.leftNeighbour, x: 0, side: .left, on: canvas, &generator)
        draw(camera.rightNeighbour, x: margin + thickness, side: .right, on: canvas, &generator)
        let board = margin + length
        let strip = Box(x: 0, y: board, width: width, height: margin)
        canvas.fill(strip, gradient: [Self.dark, camera.shelf, camera.shelf], down: true)
        for _ in 0..<Int(margin / 3) {
            let y = board + margin * generator.number(in: 0.2...1)
            canvas.stroke(
                from: Point(x: 0, y: y),
                to: Point(x: width, y: y + generator.number(in: -2...2)),
                camera.shelf.mixed(with: generator.chance(0.5) ? .black : .white, share: 0.4),
                lineWidth: generator.number(in: 0.4...1.2),
                opacity: 0.4
            )
        }
    }

    /// Draws the edge of the book beside: its cover turning away into the gap, a band or two, the border of its
    /// board.
    private func draw(
        _ neighbour: CameraSpecification.Neighbour,
        x: Double,
        side: CameraSpecification.Side,
        on canvas: Canvas,
        _ generator: inout SeededGenerator
    ) {
        let top = max(0, margin + length * (1 - neighbour.height))
        let height = margin + length - top
        let cover = Box(x: x, y: top, width: margin, height: height)
        canvas.fill(cover, neighbour.colour)
        for _ in 0..<generator.integer(in: 0...3) {
            let (place, tall) = (generator.number(in: 0...0.9), generator.number(in: 0.005...0.1))
            let band = Box(x: x, y: top + height * place, width: margin, height: height * tall)
            canvas.fill(band, neighbour.accent, opacity: generator.number(in: 0.4...1))
        }
        let inner = side == .left ? x + margin : x
        let edge = max(1, thickness * 0.015)
        let start = side == .left ? inner - 2.5 * edge : inner + 1.5 * edge
        let border = Box(x: start, y: top, width: edge, height: height)
        canvas.fill(border, neighbour.colour.mixed(with: .white, share: 0.5), opacity: 0.6)
        canvas.shade(cover, side == .left ? [0, 0.4] : [0.4, 0], down: false)
    }

    /// Draws the gaps to the neighbours, dark without light; drawn last, with the origin at the spine's corner.
    func drawGaps(on canvas: Canvas) {
        let gap = max(1, thickness * 0.012)
        let shade = margin * 0.35
        let height = length + 2 * margin
        for side in [CameraSpecification.Side.left, .right] {
            let left = side == .left
            let fading = Box(x: left ? -shade : thickness, y: -margin, width: shade, height: height)
            canvas.shade(fading, left ? [0, 0.6] : [0.6, 0], down: false)
            canvas.fill(Box(x: left ? -gap : thickness, y: -margin, width: gap, height: height), .black, opacity: 0.7)
        }
    }
}
