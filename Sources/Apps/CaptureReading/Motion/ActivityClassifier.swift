/// Classifier of a person's activity by the device's motion, with thresholds from the literature.
///
/// A window is *stationary* below a mean amplitude deviation of 22.5 mg. Periodic motion must carry 0.3 of the power
/// below 5 Hz. It is *running* from 414 mg (six metabolic equivalents), at 1.0 to 3.5 Hz; below that *walking* at 1.4
/// to 2.35 Hz, which are steps unless it is shaken (with high confidence from 91 mg), and from 91 mg (three
/// equivalents) also at 0.7 to 1.175 Hz, which are the swings of an arm, unless it is shaken. *Cycling*, pedalling at
/// 0.8 to 1.4 Hz while the road shakes, is this project's own rule without a published threshold, and never has high
/// confidence. All else is *unknown*. The activity of most windows is reported.
///
/// *Automotive* is never inferred from acceleration: a car on a good road is as still as a desk. It is reported when
/// the user claims it, with low confidence, as a simulated state.
///
/// Source: H. Vähä-Ypyä et al., A universal, accurate intensity-based classification of different physical activities
/// using raw data of accelerometer, Clin Physiol Funct Imaging 35 (2015) 64–70 (MAD, 22.5 mg); the same, Validation
/// of cut-points for evaluating the intensity of physical activity with accelerometry-based mean amplitude deviation,
/// PLoS ONE 10 (2015) e0134813 (91 mg at 3 MET, 414 mg at 6); M. Straczkiewicz et al., A "one-size-fits-most" walking
/// recognition method for smartphones, smartwatches, and wearable accelerometers, npj Digit Med 6 (2023) 29 (steps of
/// 1.4 to 2.3 Hz, harmonics up to 2.5 times as strong); E. A. Hansen et al., The role of stride frequency for
/// walk-to-run transition in humans, Sci Rep 7 (2017) 2010 (141 steps a minute, which are 2.35 Hz).
package enum ActivityClassifier {
    enum Activity: String, Sendable, CaseIterable {
        case stationary, walking, running, cycling, automotive, unknown
    }

    /// Deviation below which a window is not walking, in g.
    static let leastMotion = 0.0225
    /// Deviation of moderate motion, in g.
    static let moderate = 0.091
    /// Deviation of vigorous motion, in g.
    static let vigorous = 0.414
    /// Steps a second of walking.
    static let walking = 1.4...2.35
    /// Swings of a walker's arm a second: one for two steps.
    static let swinging = 0.7...1.175
    /// Strides to steps a second of running: from half a slow runner's steps to a sprinter's; the ends are this
    /// house's own.
    static let running = 1.0...3.5
    /// Turns of pedals a second, 48 to 84 a minute; this house's own.
    static let pedalling = 0.8...1.4
    /// Minimum share of periodic motion in the power below 5 Hz; this project's own threshold.
    static let leastShare = 0.3
    /// Minimum shaking of a bicycle; this project's own threshold.
    static let leastShaking = 0.3
    /// Maximum strength of the harmonics, as a multiple of the step's.
    static let mostHarmonic = 2.5

    static func activity(in window: MotionRecord.Window) -> Activity {
        guard window.deviation >= leastMotion else { return .stationary }
        guard let frequency = window.frequency, window.share >= leastShare else { return .unknown }
        guard window.deviation < vigorous else { return running.contains(frequency) ? .running : .unknown }
        if walking.contains(frequency) { return window.shaking < leastShaking ? .walking : .unknown }
        if pedalling.contains(frequency), window.shaking >= leastShaking { return .cycling }
        // A swinging arm and a shaken bicycle cannot be distinguished.
        if swinging.contains(frequency), window.deviation >= moderate, window.shaking < leastShaking / 2 {
            return .walking
        }
        return .unknown
    }

    /// Returns the combined activity of the windows.
    ///
    /// - Returns: the activity of most windows, with high confidence if at least 0.8 of three or more agree, medium
    ///   from 0.6, else low; unknown if no more than half agree; nil without a window and a claim.
    package static func activity(of motion: MotionRecord) -> ActivityContext? {
        if motion.claimsAutomotive {
            return ActivityContext(type: Activity.automotive.rawValue, confidence: .low, basis: .claimed)
        }
        guard !motion.windows.isEmpty else { return nil }
        var votes: [Activity: Int] = [:]
        for window in motion.windows { votes[activity(in: window), default: 0] += 1 }
        let count = motion.windows.count
        guard let (winner, most) = votes.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }),
            2 * most > count, winner != .unknown
        else { return ActivityContext(type: Activity.unknown.rawValue, confidence: .low, basis: .measured) }
        let agreement = Double(most) / Double(count)
        // A car's springs and a hand that trembles swing as often as a slow walker steps.
        let isStrong = motion.windows.reduce(0) { $0 + $1.deviation } / Double(count) >= moderate
        let isHigh = agreement >= 0.8 && count >= 3 && winner != .cycling && (winner != .walking || isStrong)
        let confidence: ActivityContext.Confidence = isHigh ? .high : agreement >= 0.6 ? .medium : .low
        return ActivityContext(type: winner.rawValue, confidence: confidence, basis: .measured)
    }
}

/// Activity of a person (S4-52).
package struct ActivityContext: Codable, Sendable, Equatable {
    package enum Confidence: String, Codable, Sendable, CaseIterable {
        case high, medium, low
    }

    package enum Basis: String, Codable, Sendable {
        /// An accelerometer.
        case measured
        /// Claim of the capturing user: a simulated state.
        case claimed
    }

    /// Kind of motion ("stationary", "walking", "automotive").
    package var type: String
    package var confidence: Confidence
    /// Source of the activity; nil when it is unknown.
    package var basis: Basis?
}
