import Testing

@testable import SpineSynthesis

@Suite("Camera designer")
struct CameraDesignerTests {
    private let cameras: [CameraSpecification] = {
        var generator = SeededGenerator(seed: 11)
        return (0..<2000).map { index in
            let material: Cover.Material = index.isMultiple(of: 2) ? .laminate : .cloth
            let cover = Cover(
                material: material,
                colour: .white,
                footColour: .white,
                marks: [],
                grain: 1,
                wear: 0,
                roundness: 0
            )
            return CameraDesigner.camera(thickness: 100, cover: cover, &generator)
        }
    }()

    @Test("every parameter stays in its range")
    func ranges() {
        for camera in cameras {
            #expect((0.299...3.001).contains(camera.scale))
            #expect((50...3200).contains(camera.iso))
            #expect((60...95).contains(camera.jpegQuality))
            #expect((1...2).contains(camera.zoom))
            #expect((0...75).contains(camera.curvature))
            #expect((0.25...1.6).contains(camera.exposure))
            #expect((0...0.9).contains(camera.shadow) && (0...0.9).contains(camera.boardShadow))
            #expect(camera.corners.count == 4)
            #expect(camera.corners.allSatisfy { (0...1).contains($0.across) && (0...1).contains($0.along) })
            #expect((13...15).contains(camera.smallestLetters))
        }
    }

    @Test("no two faults together blur letters of fourteen pixels away")
    func readable() {
        for camera in cameras {
            let lens = camera.blurSigma * camera.blurSigma
            let disc = camera.defocusRadius * camera.defocusRadius / 4
            let line = camera.motionLength * camera.motionLength / 12
            #expect((lens + disc + line).squareRoot() * camera.zoom < 1.61)
        }
    }

    @Test("about half of the pictures are in focus, still and well exposed, and every difficulty comes up")
    func mixture() {
        let good = cameras.count { camera in
            camera.defocusRadius == 0 && camera.motionLength == 0 && camera.shadow == 0 && camera.iso < 2000
                && camera.exposure > 0.75 && camera.glare < 0.2 && camera.jpegQuality >= 78
        }
        #expect((900...1500).contains(good))
        let shares: [(String, (CameraSpecification) -> Bool)] = [
            ("defocus", { $0.defocusRadius > 1 }), ("motion", { $0.motionLength > 2 }), ("noise", { $0.iso > 1600 }),
            ("dark", { $0.exposure < 0.6 }), ("glare", { $0.glare > 0.25 }), ("shadow", { $0.shadow > 0.3 }),
            ("mask", { $0.mask != nil }), ("zoom", { $0.zoom > 1.3 }), ("round", { $0.curvature > 40 }),
            ("small", { $0.scale < 0.42 }), ("large", { $0.scale > 2.2 }), ("compression", { $0.jpegQuality < 70 }),
        ]
        for (name, holds) in shares {
            let count = cameras.count(where: holds)
            #expect(count > 20, "\(name)")
        }
    }

    @Test("the same seed gives the same camera and takes one draw from the generator")
    func determinism() {
        var (first, second) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
        let cover = Cover(
            material: .paper,
            colour: .white,
            footColour: .white,
            marks: [],
            grain: 0,
            wear: 0,
            roundness: 0
        )
        #expect(
            CameraDesigner.camera(thickness: 80, cover: cover, &first)
                == CameraDesigner.camera(thickness: 80, cover: cover, &second)
        )
        _ = second.next()
        var third = SeededGenerator(seed: 3)
        _ = third.next()
        #expect(first.next() == third.next())
    }
}
