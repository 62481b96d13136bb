/// Note of an import: what it did that the labels did not say, or left out without its being wrong; each is counted.
package enum ImportNote: String, Sendable, CaseIterable {
    case orientationFromLines
    case orientationFromDefault
    case orientationGuessed
    case categoryDerived
    case categoryFromDefault
    case titleFromRoles
    case titleFromLongestLine
    case transcriptionFromTitle
    case notLegible
    case polygonBoxed
    case unreadableLine
    case strayLine
    case otherAnnotation
    case cancelledAnnotation
    case furtherAnnotation
    case unlabelledTask
    case idMadeUnique
    case coordinatesTurned
    case metadataRemoved
    case locationRemoved
    case metadataKept
    case recoded
    case unusedPicture

    /// Whether what is in the dataset may be wrong for it.
    package var isGuess: Bool {
        switch self {
        case .orientationGuessed, .titleFromLongestLine, .notLegible, .transcriptionFromTitle: true
        default: false
        }
    }

    /// A sentence with the number in front, without the full stop.
    package func sentence(_ count: Int) -> String {
        func of(_ noun: String, _ rest: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s") \(rest)" }
        return switch self {
        case .orientationFromLines: of("orientation", "taken from the corners of the lines")
        case .orientationFromDefault: of("orientation", "set by --orientation")
        case .orientationGuessed:
            of("orientation", "guessed from the shape of the lines or of the picture: tall means cw, wide upright")
        case .categoryDerived: of("category", "derived from the orientation").replacing("categorys", with: "categories")
        case .categoryFromDefault: of("category", "set by --category").replacing("categorys", with: "categories")
        case .titleFromRoles: of("title", "joined from the lines that are labelled as title")
        case .titleFromLongestLine: of("title", "guessed: the longest line")
        case .transcriptionFromTitle: of("transcription", "guessed: title and author, as nothing else was labelled")
        case .notLegible: of("spine", "without any text, taken to be illegible")
        case .polygonBoxed: of("outline", "replaced by the smallest rectangle around it")
        case .unreadableLine: of("line", "left out that the source marks as unreadable")
        case .strayLine: of("line", "left out that lies on none of its shelf's spines")
        case .otherAnnotation: of("annotation", "left out that has no text and is no spine")
        case .cancelledAnnotation: of("annotation", "left out that was cancelled")
        case .furtherAnnotation: of("annotation", "left out of a task that has another")
        case .unlabelledTask: of("task", "left out that nobody labelled")
        case .idMadeUnique: of("id", "made unique by a number")
        case .coordinatesTurned: of("picture", "whose coordinates were turned as EXIF says")
        case .metadataRemoved: of("picture", "freed of metadata")
        case .locationRemoved: of("picture", "that said where it was taken, and does not any more")
        case .metadataKept: of("picture", "with metadata, kept as asked")
        case .recoded: of("picture", "coded anew as JPEG of quality 95")
        case .unusedPicture: of("picture", "left out that no label names")
        }
    }
}
