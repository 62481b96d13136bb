import Foundation
import Imaging
import SpineDatasets

struct SpineRenderer: Sendable {
    /// Returns a photograph of the spine, drawn once and sampled once.
    func render(_ specification: SpineSpecification) throws(SynthesisError) -> RenderedSpine {
        guard (20...600).contains(specification.thickness), (60...4000).contains(specification.length) else {
            throw .specification(
                "a spine of \(specification.thickness) × \(specification.length) pixels; "
                    + "20…600 by 60…4000 can be drawn"
            )
        }
        guard specification.camera.corners.count == 4 else {
            throw .specification("a picture has four corners, not \(specification.camera.corners.count)")
        }
        guard (0.05...8).contains(specification.camera.scale), (1...4).contains(specification.camera.zoom) else {
            throw .specification(
                "a scale of \(specification.camera.scale) with a zoom of \(specification.camera.zoom); "
                    + "0.05…8 and 1…4 can be photographed"
            )
        }
        // Letters are shapes: a spine seen from nearby is drawn as large as it is seen, not enlarged afterwards.
        let nearer = min(
            max(1, specification.camera.scale),
            600 / Double(specification.thickness),
            4000 / Double(specification.length)
        )
        var drawn = specification.enlarged(by: nearer)
        drawn.camera.scale = specification.camera.scale / nearer
        var generator = SeededGenerator(seed: specification.grainSeed)
        let painter = SpinePainter(drawn)
        let (flat, flatLines) = try painter.paint(&generator)
        let letters = flatLines.filter { $0.role == .title || $0.role == .author }.map(\.size).min() ?? .infinity
        drawn.camera.scale = max(drawn.camera.scale, drawn.camera.smallestLetters / letters)

        let (photograph, projection) = try Camera(drawn.camera).photograph(
            flat,
            frame: drawn.frame(margin: painter.margin),
            surfaces: [drawn.surface(margin: painter.margin)],
            &generator
        )
        let quad = projection.photo(of: drawn.outline(margin: painter.margin))
        var image = photograph
        if let mask = drawn.camera.mask {
            let width = Double(drawn.thickness) * drawn.camera.scale
            CropMask(outline: quad, stray: mask * width).apply(to: &image, &generator)
        }
        let lines = flatLines.map { $0.moved(scale: drawn.camera.scale, projection.photo(of:)) }
        return RenderedSpine(
            image: image,
            lines: lines,
            quad: quad,
            orientation: specification.orientation,
            difficulty: difficulty(of: drawn, quad)
        )
    }

    private func difficulty(of specification: SpineSpecification, _ quad: Quad) -> [String: Double] {
        let lies = specification.pose == .lying
        let sides = lies ? (quad.topLeft, quad.topRight) : (quad.topLeft, quad.bottomLeft)
        let lean = lies ? sides.1.y - sides.0.y : sides.0.x - sides.1.x
        return specification.camera.difficulty(
            width: lies
                ? quad.topLeft.distance(to: quad.bottomLeft) : quad.topLeft.distance(to: quad.topRight),
            tilt: asin(lean / max(1, sides.0.distance(to: sides.1))) * 180 / .pi
        )
    }
}

struct RenderedSpine: Sendable, Equatable {
    struct Line: Sendable, Equatable {
        var text: String
        var role: LineRole
        /// The box around the ink, in the image's pixels; corners as a reader of the text sees them.
        var quad: Quad
        /// The family that the text was drawn with, which is another than asked for when that is not installed.
        var font: String
        /// The font size in pixels.
        var size: Double

        /// Returns the line with its corners elsewhere, and its letters `scale` times as large.
        func moved(scale: Double = 1, _ move: (Point) -> Point) -> Line {
            var line = self
            line.quad = quad.mapped(move)
            line.size *= scale
            return line
        }
    }

    var image: RasterImage
    var lines: [Line]
    /// The spine's outline in the image's pixels, clockwise from the image's top left.
    var quad: Quad
    /// The direction that the title runs in the image; nil without any text.
    var orientation: SampleOrientation?
    /// Difficulty of reading it, in figures by name, as the camera's specification lists them.
    var difficulty: [String: Double]
}

struct SpineSurface {
    /// The spine's edges in the flat picture's pixels.
    let bounds: Bounds
    let camera: CameraSpecification

    private var width: Double { bounds.right - bounds.left }
    private var height: Double { bounds.bottom - bounds.top }

    var bend: Projection.Bend {
        Projection.Bend(left: bounds.left, right: bounds.right, halfAngle: camera.curvature * .pi / 180)
    }

    /// Lights the part of the flat `picture` that the spine covers.
    func light(_ picture: inout Picture) {
        let columns = max(0, Int(bounds.left.rounded()))..<min(picture.width, max(0, Int(bounds.right.rounded())))
        let rows = max(0, Int(bounds.top.rounded()))..<min(picture.height, max(0, Int(bounds.bottom.rounded())))
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let across = columns.map { (Double($0) + 0.5 - bounds.left) / width }
        let along = rows.map { (Double($0) + 0.5 - bounds.top) / height }
        let gains = across.map { Float(shade($0) * sideShadow($0)) }
        let fall = along.map { Float(1 - camera.boardShadow * Self.fading($0, reach: camera.boardShadowReach)) }
        let stride = picture.width
        picture.pixels.withUnsafeMutableBufferPointer { pixels in
            for (line, row) in rows.enumerated() {
                let start = row * stride + columns.lowerBound
                for column in 0..<columns.count { pixels[start + column] *= gains[column] * fall[line] }
            }
        }
        if camera.glare > 0 { reflect(in: &picture, columns, rows, across) }
    }

    /// Adds the reflection: its profile along the spine, slanting across it, where the surface faces the lamp.
    private func reflect(in picture: inout Picture, _ columns: Range<Int>, _ rows: Range<Int>, _ across: [Double]) {
        let shine = across.map { Float(camera.glare * mirror($0)) }
        let slope = tan(camera.glareSlant * .pi / 180) * width
        let shifts = across.map { Int((($0 - 0.5) * slope).rounded()) }
        let most = shifts.map(abs).max() ?? 0
        let strip = (rows.lowerBound - most..<rows.upperBound + most).map { row in
            Float(window((Double(row) + 0.5 - bounds.top) / height))
        }
        let stride = picture.width
        picture.pixels.withUnsafeMutableBufferPointer { pixels in
            for (line, row) in rows.enumerated() {
                let start = row * stride + columns.lowerBound
                for column in 0..<columns.count {
                    pixels[start + column] += shine[column] * strip[line + most + shifts[column]]
                }
            }
        }
    }

    /// Returns the light on the surface at `across` (0…1) by its direction: Lambert's cosine, 1 in the middle.
    func shade(_ across: Double) -> Double {
        let turn = (2 * across - 1) * camera.curvature * .pi / 180
        let lamp = camera.lampAngle * .pi / 180
        // Surfaces that face away from the lamp still get light from the room.
        return max(0.15, cos(turn - lamp) / cos(lamp))
    }

    /// Returns the share of light that the neighbour's shadow leaves at `across`.
    func sideShadow(_ across: Double) -> Double {
        let distance = camera.shadowSide == .left ? across : 1 - across
        return 1 - camera.shadow * Self.fading(distance, reach: camera.shadowReach)
    }

    /// Returns 1 in the first half of `reach`, falling to 0 at its end: full shadow, then half-shadow.
    private static func fading(_ distance: Double, reach: Double) -> Double {
        guard reach > 0 else { return 0 }
        return 1 - smooth((2 * distance - reach) / reach)
    }

    /// Returns the share of the reflection seen at `across`: all of it on a flat spine, a streak on a round one.
    private func mirror(_ across: Double) -> Double {
        // A lamp of some size, mirrored where the surface faces halfway between it and the viewer.
        let turn = ((2 * across - 1) * camera.curvature - camera.lampAngle / 2) / 14
        return camera.curvature == 0 ? 1 : exp(-turn * turn / 2)
    }

    private func window(_ along: Double) -> Double {
        let half = camera.glareLength / 2
        let border = max(0.002, half * camera.glareSoftness)
        return Self.smooth((half - abs(along - camera.glareAlong)) / border)
    }

    private static func smooth(_ value: Double) -> Double {
        let place = max(0, min(1, value))
        return place * place * (3 - 2 * place)
    }
}
