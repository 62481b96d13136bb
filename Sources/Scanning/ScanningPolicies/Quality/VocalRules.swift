/// Judges a voice by rules where there is no model (S3-12, low quality).
///
/// Loud, high and fast speech is aroused, quiet, low and slow speech is subdued (after Scherer, "Vocal communication of
/// emotion", Speech Communication 40, 2003), each beside the same speaker's usual voice. The limits are assumed: the document gives none.
public struct VocalRules: Sendable, Hashable, Codable {
    /// A stretch of speech.
    public struct Features: Sendable, Hashable, Codable {
        /// The mean of the fundamental frequency.
        public var pitchHertz: Double
        /// The mean level.
        public var levelDecibels: Double
        /// Syllables a second.
        public var syllablesPerSecond: Double
    }

    /// Mood of a voice.
    public enum Affect: String, Sendable, Codable, CaseIterable {
        case subdued, calm, aroused
    }

    /// A pitch so many times the usual one, or its inverse, speaks for arousal, or against it.
    public var pitchRatio = 1.15
    /// Likewise for the level, in dB above or below.
    public var levelDecibels = 6.0
    /// Likewise for the rate.
    public var rateRatio = 1.2

    /// With the assumed limits.
    public init() {}

    /// Judges a stretch of speech: two of the three features decide.
    public func affect(of features: Features, usual: Features) -> Affect {
        func side(_ value: Double, above high: Double, below low: Double) -> Int {
            value > high ? 1 : value < low ? -1 : 0
        }
        let sides = [
            side(features.pitchHertz, above: usual.pitchHertz * pitchRatio, below: usual.pitchHertz / pitchRatio),
            side(
                features.levelDecibels,
                above: usual.levelDecibels + levelDecibels,
                below: usual.levelDecibels - levelDecibels
            ),
            side(
                features.syllablesPerSecond,
                above: usual.syllablesPerSecond * rateRatio,
                below: usual.syllablesPerSecond / rateRatio
            ),
        ]
        if sides.count(where: { $0 > 0 }) >= 2 { return .aroused }
        return sides.count(where: { $0 < 0 }) >= 2 ? .subdued : .calm
    }
}

/// Class that a facial expression model tells apart at each quality: 7, 5 or 3 classes (S3-13).
///
/// The document names the three; the seven are those of the public data set FER-2013. Which two the five leave out, and
/// what becomes of them, is assumed.
public enum ExpressionClass: String, Sendable, Codable, CaseIterable {
    case happy, neutral, sad, angry, surprised, fearful, disgusted
    /// Sad, angry or fearful: at the lowest quality only.
    case distressed

    /// Classes that a quality tells apart.
    public static func classes(at quality: ReadingQuality) -> [ExpressionClass] {
        switch quality {
        case .high: [.happy, .neutral, .sad, .angry, .surprised, .fearful, .disgusted]
        case .medium: [.happy, .neutral, .sad, .angry, .surprised]
        case .low: [.happy, .neutral, .distressed]
        }
    }

    /// Class at a quality; going through medium on the way to low changes nothing.
    public func at(_ quality: ReadingQuality) -> ExpressionClass {
        switch quality {
        case .high: return self
        case .medium:
            switch self {
            case .fearful: return .sad
            case .disgusted: return .angry
            default: return self
            }
        case .low:
            switch self {
            case .happy: return .happy
            case .neutral, .surprised: return .neutral
            case .sad, .angry, .fearful, .disgusted, .distressed: return .distressed
            }
        }
    }
}
