import Basics
import Foundation
import Imaging
import SpineDatasets
import Testing

@testable import SpineSynthesis

@Suite("Camera")
struct CameraTests {
    private static let everything = Dictionary(uniqueKeysWithValues: Effect.allCases.map { ($0, 1.0) })
    private static let cameras: [Camera] = {
        var generator = SplitMix64(state: 11)
        return (0..<2000).map { _ in Camera(&generator) }
    }()

    private func even(_ grey: UInt32, _ strengths: [Effect: Double]) throws -> RasterImage {
        let canvas = try Canvas(width: 101, height: 101)
        let box = Box(x: 0, y: 0, width: 101, height: 101)
        canvas.fill(box, Colour(grey << 16 | grey << 8 | grey))
        return try Spines.camera(strengths).photograph(canvas, frame: box.quad).image
    }

    @Test("seen straight on, every grey is as it was")
    func identity() throws {
        let canvas = try Canvas(width: 256, height: 3)
        for grey in 0..<256 as Range<UInt32> {
            canvas.fill(Box(x: Double(grey), y: 0, width: 1, height: 3), Colour(grey << 16 | grey << 8 | grey))
        }
        let frame = Box(x: 0, y: 0, width: 256, height: 3).quad
        let image = try Camera().photograph(canvas, frame: frame).image
        #expect(image.width == 256 && image.height == 3)
        #expect((0..<256).allSatisfy { image.grey($0, 1) == $0 })
    }

    @Test(
        "quads bound what they are about, whatever the camera does",
        arguments: [[:], [.curve: 1, .barrel: 1, .zoom: 0.4]] + Effect.allCases.map { [$0: 1] },
        [1, 0.4, 2.3]
    )
    func quads(_ strengths: [Effect: Double], _ scale: Double) throws {
        let box = Box(x: 30, y: 40, width: 40, height: 120)
        let canvas = try Spines.canvas(width: 100, height: 200, white: box)
        let camera = Spines.camera(strengths.merging([.tilt: 1]) { $1 }, scale: scale)
        let spine = Box(x: 20, y: 15, width: 60, height: 170)
        let frame = camera.frame(of: spine, margin: 10)
        let light = SpineLight(camera)
        let (image, projection) = try camera.photograph(canvas, frame: frame, spines: [(light, spine)])
        let quad = projection.photo(of: box.quad)
        // Half of white's light is byte 188: blur moves no edge at half its height.
        let brightest = image.points(0...255).map { image.grey(Int($0.x), Int($0.y)) }.max() ?? 0
        let bright = image.points(brightest * 150 / 255...255)
        try #require(bright.count > 100)
        let bounds = quad.corners.bounds
        let ink = bright.bounds.inset(by: -0.5)
        #expect(isNear(ink, bounds, 2.5))
        let inside = try #require(Homography(width: 1, height: 1, to: quad)).inverse
        let (dx, dy) = (2.5 / bounds.width, 2.5 / bounds.height)
        #expect(
            bright.map(inside.apply).allSatisfy { (-dx...1 + dx).contains($0.x) && (-dy...1 + dy).contains($0.y) }
        )
    }

    @Test("a tilted frame keeps around the spine, a straight one is half a margin out")
    func frame() {
        let box = Box(x: 10, y: 10, width: 50, height: 200)
        #expect(Spines.camera().frame(of: box, margin: 8) == box.inset(by: -4).quad)
        for seed in 0..<20 as Range<UInt64> {
            let frame = Spines.camera([.tilt: 1], seed: seed).frame(of: box, margin: 8)
            #expect(box.quad.corners.allSatisfy(frame.contains))
            #expect(box.inset(by: -8).contains(frame.corners.bounds))
        }
    }

    @Test("a dark picture keeps a tenth of its light at least, a good one nearly all")
    func dim() throws {
        let (dark, good) = (try even(255, [.light: 1]), try even(255, [.light: 0.1]))
        // The darker side is multiplied by 0.35, times the lamp's colour.
        let greens = stride(from: 1, to: dark.pixels.count, by: 3).map { Int(dark.pixels[$0]) }
        #expect(abs((greens.min() ?? 0) - 90) < 3 && abs((greens.max() ?? 0) - 147) < 3)
        #expect(stride(from: 1, to: good.pixels.count, by: 3).allSatisfy { good.pixels[$0] > 230 })
    }

    @Test("a round spine gets light by the cosine of its turn, from the lamp's side")
    func shade() {
        #expect(SpineLight(Camera()).shade(0.2) == 1)
        let light = SpineLight(Spines.camera([.curve: 1]))
        #expect(abs(light.halfAngle - 65 * .pi / 180) < 1e-9 && abs(light.shade(0.5) - 1) < 1e-9)
        #expect(min(light.shade(0), light.shade(1)) < 0.45 && min(light.shade(0), light.shade(1)) >= 0.15)
    }

    @Test(
        "shadows darken and reflections brighten a spine and nothing beside it",
        arguments: [Effect.shadow, .glare],
        0..<6 as Range<UInt64>
    )
    func light(_ effect: Effect, _ seed: UInt64) throws {
        let canvas = try Canvas(width: 60, height: 110)
        let grey = Colour(0x808080)
        canvas.fill(Box(x: 0, y: 0, width: 60, height: 110), grey)
        SpineLight(Spines.camera([effect: 1], seed: seed)).paint(
            over: Box(x: 10, y: 5, width: 40, height: 100),
            on: canvas
        )
        let image = canvas.image()
        let changed = image.points(0...255).filter { image.grey(Int($0.x), Int($0.y)) != 128 }
        #expect(changed.count > 50)
        #expect(changed.allSatisfy { (image.grey(Int($0.x), Int($0.y)) < 128) == (effect == .shadow) })
        #expect(Box(x: 10, y: 5, width: 40, height: 100).contains(changed.bounds))
    }

    @Test("strengths stay in 0 to 1, and no two faults together blur letters of fourteen pixels away")
    func ranges() {
        for camera in Self.cameras {
            #expect(camera.strengths.count == Effect.allCases.count)
            #expect(camera.strengths.values.allSatisfy { (0...1).contains($0) })
            #expect(camera.blurSigma < 1.61 && (13...15).contains(camera.smallestLetters))
            #expect((60...96).contains(camera.jpegQuality))
        }
    }

    @Test("half of the pictures are good, and every fault comes up")
    func mixture() {
        func isFault(_ effect: Effect, in camera: Camera) -> Bool {
            camera[effect] > (Effect.strengths[effect]?.usual.upperBound ?? 1)
        }
        let good = Self.cameras.count { camera in !Effect.allCases.contains { isFault($0, in: camera) } }
        #expect((950...1150).contains(good))
        for effect in Effect.allCases where effect != .tilt {
            #expect(Self.cameras.count { isFault(effect, in: $0) } > 60, "\(effect)")
        }
    }

    @Test(
        "pictures of few pixels can be taken with every effect at once",
        arguments: [(1, 1.0), (1, 0.1), (1, 6), (40, 0.1), (3, 2.5)]
    )
    func degenerate(_ side: Int, _ scale: Double) throws {
        let box = Box(x: 0, y: 0, width: Double(side), height: Double(side))
        let camera = Spines.camera(Self.everything, scale: scale)
        let canvas = try Spines.canvas(width: side, height: side, white: box)
        SpineLight(camera).paint(over: box, on: canvas)
        let image = try camera.photograph(canvas, frame: box.quad, spines: [(SpineLight(camera), box)]).image
        #expect(image.width == max(1, Int((Double(side) * scale).rounded())) && image.height == image.width)
    }

    @Test("what cannot be photographed is refused with what was wrong")
    func refusals() throws {
        let canvas = try Canvas(width: 9, height: 9)
        #expect(throws: SynthesisError.drawing("the corners of the picture enclose no area")) {
            try Camera().photograph(canvas, frame: Quad(left: 0, top: 0, right: 0, bottom: 9))
        }
        let wide = SynthesisError.drawing("a photograph of 80000.0 × 160.0 pixels; expected at most 32767 per side")
        #expect(throws: wide) {
            try Spines.camera(scale: 80).photograph(canvas, frame: Quad(left: 0, top: 0, right: 1000, bottom: 2))
        }
    }

    @Test("the same seed gives the same bytes in every build, another seed others")
    func determinism() throws {
        func photograph(seed: UInt64) throws -> [UInt8] {
            let camera = Spines.camera(Self.everything, scale: 0.8, seed: seed)
            let box = Box(x: 30, y: 40, width: 40, height: 120)
            let canvas = try Spines.canvas(width: 100, height: 200, white: box)
            return try camera.photograph(
                canvas,
                frame: camera.frame(of: box, margin: 10),
                spines: [(SpineLight(camera), box)]
            ).image.pixels
        }
        let first = try photograph(seed: 8)
        #expect(try photograph(seed: 8) == first)
        #expect(try photograph(seed: 9) != first)
        // FNV-1a of the bytes that an optimised build made: no build may differ.
        let digest = first.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(digest == 8_922_949_734_845_405_443, "\(digest)")
    }
}

@Suite("Projection")
struct ProjectionTests {
    @Test("a bent spine keeps its edges and its middle, and is narrower towards its joints")
    func bend() {
        let bend = Projection.Bend(left: 0, right: 100, halfAngle: .pi / 3)
        #expect(bend.seen(0) == 0 && bend.seen(50) == 50 && bend.seen(100) == 100)
        // Half the way to the edge has turned by 30°: sin 30° / sin 60° = 0.57735 of the half width.
        #expect(abs(bend.seen(75) - 78.8675) < 0.0001 && abs(bend.flat(78.8675) - 75) < 0.0001)
        // Pixels outside the spine stay, and a flat spine is not bent.
        #expect(bend.seen(-3) == -3 && bend.flat(120) == 120)
        #expect(Projection.Bend(left: 0, right: 100, halfAngle: 0).seen(30) == 30)
    }

    @Test("a barrel lens moves points by the third power of their distance, and not the corners")
    func barrel() throws {
        let frame = Quad(left: 0, top: 0, right: 100, bottom: 100)
        let projection = try #require(
            Projection(frame: frame, width: 100, height: 100, photo: (100, 100), barrel: 0.1, bends: [])
        )
        // 25 of the half diagonal's √5000: (1 + 0.1 × 625 / 5000) / 1.1 = 0.920455 of the distance.
        let seen = projection.undistorted(Point(x: 75, y: 50))
        #expect(abs(seen.x - (50 + 25 * 0.920_454_5)) < 0.0001 && abs(seen.y - 50) < 0.0001)
        #expect(projection.photo(of: seen).distance(to: Point(x: 75, y: 50)) < 1e-6)
        #expect(projection.photo(of: Point(x: 0, y: 100)).distance(to: Point(x: 0, y: 100)) < 1e-9)
    }

    @Test("the frame fills the photograph")
    func frame() throws {
        let frame = Quad(corners: [Point(x: 3, y: 5), Point(x: 90, y: 2), Point(x: 95, y: 410), Point(x: 1, y: 400)])
        let projection = try #require(
            Projection(frame: frame, width: 60, height: 270, photo: (90, 406), barrel: -0.08, bends: [])
        )
        let expected = Quad(left: 0, top: 0, right: 90, bottom: 406).corners
        #expect(zip(projection.photo(of: frame).corners, expected).allSatisfy { $0.distance(to: $1) < 1e-6 })
    }
}
