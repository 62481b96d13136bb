public import Foundation
public import Imaging
import ScanningPolicies

/// A camera that replays pictures at an even pace (K-15).
///
/// The consumer requests each frame, so nothing queues up: a frame that is due while the last is still being
/// processed is dropped for the newest, and counted. One task takes them.
public actor FrameSource<C: Clock> where C.Duration == Duration {
    /// The state of the camera.
    public enum State: String, Sendable, Codable {
        case stopped, running
        /// Paused because it was unused for a while (S2-24).
        case paused
        case ended
    }

    private let idleLimit: Duration
    private let guide: Guide?
    private let clock: C
    private let picture: @Sendable (Int) throws -> RasterImage
    /// Origin of the pacer's times.
    private let origin: C.Instant
    private var pacer: FramePacer
    private var lastUse: C.Instant

    /// State of the camera.
    public private(set) var state = State.stopped
    /// Number of due frames that were not taken.
    public var dropped: Int { pacer.dropped }

    /// Creates a stopped camera with the app's frame rate and idle limit by default.
    ///
    /// `idleLimit`: time without a spine or a touch after which the camera pauses. `guide`: the part of its frames that
    /// its owner aims with; nil for all of it. `picture` is called with the number of a due frame, from 0.
    public init(
        count: Int,
        framesPerSecond: Int = 30,
        idleLimit: Duration = .seconds(30),
        guide: Guide? = nil,
        clock: C,
        picture: @escaping @Sendable (Int) throws -> RasterImage
    ) {
        precondition(framesPerSecond > 0, "a camera takes frames")
        (self.idleLimit, self.guide, self.clock, self.picture) = (idleLimit, guide, clock, picture)
        origin = clock.now
        pacer = FramePacer(framesPerSecond: framesPerSecond, count: count)
        lastUse = origin
    }

    /// Starts the camera, or wakes it; one that runs is left alone (S2-04).
    public func start() {
        guard state == .stopped || state == .paused else { return }
        pacer.resume(at: elapsed)
        lastUse = clock.now
        state = .running
    }

    /// Stops the camera; a second time changes nothing.
    public func stop() {
        if state == .running || state == .paused { state = .stopped }
    }

    /// Records a use of the camera: a touch, or a spine in view.
    public func noteUse() { lastUse = clock.now }

    /// Returns the next frame, when it is due.
    ///
    /// - Throws: the errors of `picture`; `CancellationError`.
    /// - Returns: nil when the camera is not running any more: stopped, paused, or at its end.
    public func nextFrame() async throws -> Frame? {
        guard state == .running else { return nil }
        pacer.skip(to: elapsed)
        if pacer.isOver {
            state = .ended
            return nil
        }
        try await clock.sleep(until: origin.advanced(by: .nanoseconds(pacer.nextDue)), tolerance: nil)
        guard state == .running else { return nil }
        if lastUse.duration(to: clock.now) >= idleLimit {
            state = .paused
            return nil
        }
        let number = pacer.next
        let time = Duration.nanoseconds(pacer.take())
        return Frame(number: number, time: time, image: try picture(number), guide: guide)
    }

    /// Nanoseconds since ``origin``.
    private var elapsed: Int {
        let (seconds, attoseconds) = origin.duration(to: clock.now).components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}

/// One picture of a camera.
public struct Frame: Sendable, Equatable, Identifiable {
    /// Identifier of the frame's scan, if it is scanned.
    public var id = UUID()
    /// Number among all frames of the camera, dropped ones included, from 0.
    public var number: Int
    /// Time since the camera began.
    public var time: Duration
    /// Grey (the luma plane, S2-16) or in colour.
    public var image: RasterImage
    /// The part that its owner aims with; nil for all of it.
    public var guide: Guide?

    /// Picture inside the guide, which is read and sent.
    public var aimed: RasterImage { guide?.cut(from: image) ?? image }
}

/// Strip along the middle of a frame that its owner brings the spine into: readers want a picture of one spine.
public struct Guide: Sendable, Hashable, Codable {
    /// Share of the frame's short side, above 0 and up to 1; the strip is as long as the frame.
    public var share: Double

    /// - Parameter share: of the frame's short side, above 0 and up to 1.
    public init(share: Double) { self.share = share }

    /// Returns the strip of a frame, as it is: one pixel wide at least.
    func cut(from image: RasterImage) -> RasterImage? {
        func width(_ side: Int) -> Int { min(side, max(1, Int((Double(side) * share).rounded()))) }
        let isUpright = image.height >= image.width
        let wide = isUpright ? width(image.width) : image.width
        let high = isUpright ? image.height : width(image.height)
        return image.cropped(x: (image.width - wide) / 2, y: (image.height - high) / 2, width: wide, height: high)
    }
}
