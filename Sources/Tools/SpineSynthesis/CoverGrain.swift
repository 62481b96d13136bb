import Imaging

/// The part of a flat picture that a spine covers, in whole pixels.
struct CoverArea {
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    /// Features of a cover grow with its picture: 1 for a spine of 100 pixels, about 25 mm.
    var unit: Double { max(0.5, Double(width) / 100) }
}

/// The surface of a cover: its threads, pebbles or fibres, and how its rounded edges fall into shade.
struct CoverGrain {
    let cover: Cover
    let area: CoverArea

    func apply(to image: inout RasterImage, _ generator: inout SeededGenerator) {
        let unit = area.unit
        func field(_ cell: Double) -> NoiseField {
            NoiseField(cell: max(1, Int((cell * unit).rounded())), width: area.width, height: area.height, &generator)
        }
        let (coarse, medium, fine) = (field(9), field(3.4), field(2))
        // Book cloth has some 20 threads in a centimetre; finer ones would drown in the pixels.
        let period = max(2, min(6, 2 * unit))
        let warp = Threads(period: period, length: area.width, &generator)
        let weft = Threads(period: period, length: area.height, &generator)
        let strength = Float(cover.grain)
        let shade = roundness
        let (width, stride) = (area.width, image.width * 3)
        let start = area.top * stride + area.left * 3
        image.pixels.withUnsafeMutableBufferPointer { pixels in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * width) { rows in
                let wide = UnsafeMutableBufferPointer(rebasing: rows[..<width])
                let middle = UnsafeMutableBufferPointer(rebasing: rows[width..<2 * width])
                let narrow = UnsafeMutableBufferPointer(rebasing: rows[(2 * width)...])
                for y in 0..<area.height {
                    coarse.fill(wide, y: y)
                    medium.fill(middle, y: y)
                    fine.fill(narrow, y: y)
                    for x in 0..<width {
                        let grain: Float
                        switch cover.material {
                        case .laminate, .picture: grain = 0.02 * wide[x]
                        case .paper: grain = 0.05 * narrow[x] + 0.03 * wide[x]
                        case .cloth:
                            let over = (warp.index[x] ^ weft.index[y]) & 1 == 0
                            let thread = over ? warp.light[x] : weft.light[y]
                            grain = 0.24 * thread + 0.06 * narrow[x] + 0.05 * wide[x]
                        case .leather:
                            // Two noises of different size do not form a grid; there is a valley where they cancel.
                            let height = abs(middle[x] + 0.7 * narrow[x])
                            grain = 0.26 * (min(1, 2.6 * height) - 0.8) + 0.06 * wide[x]
                        }
                        let gain = (1 + strength * grain) * shade[x]
                        let place = start + y * stride + x * 3
                        pixels[place] = Self.scaled(pixels[place], gain)
                        pixels[place + 1] = Self.scaled(pixels[place + 1], gain)
                        pixels[place + 2] = Self.scaled(pixels[place + 2], gain)
                    }
                }
            }
        }
    }

    /// The fourth power keeps the middle flat, as on a spine that is round only near its joints.
    private var roundness: [Float] {
        (0..<area.width).map { x in
            let distance = 2 * (Double(x) + 0.5) / Double(area.width) - 1
            return Float(1 - cover.roundness * distance * distance * distance * distance)
        }
    }

    @inline(__always)
    private static func scaled(_ byte: UInt8, _ gain: Float) -> UInt8 {
        UInt8(max(0, min(255, Float(byte) * gain + 0.5)))
    }
}

private struct Threads {
    var index: [Int] = []
    var light: [Float] = []

    init(period: Double, length: Int, _ generator: inout SeededGenerator) {
        let tones = (0...Int(Double(length) / period)).map { _ in generator.number(in: -0.35...0.35) }
        for place in 0..<length {
            let threads = (Double(place) + 0.5) / period
            let thread = Int(threads)
            // A thread is round: light on its back, dark between it and the next.
            let side = 2 * (threads - Double(thread)) - 1
            index.append(thread)
            light.append(Float(0.35 - side * side + tones[thread]))
        }
    }
}

/// Wear of a cover: white cracks where a paperback was opened, rubbed edges, dust.
struct CoverWear {
    let cover: Cover
    let area: CoverArea

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

    private var isPrinted: Bool { cover.material != .cloth && cover.material != .leather }

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

private struct Brush {
    let pixels: UnsafeMutableBufferPointer<UInt8>
    let start: Int
    let stride: Int
    let area: CoverArea
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
