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
