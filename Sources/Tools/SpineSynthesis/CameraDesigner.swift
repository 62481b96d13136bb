import Foundation

/// Designer of the effects of cameras, lamps and hands on a picture.
///
/// About half of the pictures are taken well; each of the others has one or two faults, small or large, but letters
/// of 14 pixels always remain legible.
enum CameraDesigner {
    private enum Fault: CaseIterable {
        case defocus, motion, noise, exposure, light, glare, shadow, tilt, zoom, compression
    }

    static func camera(thickness: Double, cover: Cover, _ generator: inout SeededGenerator) -> CameraSpecification {
        var generator = generator.split()
        var camera = CameraSpecification()
        let width = width(&generator)
        camera.scale = width / thickness
        goodPicture(&camera, cover, &generator)
        surroundings(&camera, &generator)
        // A crop of a photo of a whole shelf, as a scanner's segmenter cuts it.
        if width < 140, generator.chance(0.35) { crop(&camera, &generator) }
        if generator.chance(0.5) {
            let faults = generator.shuffled(Fault.allCases).prefix(generator.chance(0.4) ? 2 : 1)
            for fault in faults {
                add(fault, strength: generator.number(in: 0.2...1), to: &camera, cover, &generator)
            }
        }
        keepReadable(&camera)
        return camera
    }

    static let widths = 30.0...300.0

    /// Limits two faults together to the maximum of one of them alone.
    private static func keepReadable(_ camera: inout CameraSpecification) {
        camera.exposure = max(0.25, camera.exposure)
        camera.blurSigma = min(camera.blurSigma, 1.1 / camera.zoom)
        let most = 1.6 / camera.zoom
        // A disc has a standard deviation of half its radius in each direction, a line one of its length / √12.
        let shaken = camera.defocusRadius * camera.defocusRadius / 4 + camera.motionLength * camera.motionLength / 12
        let room = most * most - camera.blurSigma * camera.blurSigma
        if shaken > room {
            camera.defocusRadius *= (room / shaken).squareRoot()
            camera.motionLength *= (room / shaken).squareRoot()
        }
        let sigma = (min(shaken, room) + camera.blurSigma * camera.blurSigma).squareRoot() * camera.zoom
        camera.smallestLetters = 13 + 2 * max(0, sigma - 0.8)
    }

    /// Returns pixels across the spine: mostly those of one book on a photographed shelf.
    private static func width(_ generator: inout SeededGenerator) -> Double {
        let kind = generator.unit()
        let range: ClosedRange<Double> =
            switch kind {
            case ..<0.05: 30...42
            case ..<0.75: 42...120
            case ..<0.97: 120...220
            default: 220...300
            }
        return range.lowerBound * pow(range.upperBound / range.lowerBound, generator.unit())
    }

    private static func goodPicture(
        _ camera: inout CameraSpecification,
        _ cover: Cover,
        _ generator: inout SeededGenerator
    ) {
        camera.corners = (0..<4).map { _ in
            CameraSpecification.CornerReach(
                across: generator.number(in: 0.1...0.6),
                along: generator.number(in: 0.05...0.5)
            )
        }
        camera.barrel = generator.number(in: -0.015...0.03)
        // Most paperbacks are flat, hardbacks and old paperbacks round.
        let roundness = generator.unit()
        camera.curvature = generator.number(in: roundness < 0.6 ? 0...20 : roundness < 0.85 ? 20...40 : 40...65)
        camera.lampAngle = generator.number(in: -35...35)
        camera.blurSigma = generator.number(in: 0.35...0.75)
        camera.exposure = generator.number(in: 0.78...1.03)
        camera.lightDown = generator.number(in: -0.3...0.3)
        camera.lightRight = generator.number(in: -0.2...0.2)
        camera.vignetting = generator.number(in: 0...0.2)
        camera.whiteBalance = Colour(
            red: generator.number(in: 0.92...1.06),
            green: 1,
            blue: generator.number(in: 0.8...1.05)
        )
        camera.boardShadow = generator.chance(0.5) ? generator.number(in: 0.1...0.4) : 0
        camera.boardShadowReach = generator.number(in: 0.03...0.15)
        sensitivity(50 * pow(2, generator.number(in: 0...3.5)), &camera)
        camera.sharpening = generator.number(in: 0.2...1)
        camera.contrast = generator.number(in: 0...0.35)
        camera.jpegQuality = generator.integer(in: 78...95)
        if isGlossy(cover), generator.chance(0.3) { glare(generator.number(in: 0.02...0.15), &camera, &generator) }
    }

    /// Phones smooth the more, the more noise there is.
    private static func sensitivity(_ iso: Double, _ camera: inout CameraSpecification) {
        camera.iso = iso.rounded()
        camera.denoising = min(0.7, 0.3 + 0.07 * log2(iso / 50))
    }

    private static func surroundings(_ camera: inout CameraSpecification, _ generator: inout SeededGenerator) {
        func neighbour() -> CameraSpecification.Neighbour {
            CameraSpecification.Neighbour(
                colour: generator.element(of: Palette.covers),
                accent: generator.element(of: Palette.covers),
                height: generator.number(in: 0.75...1.1)
            )
        }
        camera.leftNeighbour = neighbour()
        camera.rightNeighbour = neighbour()
        camera.shelf = Colour(generator.element(of: [0x6B4A30, 0x8A6A45, 0xC9B08A, 0x4A2F22, 0xD8D5CE, 0x5E6266]))
        camera.wall = Colour(generator.element(of: [0x3A2A20, 0x5B5148, 0x8C8578, 0x2A2A2C]))
    }

    /// Draws a crop of few pixels of the sensor, enlarged, compressed twice, and black beside the mask.
    private static func crop(_ camera: inout CameraSpecification, _ generator: inout SeededGenerator) {
        camera.zoom = generator.number(in: 1.1...1.6)
        sensitivity(500 * pow(2, generator.number(in: 0...2.4)), &camera)
        // Pictures that are enlarged were sharpened before, and their grain with them.
        camera.denoising *= generator.number(in: 0.2...0.7)
        camera.sharpening += generator.number(in: 0.2...0.8)
        camera.firstJPEGQuality = generator.integer(in: 75...92)
        guard generator.chance(0.7) else { return }
        camera.mask = generator.number(in: 0.01...0.06)
        // The crop is the mask's bounding box.
        for corner in camera.corners.indices {
            camera.corners[corner].across = generator.number(in: 0.02...0.25)
            camera.corners[corner].along = generator.number(in: 0.02...0.15)
        }
    }

    private static func isGlossy(_ cover: Cover) -> Bool {
        cover.material == .laminate || cover.material == .picture
    }

    private static func glare(
        _ strength: Double,
        _ camera: inout CameraSpecification,
        _ generator: inout SeededGenerator
    ) {
        camera.glareAlong = generator.number(in: 0.05...0.95)
        camera.glareSlant = generator.number(in: -40...40)
        camera.glare = strength
        if generator.chance(0.6) {
            // A lamp mirrored down the length of a spine that is round enough to mirror it in a streak.
            camera.curvature = max(camera.curvature, generator.number(in: 25...65))
            camera.glareLength = generator.number(in: 0.3...1.2)
            camera.glareSoftness = generator.number(in: 0.4...1)
        } else {
            // A window across it: the overexposed part must be short, or letters are lost.
            camera.glareLength = generator.number(in: 0.01...0.2) * (strength > 0.25 ? 0.4 : 1)
            camera.glareSoftness = generator.number(in: 0.3...1)
        }
    }

    /// Adds a fault; `strength` runs from hardly visible (0) to the limit of legibility (1).
    private static func add(
        _ fault: Fault,
        strength: Double,
        to camera: inout CameraSpecification,
        _ cover: Cover,
        _ generator: inout SeededGenerator
    ) {
        func upTo(_ most: Double, from least: Double = 0) -> Double { least + (most - least) * strength }
        switch fault {
        case .defocus: camera.defocusRadius = upTo(2.6, from: 0.6) / camera.zoom
        case .motion:
            camera.motionLength = upTo(5.5, from: 1.5) / camera.zoom
            camera.motionAngle = generator.number(in: 0...180)
        case .noise:
            sensitivity(upTo(3200, from: 500), &camera)
            camera.exposure *= generator.number(in: 0.55...0.95)
        case .exposure:
            camera.exposure *= generator.chance(0.65) ? upTo(0.28, from: 0.7) : upTo(1.4, from: 1.1)
        case .light:
            camera.lightDown = upTo(0.9, from: 0.3) * (generator.chance(0.5) ? 1 : -1)
            camera.lightRight = generator.number(in: -0.4...0.4)
            camera.vignetting = upTo(0.45)
        case .glare:
            // Matt materials get a sheen at most.
            glare(isGlossy(cover) ? upTo(0.4, from: 0.1) : upTo(0.15, from: 0.03), &camera, &generator)
        case .shadow:
            camera.shadow = upTo(0.75, from: 0.3)
            camera.shadowReach = generator.number(in: 0.2...0.7)
            camera.shadowSide = generator.chance(0.5) ? .left : .right
            camera.boardShadow = generator.chance(0.5) ? upTo(0.7) : camera.boardShadow
            camera.boardShadowReach = generator.number(in: 0.05...0.3)
        case .tilt:
            for corner in camera.corners.indices {
                camera.corners[corner].across = generator.chance(0.5) ? 0.02 : upTo(1, from: 0.5)
            }
        case .zoom: camera.zoom = max(camera.zoom, upTo(2, from: 1.3))
        case .compression:
            camera.jpegQuality = generator.integer(in: 60...78)
            camera.firstJPEGQuality = generator.integer(in: 60...85)
        }
    }
}
