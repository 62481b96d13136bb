public import CaptureReading

/// Detector of new codes in a camera's frames: one that stays in sight is captured once.
///
/// Source of the time: the original pipeline, which takes no second picture of a QR code within two seconds.
public struct LiveCodes: Sendable {
    /// A code that is seen again within this time of when it was seen last is the same.
    public static let pause = Duration.seconds(2)
    /// Time of the last sight of each content.
    private var seen: [String: Duration] = [:]

    /// Creates a detector without seen codes.
    public init() {}

    /// Returns the codes of a frame that are new, and notes that all of them were seen.
    ///
    /// - Parameters:
    ///   - codes: those of the frame.
    ///   - time: of the frame, since the first one; not before the last frame's.
    /// - Returns: those that are new.
    public mutating func new(among codes: [FoundCode], at time: Duration) -> [FoundCode] {
        seen = seen.filter { time - $0.value < Self.pause }
        return codes.filter { seen.updateValue(time, forKey: $0.payload) == nil }
    }
}
