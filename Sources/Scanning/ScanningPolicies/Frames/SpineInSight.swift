/// Tells one spine in sight from the next where nothing is read that could: pictures that are sent unread.
///
/// A presence gate misses a frame now and then while the same spine is held, so that a single frame without one does not
/// make the next one new.
public struct SpineInSight: Sendable, Equatable {
    /// For so long there has to be none before another one counts as new.
    ///
    /// Longer than a gate's chance misses last, and shorter than it takes to move on to another spine; chosen, not measured.
    public static let gap = Duration.milliseconds(300)

    private var isTaken = false
    private var missingSince: Duration?

    /// None is in sight.
    public init() {}

    /// Notes a frame without a spine.
    ///
    /// - Parameter time: when it was taken; not before the last one.
    public mutating func noteNone(at time: Duration) {
        let since = missingSince ?? time
        missingSince = since
        if time - since >= Self.gap { isTaken = false }
    }

    /// Takes the spine that is in sight.
    ///
    /// - Returns: whether it was not taken before.
    public mutating func take() -> Bool {
        defer { (isTaken, missingSince) = (true, nil) }
        return !isTaken
    }
}
