import Basics
import Composition
import DeviceSimulation
import Harness
import Imaging

/// A panning sequence to be made: over which scene, and with which seed.
struct ScenePlan: Sendable {
    enum Content: Sendable {
        /// One spine before a drawn place.
        case held(LiveRequest.Spine)
        /// Several side by side on a drawn board.
        case row([LiveRequest.Spine])
        /// A photograph of a shelf.
        case shelf(ShelfPicture)
        /// A photograph without a spine.
        case empty(String)
        /// A drawn place without a spine.
        case drawn(SceneMaker.Place)
    }

    var kind: String
    /// Frames of the same photograph or drawn scene are alike.
    var scene: String
    var content: Content
    var seed: UInt64

    /// Shows a gate the frames of a panning sequence; nil for a photograph that is too small.
    ///
    /// Enlarged more than ``mostEnlarged`` times it would be smoother than any frame.
    func clip(frame: FrameSize = .phone, _ isPassed: (RasterImage) -> Bool) throws -> GateClip? {
        var random = SplitMix64(state: seed)
        guard let scene = try made(frame, &random) else { return nil }
        let canvas = FrameSize(width: scene.canvas.width, height: scene.canvas.height)
        var pan = CameraPan(
            through: points(canvas, frame, &random),
            rest: rest,
            frame: frame,
            canvas: canvas,
            random: &random
        )
        var frames: [GateClip.Frame] = []
        for pose in pan.poses {
            guard let picture = pan.frame(of: scene, pose) else { continue }
            let truth = scene.truth(x: pose.x, y: pose.y, frame: frame)
            frames.append(GateClip.Frame(truth, pan.condition(pose, frame: frame), isPassed: isPassed(picture)))
        }
        return GateClip(kind: kind, scene: self.scene, frames: frames)
    }

    /// Frames at a point of rest: a second or two on a spine, less over a shelf.
    private var rest: ClosedRange<Int> {
        switch content {
        case .held: 20...50
        default: 10...20
        }
    }

    /// Maximum enlargement of a photograph.
    static let mostEnlarged = 2.25

    private func made(_ frame: FrameSize, _ random: inout SplitMix64) throws -> FrameScene? {
        var maker = SceneMaker(frame: frame, seed: random.next())
        switch content {
        case .held(let spine): return maker.held(try SpineCut(spine))
        case .row(let spines): return maker.row(try spines.map { try SpineCut($0) })
        case .drawn(let place): return FrameScene(canvas: maker.drawn(place), spines: [])
        case .empty(let path):
            let picture = try ImageCodec.decode(contentsOf: path).image.luma()
            let scale = Self.covering(picture, frame) * random.number(1...1.5)
            guard let canvas = Self.scaled(picture, scale, frame) else { return nil }
            return FrameScene(canvas: canvas, spines: [])
        case .shelf(let shelf):
            let picture = try ImageCodec.decode(contentsOf: shelf.path).image.luma()
            let longest = shelf.books.map { max($0.length, $0.thickness) }.sorted()
            // A usual phone position before a shelf: a book is half to nine tenths of the frame.
            let wanted =
                longest.isEmpty
                ? 0 : random.number(0.5...0.9) * Double(frame.height) / longest[longest.count / 2]
            let scale = max(wanted, Self.covering(picture, frame) * 1.1)
            guard let canvas = Self.scaled(picture, scale, frame) else { return nil }
            let books = shelf.books.map { $0.mapped { Point(x: $0.x * scale, y: $0.y * scale) } }
            return FrameScene(canvas: canvas, spines: books, isComplete: shelf.isComplete)
        }
    }

    /// Returns the scale at which a picture just covers a frame.
    private static func covering(_ picture: RasterImage, _ frame: FrameSize) -> Double {
        max(Double(frame.width) / Double(picture.width), Double(frame.height) / Double(picture.height))
    }

    private static func scaled(_ picture: RasterImage, _ scale: Double, _ frame: FrameSize) -> RasterImage? {
        guard scale <= mostEnlarged * Double(frame.width) / Double(FrameSize.phone.width) else { return nil }
        return picture.resized(
            width: max(frame.width, Int(Double(picture.width) * scale)),
            height: max(frame.height, Int(Double(picture.height) * scale))
        )
    }

    /// Returns left and upper sides of frames on the camera's path.
    private func points(
        _ canvas: FrameSize,
        _ frame: FrameSize,
        _ random: inout SplitMix64
    ) -> [(x: Double, y: Double)] {
        let (right, bottom) = (Double(canvas.width - frame.width), Double(canvas.height - frame.height))
        func anywhere() -> (x: Double, y: Double) { (random.number(0...right), random.number(0...bottom)) }
        switch content {
        case .held:
            let side = Double(frame.width)
            let middle = (right / 2 + random.number(-0.1...0.1) * side, bottom / 2)
            return [(0, bottom / 2), middle, (right, bottom / 2)]
        case .row:
            let stops = (1...2).map { stop in (right * (Double(stop) / 3 + random.number(-0.1...0.1)), bottom / 2) }
            return [(0, bottom / 2)] + stops + [(right, bottom / 2)]
        case .shelf: return [anywhere(), anywhere(), anywhere(), anywhere()]
        case .empty, .drawn: return [anywhere(), anywhere(), anywhere()]
        }
    }
}

extension ScenePlan {
    /// Sequences over everything in folders, and over drawn places; the same for the same folders and seed.
    ///
    /// `clips`: of each kind that has more to choose from: spines held, rows, and each drawn place.
    static func plans(_ folders: [PictureFolder], clips: Int, seed: UInt64) -> [ScenePlan] {
        var random = SplitMix64(state: seed)
        var plans: [ScenePlan] = []
        func add(_ kind: String, _ scene: String, _ content: Content) {
            plans.append(ScenePlan(kind: kind, scene: scene, content: content, seed: random.next()))
        }
        for folder in folders {
            let scenes = Dictionary(grouping: folder.spines, by: \.name).sorted { $0.key < $1.key }
            // Spines of one photograph are adjacent, and are one cluster; drawn ones come from a picture each.
            let isDrawn = scenes.allSatisfy { $0.value.count == 1 }
            if isDrawn {
                let spines = random.shuffled(folder.spines)
                for spine in spines.prefix(clips) { add("\(folder.name): one spine held", spine.name, .held(spine)) }
                let rest = Array(spines.dropFirst(clips))
                for number in 0..<clips / 2 {
                    let row = rest.dropFirst(number * 6).prefix(6)
                    if row.count == 6 {
                        add("\(folder.name): a row of spines", "\(folder.name)/row \(number)", .row(Array(row)))
                    }
                }
            } else {
                for (scene, spines) in scenes {
                    let spines = random.shuffled(spines)
                    for spine in spines.prefix(max(2, clips / 10)) {
                        add("\(folder.name): one spine held", scene, .held(spine))
                    }
                    if spines.count > 1 {
                        add("\(folder.name): a row of spines", scene, .row(Array(spines.prefix(7))))
                    }
                }
            }
            for shelf in folder.shelves {
                for _ in 0..<2 { add("\(folder.name): shelf", shelf.scene, .shelf(shelf)) }
            }
            for path in folder.empty {
                for _ in 0..<2 { add("\(folder.name): without books", path, .empty(path)) }
            }
        }
        for place in SceneMaker.Place.allCases {
            for number in 0..<max(1, clips / 5) {
                add("drawn: \(place.rawValue)", "\(place.rawValue) \(number)", .drawn(place))
            }
        }
        return plans
    }
}

extension CameraPan {
    /// Returns the condition of the camera for a frame.
    func condition(_ pose: Pose, frame: FrameSize) -> GateClip.Condition {
        let unit = Double(frame.width) / 1_440
        if pose.blur >= 3 * unit { return .outOfFocus }
        return max(pose.smearX, pose.smearY) >= 8 * unit ? .moving : .still
    }
}
