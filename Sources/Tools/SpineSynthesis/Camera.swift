import Basics
import Foundation
import Imaging
import SpineDatasets

/// Effect of a photograph, in the order of the light: on the spines, in the lens, in the sensor, in the file.
enum Effect: String, Sendable, CaseIterable {
    /// Roundness of the spine: up to 65° at its joints.
    case curve
    /// Shadow of a neighbour or of the board above, up to three quarters of the light.
    case shadow
    /// Reflection of a lamp or a window.
    case glare
    /// Picture taken from a side.
    case tilt
    /// Distortion of the lens.
    case barrel
    /// Darkness, falling off to a side and to the corners.
    case light
    /// Gaussian, up to 1.5 pixels.
    case blur
    /// Movement, up to 5.5 pixels.
    case motion
    /// Sensitivity from ISO 50 to 3200.
    case noise
    /// Digital zoom, up to twofold.
    case zoom
    /// JPEG quality from 96 down to 60.
    case jpeg

    /// Strengths in a good picture and of a fault, by `Resources/effects.txt`.
    static let strengths = Dictionary(
        uniqueKeysWithValues: ResourceTable.rows(PackageResources.effects_txt).map { row in
            guard row.count == 3, let effect = Effect(rawValue: row[0]) else {
                preconditionFailure("not an effect: \(row)")
            }
            return (effect, (usual: ResourceTable.range(row[1]), fault: ResourceTable.range(row[2])))
        }
    )
}

/// Camera that photographs a flat picture: the effects with their strengths, 0 (none) … 1 (the limit of legibility).
///
/// Light is linear and 1 is white.
struct Camera: Sendable, Equatable {
    /// Pixels of the photograph for each pixel of the flat picture.
    var scale = 1.0
    var strengths: [Effect: Double] = [:]
    /// Decides angles, sides and noise.
    var seed: UInt64 = 0

    /// Creates a camera that shows the flat picture unchanged, straight on, pixel for pixel.
    init() {}

    /// Creates a camera: every other picture is good, the others have one or two faults.
    init(_ generator: inout SplitMix64) {
        seed = generator.next()
        for effect in Effect.allCases {
            strengths[effect] = Effect.strengths[effect].map { generator.number(in: $0.usual) }
        }
        guard generator.chance(0.5) else { return }
        for effect in generator.shuffled(Effect.allCases).prefix(generator.chance(0.4) ? 2 : 1) {
            strengths[effect] = Effect.strengths[effect].map { generator.number(in: $0.fault) }
        }
        // Two faults together blur no more than the strongest of them alone.
        let sigma = blurSigma
        guard sigma > Self.mostBlur else { return }
        for effect in [Effect.blur, .motion] { strengths[effect] = self[effect] * Self.mostBlur / sigma }
    }

    subscript(_ effect: Effect) -> Double { strengths[effect] ?? 0 }

    static let mostBlur = 1.6

    private var lensSigma: Double { 1.5 * self[.blur] }
    private var motionLength: Double { 5.5 * self[.motion] }
    var jpegQuality: Int { Int((96 - 36 * self[.jpeg]).rounded()) }

    /// Standard deviation of all blur in the photograph's pixels; a line has one of its length / √12.
    var blurSigma: Double { (lensSigma * lensSigma + motionLength * motionLength / 12).squareRoot() }

    /// The least font size in the photograph's pixels that letters need: 13, and more where they are blurred.
    var smallestLetters: Double { 13 + 2 * max(0, blurSigma - 0.8) }

    /// Strengths by name, for labels.
    var difficulty: [String: Double] {
        Dictionary(uniqueKeysWithValues: strengths.map { ($0.key.rawValue, $0.value) })
    }

    /// Returns the generator of an effect's details, so that no effect changes those of another.
    func details(of effect: Effect) -> SplitMix64 {
        var generator = SplitMix64(state: seed &+ UInt64(Effect.allCases.firstIndex(of: effect) ?? 0))
        return generator.split()
    }

    /// Returns the frame that the camera sees in a picture with a margin of this size around `box`, clockwise from
    /// the top left: its corners are half a margin out, and between none and all of it in a tilted view.
    func frame(of box: Box, margin: Double) -> Quad {
        var generator = details(of: .tilt)
        let outs = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)]
        return Quad(
            corners: zip(box.quad.corners, outs).map { corner, out in
                func reach() -> Double { margin * (0.5 + generator.number(in: -0.48...0.48) * self[.tilt]) }
                return Point(x: corner.x + out.0 * reach(), y: corner.y + out.1 * reach())
            }
        )
    }

    /// Returns the photograph of `frame`, about `scale` times its size, and the positions of the flat picture's points
    /// in it; the light of the lamp is drawn over the flat picture.
    ///
    /// `frame`: Clockwise from the photograph's top left. `spines`: Light of the upright spines, and their bounds.
    ///
    /// - Throws: `SynthesisError.drawing` when the frame has no area or the photograph exceeds 32767 pixels a side.
    func photograph(
        _ flat: Canvas,
        frame: Quad,
        spines: [(light: SpineLight, bounds: Box)] = []
    ) throws(SynthesisError) -> (image: RasterImage, projection: Projection) {
        let (across, down) = (frame.length * scale, frame.thickness * scale)
        guard across < 32_768, down < 32_768 else {
            throw .drawing("a photograph of \(across) × \(down) pixels; expected at most 32767 per side")
        }
        func pixels(_ length: Double) -> Int { max(1, Int(length.rounded())) }
        let photo = (width: pixels(across), height: pixels(down))
        let zoom = 1 + self[.zoom]
        var barrel = details(of: .barrel)
        guard
            let projection = Projection(
                frame: frame,
                width: pixels(across / zoom),
                height: pixels(down / zoom),
                photo: photo,
                barrel: self[.barrel] * barrel.number(in: -0.03...0.06),
                bends: spines.map { Projection.Bend(left: $1.x, right: $1.right, halfAngle: $0.halfAngle) }
            )
        else { throw .drawing("the corners of the picture enclose no area") }
        dim(flat)
        var picture = Picture(flat.image()).seen(through: projection)
        picture = picture.blurred(sigma: lensSigma / zoom)
        if motionLength > 0 {
            var motion = details(of: .motion)
            picture = picture.moved(length: motionLength / zoom, isDown: motion.chance(0.5))
        }
        if self[.noise] > 0 {
            var noise = details(of: .noise)
            picture.addNoise(iso: 50 * pow(2, 6 * self[.noise]), &noise)
        }
        return (picture.image().resized(width: photo.width, height: photo.height), projection)
    }

    /// Takes the light that a lamp of some colour does not give, more of it from one side.
    private func dim(_ flat: Canvas) {
        let strength = self[.light]
        guard strength > 0 else { return }
        var generator = details(of: .light)
        let lamp = Colour(red: generator.number(in: 0.95...1), green: 1, blue: generator.number(in: 0.88...1))
        let (isDown, isReversed) = (generator.chance(0.6), generator.chance(0.5))
        // Black over a colour takes light by the power of the display's gamma: this is 0.3 and 0.1 of it at most.
        let tones = [0.42, 0.65].map { lamp.mixed(with: .black, share: $0 * strength) }
        flat.multiply(by: isReversed ? tones.reversed() : tones, down: isDown)
    }
}

/// Roundness, shadow and reflection of a spine.
struct SpineLight: Sendable, Equatable {
    /// Turn of the surface at the spine's joints, in radians.
    let halfAngle: Double
    /// Position of the lamp, in radians right of the spine's front.
    private let lamp: Double
    private let camera: Camera

    /// Creates the light on the `number`-th spine of a picture: each of several has a roundness of its own.
    init(_ camera: Camera, number: Int = 0) {
        self.camera = camera
        var generator = camera.details(of: .curve)
        lamp = generator.number(in: -35...35) * .pi / 180
        var own = SplitMix64(state: generator.next() &+ UInt64(number))
        halfAngle = camera[.curve] * 65 * .pi / 180 * (number == 0 ? 1 : own.nextDouble())
    }

    /// Returns the light on the surface at `across` (0…1) by its direction: Lambert's cosine, 1 in the middle.
    func shade(_ across: Double) -> Double {
        // Surfaces that face away from the lamp still get light from the room.
        max(0.15, cos((2 * across - 1) * halfAngle - lamp) / cos(lamp))
    }

    /// Draws the light over a spine that lies in `box`.
    func paint(over box: Box, on canvas: Canvas) {
        // Black over a colour takes light by the power of the display's gamma.
        let opacities = (0...16).map { 1 - pow(min(1, shade(Double($0) / 16)), 1 / 2.2) }
        if halfAngle > 0 { canvas.shade(box, opacities, down: false) }
        var generator = camera.details(of: .shadow)
        if camera[.shadow] > 0 {
            let (dark, reach) = (0.6 * camera[.shadow], generator.number(in: 0.2...0.7))
            var part = box
            switch generator.integer(in: 0...2) {
            case 0: part.width *= reach
            case 1: (part.x, part.width) = (box.right - reach * box.width, reach * box.width)
            default: part.height *= reach / 2
            }
            let isLast = part.x > box.x
            canvas.shade(part, isLast ? [0, dark, dark] : [dark, dark, 0], down: part.height < box.height)
        }
        guard camera[.glare] > 0 else { return }
        generator = camera.details(of: .glare)
        let shine = 0.55 * camera[.glare]
        if generator.chance(0.5) {
            // A lamp mirrored down the length of a round spine.
            let (x, width) = (generator.number(in: 0...0.6) * box.width, generator.number(in: 0.2...0.4) * box.width)
            let streak = Box(x: box.x + x, y: box.y, width: width, height: box.height)
            canvas.fill(streak, gradient: [.white, .white, .white], opacities: [0, shine, 0], down: false)
        } else {
            // A window across it: the overexposed part must be short, or letters are lost.
            let height = generator.number(in: 0.02...0.15) * box.height
            let y = box.y + generator.number(in: 0.05...0.95) * (box.height - height)
            let window = Box(x: box.x, y: y, width: box.width, height: height)
            canvas.fill(
                window,
                gradient: Array(repeating: .white, count: 4),
                opacities: [0, shine, shine, 0],
                down: true
            )
        }
    }
}
