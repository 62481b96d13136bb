public import Raster
import ScanningPolicies

/// A camera that replays pictures at an even pace: 30 a second, or 60 for the presence gate alone (K-15).
///
/// Frames are taken by whoever asks for them, so nothing piles up: one that is due while the last is still worked on is
/// dropped for the newest, and counted.
public actor FrameSource<C: Clock> where C.Duration == Duration {
    /// What the camera is doing.
    public enum State: String, Sendable, Codable {
        case stopped, running
        /// Nobody used it for a while (S2-24).
        case paused
        /// All pictures have been shown.
        case ended
    }

    /// How a camera works.
    public struct Settings: Sendable, Equatable {
        /// More than none.
        public var framesPerSecond: Int
        /// After so long without a spine or a touch the camera pauses.
        public var idleLimit: Duration
        /// Recent frames that are kept, so that a shutter can have the moment that was meant (S2-12).
        public var kept: Int
        /// Whether it begins anew after the last picture.
        public var repeats: Bool

        /// - Parameters:
        ///   - framesPerSecond: more than none.
        ///   - idleLimit: after so long without use the camera pauses.
        ///   - kept: recent frames that are kept.
        ///   - repeats: whether it begins anew after the last picture.
        public init(
            framesPerSecond: Int = 30,
            idleLimit: Duration = .seconds(30),
            kept: Int = 4,
            repeats: Bool = false
        ) {
            precondition(framesPerSecond > 0 && kept >= 0, "a camera takes frames")
            self.framesPerSecond = framesPerSecond
            self.idleLimit = idleLimit
            self.kept = kept
            self.repeats = repeats
        }
    }

    private let settings: Settings
    private let clock: C
    private let count: Int
    private let picture: @Sendable (Int) throws -> RasterImage
    private var began: C.Instant
    private var lastUse: C.Instant
    private var next = 0
    private var recent: [Frame] = []

    /// What it is doing.
    public private(set) var state = State.stopped
    /// Frames that were due and that nobody took.
    public private(set) var dropped = 0
    /// Frames that were given out.
    public private(set) var delivered = 0

    /// - Parameters:
    ///   - count: of the pictures.
    ///   - settings: pace and patience.
    ///   - clock: a real one, or a virtual one.
    ///   - picture: the picture of a number from 0 up to `count`; called when its frame is due.
    public init(
        count: Int,
        settings: Settings = Settings(),
        clock: C,
        picture: @escaping @Sendable (Int) throws -> RasterImage
    ) {
        self.count = count
        self.settings = settings
        self.clock = clock
        self.picture = picture
        began = clock.now
        lastUse = began
    }

    /// Starts the camera, or wakes it; one that runs is left alone (S2-04).
    public func start() {
        guard state == .stopped || state == .paused else { return }
        began = clock.now.advanced(by: .zero - due(next))
        lastUse = clock.now
        state = .running
    }

    /// Stops the camera; a second time changes nothing.
    public func stop() {
        if state == .running || state == .paused { state = .stopped }
    }

    /// Notes that somebody uses the camera: a touch, or a spine in its sight.
    public func noteUse() { lastUse = clock.now }

    /// The next frame, when it is due.
    ///
    /// - Throws: what `picture` throws; `CancellationError`.
    /// - Returns: nil when the camera is not running any more: stopped, paused, or at its end.
    public func nextFrame() async throws -> Frame? {
        guard state == .running else { return nil }
        let elapsed = began.duration(to: clock.now)
        let newest = Int(elapsed / .seconds(1) * Double(settings.framesPerSecond))
        let last = settings.repeats ? newest : min(newest, count - 1)
        if last > next {
            dropped += last - next
            next = last
        }
        guard count > 0, settings.repeats || next < count else {
            state = .ended
            return nil
        }
        let number = next
        next += 1
        try await clock.sleep(until: began.advanced(by: due(number)), tolerance: nil)
        guard state == .running else { return nil }
        if IdlePause(limit: settings.idleLimit).isDue(sinceLastUse: lastUse.duration(to: clock.now)) {
            state = .paused
            next = number
            return nil
        }
        let frame = Frame(number: number, time: due(number), image: try picture(number % count))
        delivered += 1
        if settings.kept > 0 {
            recent.append(frame)
            if recent.count > settings.kept { recent.removeFirst() }
        }
        return frame
    }

    /// The kept frame that was taken nearest to a moment: what the owner saw when the shutter was pressed.
    ///
    /// - Parameter time: since the camera began.
    /// - Returns: nil when none is kept.
    public func frame(nearest time: Duration) -> Frame? {
        func distance(_ frame: Frame) -> Duration { max(frame.time - time, time - frame.time) }
        return recent.min { distance($0) < distance($1) }
    }

    /// When a frame is due, since the camera began.
    private func due(_ number: Int) -> Duration { .seconds(1) * number / settings.framesPerSecond }
}
