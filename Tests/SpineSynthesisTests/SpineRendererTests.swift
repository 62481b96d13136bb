import Imaging
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Spine renderer")
struct SpineRendererTests {
    /// Three heavy letters, then dots: most of the ink is at the begin of the text, and a T's bar at its top.
    private static let text = "TTT............"

    @Test(
        "text runs the way that its label says",
        arguments: [
            (TextBlock.Direction.down, SpineSpecification.Pose.standing, SampleOrientation.clockwise),
            (.up, .standing, .counterclockwise),
            (.across, .standing, .upright),
            (.down, .upsideDown, .counterclockwise),
            (.up, .upsideDown, .clockwise),
            (.across, .upsideDown, .inverted),
            (.down, .lying, .upright),
            (.up, .lying, .inverted),
            (.across, .lying, .counterclockwise),
        ]
    )
    func direction(
        _ direction: TextBlock.Direction,
        _ pose: SpineSpecification.Pose,
        _ expected: SampleOrientation
    ) throws {
        let spine = try SpineRenderer().render(Spines.plain(Self.text, direction: direction, pose: pose))
        #expect(spine.orientation == expected)

        let ink = spine.darkPixels()
        try #require(ink.count > 30)
        let box = try #require(spine.lines.first).quad
        let middle = Point(
            x: box.corners.map(\.x).reduce(0, +) / 4,
            y: box.corners.map(\.y).reduce(0, +) / 4
        )
        let before = ink.map { reading($0, from: middle, expected) }.filter { $0.along < 0 }
        #expect(before.count * 10 > ink.count * 6, "most of the ink lies in the first half of the line")
        let bars = before.filter { $0.down < 0 }
        #expect(bars.count * 2 > before.count, "the letters' bars are at their tops")
    }

    /// Returns a point as the reader of text in this orientation sees it, about `middle`.
    private func reading(
        _ point: Point,
        from middle: Point,
        _ orientation: SampleOrientation
    ) -> (along: Double, down: Double) {
        let (x, y) = (point.x - middle.x, point.y - middle.y)
        return switch orientation {
        case .upright: (x, y)
        case .clockwise: (y, -x)
        case .counterclockwise: (-y, x)
        case .inverted: (-x, -y)
        }
    }

    @Test("a line's quad is the box around its ink, its first corner where the text begins")
    func quad() throws {
        let spine = try SpineRenderer().render(Spines.plain("Hxgd", direction: .down))
        let quad = try #require(spine.lines.first).quad
        let ink = spine.darkPixels()
        // Read downwards: the first corner is the image's top right.
        #expect(abs(quad.topLeft.y - (ink.map(\.y).min() ?? 0)) < 2)
        #expect(abs(quad.topLeft.x - (ink.map(\.x).max() ?? 0)) < 2)
        #expect(abs(quad.bottomRight.y - (ink.map(\.y).max() ?? 0)) < 2)
        #expect(abs(quad.bottomRight.x - (ink.map(\.x).min() ?? 0)) < 2)
    }

    @Test("a line too long for its room shrinks until all of it fits")
    func longLine() throws {
        let text = String(repeating: "Rendezvous ", count: 5) + "M"
        let spine = try SpineRenderer().render(Spines.plain(text, direction: .down))
        let quad = try #require(spine.lines.first).quad
        // The room is 0.8 of 300 pixels long.
        #expect(abs(quad.topRight.y - quad.topLeft.y - 240) < 2)
        #expect(abs((spine.darkPixels().map(\.y).max() ?? 0) - quad.topRight.y) < 3, "the last letter is there")
    }

    @Test("rows follow each other in reading order and small rows are smaller")
    func rows() throws {
        var specification = Spines.plain("", direction: .down)
        specification.blocks[0].rows = [
            TextBlock.Row(text: "MARCH"), TextBlock.Row(text: "of the", scale: 0.5), TextBlock.Row(text: "DAY"),
        ]
        let lines = try SpineRenderer().render(specification).lines
        #expect(lines.map(\.text) == ["MARCH", "of the", "DAY"])
        // Read downwards, the rows go from right to left.
        #expect(lines[0].quad.bottomLeft.x > lines[1].quad.topLeft.x)
        #expect(lines[1].quad.bottomLeft.x > lines[2].quad.topLeft.x)
        #expect(abs(lines[1].size - lines[0].size / 2) < 0.001)
    }

    @Test("the same specification gives the same bytes, another seed others")
    func determinism() throws {
        var specification = Spines.plain("Emma", direction: .up)
        specification.camera.iso = 400
        specification.camera.blurSigma = 0.8
        let first = try SpineRenderer().render(specification)
        #expect(try SpineRenderer().render(specification) == first)
        specification.grainSeed += 1
        #expect(try SpineRenderer().render(specification).image != first.image)
    }

    @Test(
        "every effect leaves readable ink",
        arguments: [
            TextBlock.Effect.outlined(Colour(0x404040), width: 0.05), .hollow(width: 0.05),
            .shadowed(Colour(0x404040), offset: 0.05), .foil(darkest: .black, brightest: Colour(0x303030)),
            .embossed(offset: 0.03), .glowing(Colour(0xC0C0C0)), .graded(Colour(0x303030)),
        ]
    )
    func effects(_ effect: TextBlock.Effect) throws {
        var specification = Spines.plain("HOME", direction: .down)
        specification.blocks[0].effect = effect
        #expect(try SpineRenderer().render(specification).darkPixels().count > 100)
    }

    @Test("the camera's scale is that of the picture, its quads and its letters", arguments: [0.5, 1.7])
    func scale(_ scale: Double) throws {
        var specification = Spines.plain("HOME", direction: .down)
        let whole = try SpineRenderer().render(specification)
        specification.camera.scale = scale
        let scaled = try SpineRenderer().render(specification)
        #expect(abs(width(scaled) - 60 * scale) < 1)
        #expect(abs(Double(scaled.image.height) - Double(whole.image.height) * scale) < 12)
        let (line, wholeLine) = (try #require(scaled.lines.first), try #require(whole.lines.first))
        #expect(abs(line.size - wholeLine.size * scale) < 0.5)
        let ink = scaled.darkPixels()
        #expect(abs((ink.map(\.y).min() ?? 0) - line.quad.topLeft.y) < 2)
        #expect(abs((ink.map(\.y).max() ?? 0) - line.quad.topRight.y) < 2)
        #expect(abs((scaled.difficulty["width"] ?? 0) - 60 * scale) < 1)
    }

    @Test("letters are not photographed smaller than the specification says, and publishers' may be")
    func smallestLetters() throws {
        var specification = Spines.plain("HOME", direction: .down)
        specification.camera.scale = 0.2
        specification.camera.smallestLetters = 14
        let size = try #require(SpineRenderer().render(specification).lines.first).size
        #expect(abs(size - 14) < 0.01)
        specification.blocks[0].role = .publisher
        let publishers = try #require(SpineRenderer().render(specification).lines.first).size
        #expect(publishers < 14)
    }

    @Test("thirty pixels across, and every effect at once, still give a picture")
    func everything() throws {
        var specification = Spines.plain("HOME", direction: .down, pose: .lying)
        specification.cover.material = .leather
        (specification.cover.grain, specification.cover.wear, specification.cover.roundness) = (1, 1, 1)
        specification.camera = Cameras.everything
        specification.camera.scale = 0.5
        let spine = try SpineRenderer().render(specification)
        #expect(abs((spine.difficulty["width"] ?? 0) - 30) < 2)
        #expect(spine.difficulty.values.allSatisfy { $0.isFinite })
        #expect(Set(spine.image.pixels).count > 50)
    }

    private func width(_ spine: RenderedSpine) -> Double { spine.quad.topLeft.distance(to: spine.quad.topRight) }

    @Test("what cannot be drawn is refused with what was wrong")
    func refusals() {
        var tiny = Spines.plain("A", direction: .down)
        tiny.thickness = 3
        #expect(throws: SynthesisError.specification("a spine of 3 × 300 pixels; 20…600 by 60…4000 can be drawn")) {
            try SpineRenderer().render(tiny)
        }
        var cornerless = Spines.plain("A", direction: .down)
        cornerless.camera.corners = []
        #expect(throws: SynthesisError.specification("a picture has four corners, not 0")) {
            try SpineRenderer().render(cornerless)
        }
        var dust = Spines.plain("A", direction: .down)
        dust.camera.scale = 0.01
        let tooFar = "a scale of 0.01 with a zoom of 1.0; 0.05…8 and 1…4 can be photographed"
        #expect(throws: SynthesisError.specification(tooFar)) { try SpineRenderer().render(dust) }
        #expect(throws: SynthesisError.specification("the text “ ” leaves no mark")) {
            try SpineRenderer().render(Spines.plain(" ", direction: .down))
        }
        // DejaVu Sans has no Chinese characters, and no other font may step in.
        #expect(throws: SynthesisError.missingGlyphs(family: "DejaVu Sans", text: "書")) {
            try SpineRenderer().render(Spines.plain("書", direction: .down))
        }
    }
}
