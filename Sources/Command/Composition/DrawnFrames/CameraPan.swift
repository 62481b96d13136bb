package import Basics
package import Imaging

/// The way of a camera over a scene, frame by frame, with its effects on the picture.
package struct CameraPan: Sendable {
    package struct Pose: Sendable, Equatable {
        /// The frame's left and upper side in the canvas, in pixels.
        package var x: Double
        package var y: Double
        /// Motion blur during the exposure, in pixels of the frame, along each axis.
        package var smearX: Double
        package var smearY: Double
        /// The radius of the lens's blur, in pixels of the frame.
        package var blur: Double
    }

    package private(set) var poses: [Pose] = []
    /// The quarter turn that the frames are turned by, for a phone held level.
    package var turn: QuarterTurn?
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
    package init(
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
        turn = random.number(0...1) < 0.5 ? .clockwise : nil
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
    package mutating func frame(of scene: FrameScene, _ pose: Pose) -> RasterImage? {
        let cut = scene.canvas.cropped(x: Int(pose.x), y: Int(pose.y), width: frame.width, height: frame.height)
        guard var picture = cut else { return nil }
        let radius = Int(pose.blur.rounded())
        var (across, down) = ([Int(pose.smearX.rounded())], [Int(pose.smearY.rounded())])
        // Two boxes one after the other come near the disc of a lens that is out of focus.
        if radius > 0 { (across, down) = (across + [2 * radius, radius], down + [2 * radius, radius]) }
        for length in across where length > 1 { picture.blurAcross(length) }
        for length in down where length > 1 { picture.blurDown(length) }
        expose(&picture)
        return turn.map { picture.rotated($0) } ?? picture
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
    package mutating func number(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + nextDouble() * (range.upperBound - range.lowerBound)
    }

    package mutating func integer(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
}

extension RasterImage {
    /// Replaces each pixel by the mean of `length` grey pixels in a row.
    fileprivate mutating func blurAcross(_ length: Int) {
        let (width, height) = (width, height)
        let length = min(length, width)
        var line = [UInt8](repeating: 0, count: width)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in 0..<height {
                let start = row * width
                for x in 0..<width { line[x] = pixels[start + x] }
                var sum = 0
                for x in 0..<length { sum += Int(line[x]) }
                for x in 0..<width {
                    pixels[start + x] = UInt8(sum / length)
                    // The last pixel is repeated beyond the end.
                    sum += Int(line[min(width - 1, x + length)]) - Int(line[x])
                }
            }
        }
    }

    /// Replaces each pixel by the mean of `length` grey pixels one below the other.
    fileprivate mutating func blurDown(_ length: Int) {
        let (width, height) = (width, height)
        let length = min(length, height)
        let source = pixels
        var sums = [Int32](repeating: 0, count: width)
        source.withUnsafeBufferPointer { source in
            pixels.withUnsafeMutableBufferPointer { pixels in
                for row in 0..<length { for x in 0..<width { sums[x] += Int32(source[row * width + x]) } }
                for row in 0..<height {
                    let (next, last) = (min(height - 1, row + length) * width, row * width)
                    for x in 0..<width {
                        pixels[last + x] = UInt8(sums[x] / Int32(length))
                        sums[x] += Int32(source[next + x]) - Int32(source[last + x])
                    }
                }
            }
        }
    }
}
