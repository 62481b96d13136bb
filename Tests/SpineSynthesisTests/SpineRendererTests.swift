import Raster
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Spine renderer")
struct SpineRendererTests {
    /// Three heavy letters, then dots: most of the ink lies where reading begins, and a T's bar lies where its top is.
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

    /// A point as the reader of text in this orientation sees it, about `middle`.
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
        specification.camera.noiseSigma = 4
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

    @Test("from farther away everything is smaller, and blur keeps to what a lens can do")
    func scaled() throws {
        var near = Spines.plain("HOME", direction: .down)
        near.camera.blurSigma = 1.5
        let far = near.scaled(by: 0.5)
        #expect(far.thickness == 30 && far.length == 150)
        #expect(far.camera.blurSigma == 0.75)
        #expect(near.scaled(by: 0.1).camera.blurSigma == 0.4)
        // Larger, it is not sharper; and what was sharper than that stays so.
        #expect(near.scaled(by: 2).camera.blurSigma == 1.5)
        near.camera.blurSigma = 0.2
        #expect(near.scaled(by: 0.5).camera.blurSigma == 0.2)
        let (large, small) = (try SpineRenderer().render(near), try SpineRenderer().render(near.scaled(by: 0.5)))
        let (largeLine, smallLine) = (try #require(large.lines.first), try #require(small.lines.first))
        #expect(abs(smallLine.size - largeLine.size / 2) < 0.5)
    }

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
        #expect(throws: SynthesisError.specification("the text “ ” leaves no mark")) {
            try SpineRenderer().render(Spines.plain(" ", direction: .down))
        }
        // DejaVu Sans has no Chinese characters, and no other font may step in.
        #expect(throws: SynthesisError.missingGlyphs(family: "DejaVu Sans", text: "書")) {
            try SpineRenderer().render(Spines.plain("書", direction: .down))
        }
    }
}
