import Foundation
import Imaging
import Testing

@testable import SpineSynthesis

@Suite("Camera")
struct CameraTests {
    /// White box on black: it must be visible at the label's position.
    private let box = Cameras.rectangle(30, 40, 70, 160)
    private let flat = Cameras.flat(width: 100, height: 200) { x, y in
        (30..<70).contains(x) && (40..<160).contains(y) ? 255 : 0
    }
    private let frame = Quad(
        topLeft: Point(x: 6, y: 10),
        topRight: Point(x: 95, y: 4),
        bottomRight: Point(x: 92, y: 195),
        bottomLeft: Point(x: 9, y: 190)
    )

    private func even(_ grey: UInt8, _ change: (inout CameraSpecification) -> Void) throws -> RasterImage {
        var generator = SeededGenerator(seed: 1)
        let flat = Cameras.flat(width: 101, height: 101) { _, _ in grey }
        return try Camera(Cameras.still(change))
            .photograph(flat, frame: Cameras.rectangle(0, 0, 101, 101), &generator).image
    }

    @Test("seen straight on, every grey is as it was")
    func identity() throws {
        let steps = Cameras.flat(width: 768, height: 3) { x, _ in UInt8(x / 3) }
        var generator = SeededGenerator(seed: 1)
        let image = try Camera(CameraSpecification())
            .photograph(steps, frame: Cameras.rectangle(0, 0, 768, 3), &generator).image
        #expect(image.width == 768 && image.height == 3)
        #expect((0..<256).allSatisfy { image.grey($0 * 3 + 1, 1) == $0 })
    }

    @Test(
        "quads bound what they are about, whatever the camera does",
        arguments: [
            Cameras.still { _ in },
            Cameras.still { $0.scale = 0.4 },
            Cameras.still { $0.scale = 2.3 },
            Cameras.still { ($0.scale, $0.zoom) = (1.5, 2) },
            Cameras.still { $0.barrel = 0.05 },
            Cameras.still { $0.barrel = -0.05 },
            Cameras.still { $0.curvature = 70 },
            Cameras.still { ($0.curvature, $0.barrel, $0.scale, $0.zoom) = (50, 0.03, 0.7, 1.4) },
            Cameras.still { $0.defocusRadius = 4 },
            Cameras.still { ($0.motionLength, $0.motionAngle) = (8, 30) },
            Cameras.still { $0.blurSigma = 2 },
            Cameras.still { ($0.iso, $0.denoising, $0.sharpening) = (1600, 0.6, 1) },
            Cameras.still { ($0.vignetting, $0.lightDown) = (0.3, 0.4) },
            Cameras.still { $0.firstJPEGQuality = 70 },
        ]
    )
    func quads(_ camera: CameraSpecification) throws {
        var generator = SeededGenerator(seed: 5)
        let surface = SpineSurface(bounds: Bounds(left: 20, top: 15, right: 80, bottom: 185), camera: camera)
        let (image, projection) = try Camera(camera)
            .photograph(flat, frame: frame, surfaces: [surface], &generator)
        let quad = projection.photo(of: box)
        // Half of white's light is byte 188: blur moves no edge at half its height.
        let bright = (0..<image.height).flatMap { y in
            (0..<image.width).filter { image.grey($0, y) > 150 }.map { Point(x: Double($0) + 0.5, y: Double(y) + 0.5) }
        }
        try #require(bright.count > 100)
        let (left, right) = (min(quad.topLeft.x, quad.bottomLeft.x), max(quad.topRight.x, quad.bottomRight.x))
        let (top, bottom) = (min(quad.topLeft.y, quad.topRight.y), max(quad.bottomLeft.y, quad.bottomRight.y))
        #expect(abs((bright.map(\.x).min() ?? 0) - 0.5 - left) < 2)
        #expect(abs((bright.map(\.x).max() ?? 0) + 0.5 - right) < 2)
        #expect(abs((bright.map(\.y).min() ?? 0) - 0.5 - top) < 2)
        #expect(abs((bright.map(\.y).max() ?? 0) + 0.5 - bottom) < 2)
        let inside = try #require(Homography(width: 1, height: 1, to: quad)).inverse
        let (dx, dy) = (2 / (right - left), 2 / (bottom - top))
        for point in bright {
            let place = inside.apply(point)
            #expect((-dx...1 + dx).contains(place.x) && (-dy...1 + dy).contains(place.y))
        }
    }

    @Test("half the exposure is half the light")
    func exposure() throws {
        // Half of white's light is 1.055 × 0.5^(1/2.4) − 0.055 = 0.7354 of 255.
        let (half, bright) = (try even(255) { $0.exposure = 0.5 }, try even(255) { $0.exposure = 3 })
        #expect(Set(half.pixels) == [188])
        #expect(Set(bright.pixels) == [255])
    }

    @Test("the corners lose the share of light that vignetting says, the middle none")
    func vignetting() throws {
        let image = try even(255) { $0.vignetting = 0.4 }
        #expect(image.grey(50, 50) == 255)
        // The corner pixel's centre is 100/101 of the half diagonal out: 1 − 0.4 × 0.9803 = 0.6079, byte 205.
        #expect(abs(image.grey(0, 0) - 205) <= 1 && abs(image.grey(100, 100) - 205) <= 1)
        // The middle of an edge is half as far out, squared: 1 − 0.4 × 0.4901 = 0.8039, byte 231.
        #expect(abs(image.grey(0, 50) - 231) <= 1)
    }

    @Test("light slopes down and to the right, and lamps have a colour")
    func slope() throws {
        let down = try even(128) { $0.lightDown = 1 }
        // Light 0.2159 × (1 ± ½ × 100/101): bytes 93 and 154.
        #expect(abs(down.grey(50, 0) - 93) <= 1 && abs(down.grey(50, 100) - 154) <= 1)
        #expect(down.grey(50, 50) == 128)
        let right = try even(128) { $0.lightRight = -1 }
        #expect(abs(right.grey(0, 50) - 154) <= 1)
        let warm = try even(188) { $0.whiteBalance = Colour(red: 1.2, green: 1, blue: 0.5) }
        // Light 0.5029 × 1.2 and × 0.5: bytes 204 and 137.
        #expect(abs(Int(warm.pixels[0]) - 204) <= 1 && warm.pixels[1] == 188 && abs(Int(warm.pixels[2]) - 137) <= 1)
    }

    @Test("pictures of one pixel, and of one after scaling, can be taken with every effect at once")
    func degenerate() throws {
        var generator = SeededGenerator(seed: 1)
        for (side, scale) in [(1, 1.0), (1, 0.1), (1, 6), (40, 0.1), (3, 2.5)] {
            let flat = Cameras.flat(width: side, height: side) { _, _ in 200 }
            var camera = Cameras.everything
            camera.scale = scale
            let edge = Double(side)
            let surface = SpineSurface(bounds: Bounds(left: 0, top: 0, right: edge, bottom: edge), camera: camera)
            let frame = Cameras.rectangle(0, 0, edge, edge)
            let image = try Camera(camera).photograph(flat, frame: frame, surfaces: [surface], &generator).image
            #expect(image.width == max(1, Int((edge * scale).rounded())) && image.height == image.width)
        }
    }

    @Test("what cannot be photographed is refused with what was wrong")
    func refusals() {
        var generator = SeededGenerator(seed: 1)
        #expect(throws: SynthesisError.specification("the corners of the picture enclose no area")) {
            try Camera(CameraSpecification()).photograph(flat, frame: Cameras.rectangle(0, 0, 0, 9), &generator)
        }
        let wide = SynthesisError.specification(
            "a photograph of 80000.0 × 160.0 pixels; expected at most 32767 per side"
        )
        #expect(throws: wide) {
            try Camera(Cameras.still { $0.scale = 80 })
                .photograph(flat, frame: Cameras.rectangle(0, 0, 1000, 2), &generator)
        }
    }

    @Test("the same seed gives the same bytes in every build, another seed others")
    func determinism() throws {
        func photograph(seed: UInt64) throws -> [UInt8] {
            var camera = Cameras.everything
            (camera.exposure, camera.blurSigma, camera.defocusRadius) = (0.9, 0.6, 1.3)
            (camera.scale, camera.zoom, camera.contrast, camera.denoising) = (0.8, 1.5, 0.3, 0.6)
            camera.firstJPEGQuality = nil
            var generator = SeededGenerator(seed: seed)
            let surface = SpineSurface(bounds: Bounds(left: 20, top: 15, right: 80, bottom: 185), camera: camera)
            return try Camera(camera).photograph(flat, frame: frame, surfaces: [surface], &generator).image.pixels
        }
        let first = try photograph(seed: 8)
        #expect(try photograph(seed: 8) == first)
        #expect(try photograph(seed: 9) != first)
        // FNV-1a of the bytes that an optimised build made: no build may differ.
        let digest = first.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(digest == 13_701_645_436_408_933_346, "\(digest)")
    }
}
