import Raster

/// Wear of a cover: white cracks where a paperback was opened, rubbed edges, dust.
struct CoverWear {
    let cover: Cover
    let area: CoverArea

    /// Changes the part of `image` that the spine covers.
    func apply(to image: inout RasterImage, _ generator: inout SeededGenerator) {
        guard cover.wear > 0 else { return }
        var generator = generator.split()
        // Under the print there is paper, or the cloth and leather worn pale.
        let paper = cover.colour.mixed(with: Colour(0xF4EFE6), share: isPrinted ? 0.85 : 0.4)
        let ink = SIMD3<Float>(Float(paper.red), Float(paper.green), Float(paper.blue)) * 255
        let stride = image.width * 3
        let start = area.top * stride + area.left * 3
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            var brush = Brush(pixels: pixels, start: start, stride: stride, area: area, ink: ink)
            if isPrinted, cover.wear > 0.3 { crack(&brush, &generator) }
            rub(&brush, &generator)
            brush.ink = SIMD3(repeating: 205)
            for _ in 0..<Int(cover.wear * Double(area.width * area.height) / 4000) {
                let share = generator.number(in: 0.1...0.4)
                brush.paint(
                    generator.integer(in: 0...area.width - 1),
                    generator.integer(in: 0...area.height - 1),
                    Float(share)
                )
            }
        }
    }

    /// Whether the print lies on paper that shows white where it breaks.
    private var isPrinted: Bool { cover.material != .cloth && cover.material != .leather }

    /// Cracks run along the spine, in steps sideways, with breaks, most of them near the middle.
    private func crack(_ brush: inout Brush, _ generator: inout SeededGenerator) {
        let width = max(1, Int((area.unit * 0.9).rounded()))
        for _ in 0..<generator.integer(in: 1...1 + Int(cover.wear * 4)) {
            var x = Double(area.width) * (0.5 + generator.number(in: -0.4...0.4))
            let length = Int(Double(area.height) * generator.number(in: 0.15...1))
            let first = generator.integer(in: 0...area.height - length)
            let strength = cover.wear * generator.number(in: 0.3...0.9)
            var open = 1.0
            for y in first..<first + length {
                x += generator.number(in: -0.35...0.35) * area.unit
                // Open and closed by turns of some ten pixels.
                open += generator.number(in: -0.3...0.3)
                open = max(-0.5, min(1, open))
                guard open > 0 else { continue }
                for column in 0..<width { brush.paint(Int(x) + column, y, Float(strength * open)) }
                // Beside the crack the print has lost some of its colour.
                brush.paint(Int(x) - 1, y, Float(strength * open * 0.3))
                brush.paint(Int(x) + width, y, Float(strength * open * 0.3))
            }
        }
    }

    /// Edges rubbed pale, head and foot more than the sides.
    private func rub(_ brush: inout Brush, _ generator: inout SeededGenerator) {
        let field = NoiseField(cell: max(2, Int(2.5 * area.unit)), width: area.width, height: area.height, &generator)
        let reach = max(1, Int((3 * area.unit).rounded()))
        let wear = Float(cover.wear)
        let width = area.width
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { row in
            for y in 0..<area.height {
                let end = min(y, area.height - 1 - y)
                field.fill(row, y: y)
                func rub(_ x: Int, _ distance: Int) {
                    let near = 1 - Float(distance) / Float(reach)
                    let amount = near * near * (0.1 + wear * 0.3 + row[x])
                    if amount > 0 { brush.paint(x, y, min(0.8, amount * 1.3) * wear) }
                }
                if end < reach {
                    for x in 0..<width { rub(x, end) }
                } else {
                    for distance in 0..<min(reach, width / 2) {
                        rub(distance, distance)
                        rub(width - 1 - distance, distance)
                    }
                }
            }
        }
    }
}

/// Paints single pixels of a spine over what is there; lives inside one call.
private struct Brush {
    let pixels: UnsafeMutableBufferPointer<UInt8>
    let start: Int
    let stride: Int
    let area: CoverArea
    /// In steps of 0…255.
    var ink: SIMD3<Float>

    /// Covers `share` (0…1) of a pixel; pixels outside the spine stay as they are.
    func paint(_ x: Int, _ y: Int, _ share: Float) {
        guard x >= 0, x < area.width, y >= 0, y < area.height else { return }
        let place = start + y * stride + x * 3
        for channel in 0..<3 {
            let old = Float(pixels[place + channel])
            pixels[place + channel] = UInt8(old + (ink[channel] - old) * share + 0.5)
        }
    }
}
