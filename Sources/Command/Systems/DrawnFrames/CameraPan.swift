import Basics
import Imaging

/// The way of a camera over a scene, frame by frame, with its effects on the picture.
struct CameraPan: Sendable {
    struct Pose: Sendable, Equatable {
        /// The frame's left and upper side in the canvas, in pixels.
        var x: Double
        var y: Double
        /// Motion blur during the exposure, in pixels of the frame, along each axis.
        var smearX: Double
        var smearY: Double
        /// The radius of the lens's blur, in pixels of the frame.
        var blur: Double
    }

    private(set) var poses: [Pose] = []
    private let frame: FrameSize
    private let gain: Double
    private let noise: Int
    private var random: SplitMix64

    /// Creates a path through points, with a rest at each but the first and the last.
    ///
    /// The hand moves from point to point at 25 to 90 pixels of 1440 a frame at most (20 to 70 cm a second where the
    /// frame is 40 cm wide), with a gentle start and end, along one axis after the other, and is never completely
    /// still. The shutter is open for half a frame's time. The lens may refocus while the hand moves, and now and
    /// then does not.
    ///
    /// `rest`: Frames at each point. `canvas`: The size of the panned area; no frame reaches beyond it.
    init(
        through points: [(x: Double, y: Double)],
        rest: ClosedRange<Int>,
        frame: FrameSize,
        canvas: FrameSize,
        random: inout SplitMix64
    ) {
        self.frame = frame
        let unit = Double(frame.width) / 1_440
        let speed = random.number(25...90) * unit
        var places: [(x: Double, y: Double)] = []
        for (place, point) in points.enumerated() {
            if place > 0 {
                let from = points[place - 1]
                places += Self.way(from, (point.x, from.y), speed: speed)
                places += Self.way((point.x, from.y), point, speed: speed)
            }
            guard place > 0, place < points.count - 1 || points.count == 2 else { continue }
            var drift = (x: 0.0, y: 0.0)
            for _ in 0..<random.integer(rest) {
                drift.x = 0.9 * drift.x + random.number(-3...3) * unit
                drift.y = 0.9 * drift.y + random.number(-3...3) * unit
                places.append((point.x + drift.x, point.y + drift.y))
            }
        }
        let limit = (x: Double(canvas.width - frame.width), y: Double(canvas.height - frame.height))
        places = places.map { (min(max(0, $0.x), limit.x), min(max(0, $0.y), limit.y)) }
        // Found within the first third of a second; one clip in ten stays out of focus.
        let missed = random.number(0...1)
        let (worst, lasting) = (random.number(2...8) * unit, missed < 0.1 ? random.number(2...4) * unit : 0)
        let hunts = random.number(0...1) < 0.3
        let found = places.count / 3
        poses = places.enumerated().map { number, place in
            let before = places[max(0, number - 1)]
            let hunting = hunts && number > found && number < found + 10 ? worst * Double(found + 10 - number) / 10 : 0
            return Pose(
                x: place.x,
                y: place.y,
                smearX: abs(place.x - before.x) / 2,
                smearY: abs(place.y - before.y) / 2,
                blur: max(hunting, lasting)
            )
        }
        // Once for a turn of the phone: without this draw the noise of a seed would be another.
        _ = random.next()
        gain = random.number(0.6...1.15)
        noise = [1, 3, 6][random.below(3)]
        self.random = SplitMix64(state: random.next())
    }

    private static func way(
        _ from: (x: Double, y: Double),
        _ to: (x: Double, y: Double),
        speed: Double
    ) -> [(x: Double, y: Double)] {
        let distance = abs(to.x - from.x) + abs(to.y - from.y)
        guard distance > 1 else { return [] }
        let count = max(4, Int(1.5 * distance / speed))
        return (1...count).map { step in
            let share = Double(step) / Double(count)
            let eased = share * share * (3 - 2 * share)
            return (from.x + eased * (to.x - from.x), from.y + eased * (to.y - from.y))
        }
    }

    /// Takes a frame: cut out, smeared, blurred, exposed, and with the sensor's noise.
    mutating func frame(of scene: FrameScene, _ pose: Pose) -> RasterImage? {
        let cut = scene.canvas.cropped(x: Int(pose.x), y: Int(pose.y), width: frame.width, height: frame.height)
        guard var picture = cut else { return nil }
        let radius = Int(pose.blur.rounded())
        var (across, down) = ([Int(pose.smearX.rounded())], [Int(pose.smearY.rounded())])
        // Two boxes one after the other come near the disc of a lens that is out of focus.
        if radius > 0 { (across, down) = (across + [2 * radius, radius], down + [2 * radius, radius]) }
        for length in across where length > 1 { picture.blur(length, isAcross: true) }
        for length in down where length > 1 { picture.blur(length, isAcross: false) }
        expose(&picture)
        return picture
    }

    private mutating func expose(_ picture: inout RasterImage) {
        let gain = Int(gain * 256)
        let noise = noise
        var random = random
        picture.pixels.withUnsafeMutableBufferPointer { pixels in
            var place = 0
            while place < pixels.count {
                // Four bits of one draw are as good as a draw of their own, and much faster.
                var bits = random.next()
                for index in place..<min(place + 16, pixels.count) {
                    let shift = Int(bits & 15) * noise / 8 - noise
                    bits >>= 4
                    pixels[index] = UInt8(clamping: (Int(pixels[index]) * gain) >> 8 + shift)
                }
                place += 16
            }
        }
        self.random = random
    }
}

extension SplitMix64 {
    mutating func number(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + nextDouble() * (range.upperBound - range.lowerBound)
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
}

extension RasterImage {
    /// Replaces each pixel by the mean of `length` grey pixels from it on, in its row or in its column.
    fileprivate mutating func blur(_ length: Int, isAcross: Bool) {
        let (count, lines) = isAcross ? (width, height) : (height, width)
        let (step, apart) = isAcross ? (1, width) : (width, 1)
        let length = min(length, count)
        var line = [UInt8](repeating: 0, count: count)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for start in stride(from: 0, to: lines * apart, by: apart) {
                for place in 0..<count { line[place] = pixels[start + place * step] }
                var sum = line[..<length].reduce(0) { $0 + Int($1) }
                for place in 0..<count {
                    pixels[start + place * step] = UInt8(sum / length)
                    // The last pixel is repeated beyond the end.
                    sum += Int(line[min(count - 1, place + length)]) - Int(line[place])
                }
            }
        }
    }
}
