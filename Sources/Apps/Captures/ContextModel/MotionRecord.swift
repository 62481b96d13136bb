/// Motion of a device around a capture: the stored part of a recorded trace, window by window.
public struct MotionRecord: Codable, Sendable, Equatable {
    /// Features of the magnitude of acceleration over a window.
    public struct Window: Codable, Sendable, Equatable {
        /// Mean amplitude deviation (MAD): mean distance of the magnitude from its mean, in g.
        public var deviation: Double
        /// Dominant frequency from 0.5 to 5 Hz; nil where nothing moves.
        public var frequency: Double?
        /// Share of the power from 0.5 to 5 Hz that is within 0.3 Hz of ``frequency``, 0 to 1.
        public var share: Double
        /// Share of the variance that is not below 5 Hz: shaking, 0 to 1.
        public var shaking: Double

        /// Creates a window by its features.
        public init(deviation: Double, frequency: Double?, share: Double, shaking: Double) {
            (self.deviation, self.frequency, self.share, self.shaking) = (deviation, frequency, share, shaking)
        }
    }

    /// Windows in the order of time; none where only a claim is known.
    public var windows: [Window]
    /// Whether the user claims to have been in a car: a simulated state without a measurement (S4-31).
    public var claimsAutomotive: Bool

    /// Creates the motion by its parts.
    public init(windows: [Window] = [], claimsAutomotive: Bool = false) {
        (self.windows, self.claimsAutomotive) = (windows, claimsAutomotive)
    }
}
