import Basics
package import Harness
import Imaging

/// Frames of a camera that is aimed at one spine after the other, drawn from their pictures.
///
/// Each spine is in front of a drawn background; the camera arrives, rests on it for a second or so, and leaves.
package struct PannedSpines: Sendable {
    /// A frame, without its picture: a minute of those would be hundreds of megabytes.
    package struct View: Sendable {
        /// Number of the spine that the camera approaches, rests on or leaves.
        package var spine: Int
        /// Whether that is nearly whole in view.
        package var isInView: Bool
    }

    package static let framesPerSecond = 30
    /// Views in their order.
    package private(set) var views: [View] = []

    /// Size with enough pixels across for a book's title inside a strip of a third of it.
    static let frame = FrameSize(width: 720, height: 960)
    /// The width of the strip that the owner aims with, of a frame's.
    package static let strip = 0.3

    /// Draws frames of `spines` in their order; `keep` takes each frame as a JPEG.
    package init(_ spines: [WorkerPicture], seed: UInt64, keep: ([UInt8]) throws -> Void = { _ in }) throws {
        let frame = Self.frame
        var random = SplitMix64(state: seed)
        for (number, spine) in spines.enumerated() {
            var maker = SceneMaker(frame: frame, seed: random.next())
            let scene = maker.aimed(try SpineCut(spine), strip: Self.strip)
            let canvas = FrameSize(width: scene.canvas.width, height: scene.canvas.height)
            let (right, middle) = (Double(canvas.width - frame.width), Double(canvas.height - frame.height) / 2)
            let aim = right / 2 + random.number(-0.01...0.01) * Double(frame.width)
            // A third of the path is empty, so that spines follow each other as on a shelf.
            var pan = CameraPan(
                through: [(right / 6, middle), (aim, middle), (right * 5 / 6, middle)],
                rest: 30...50,
                frame: frame,
                canvas: canvas,
                random: &random
            )
            for pose in pan.poses {
                guard let picture = pan.frame(of: scene, pose) else { continue }
                try keep(try ImageCodec.encodeJPEG(picture, quality: 95))
                views.append(View(spine: number, isInView: scene.isInView(x: pose.x, y: pose.y, frame: frame)))
            }
        }
    }
}
