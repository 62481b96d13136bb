/// Pauses a camera that nobody uses (S2-24).
public struct IdlePause: Sendable, Equatable {
    /// After so long without a spine or a touch the camera pauses.
    public var limit: Duration

    /// - Parameter limit: after so long without a spine or a touch the camera pauses.
    public init(limit: Duration = .seconds(30)) { self.limit = limit }

    /// Whether a camera is paused that was last used so long ago.
    public func isDue(sinceLastUse time: Duration) -> Bool { time >= limit }
}
