/// Note of an import: an assumption beyond the labels, or a valid omission; each is counted.
package enum ImportNote: String, Sendable, CaseIterable {
    case orientationFromLines, orientationFromDefault, orientationGuessed, categoryDerived, categoryFromDefault
    case titleFromRoles, titleFromLongestLine, transcriptionFromTitle, notLegible, polygonBoxed, unreadableLine
    case strayLine, otherAnnotation, cancelledAnnotation, furtherAnnotation, unlabelledTask, idMadeUnique
    case coordinatesTurned, metadataRemoved, locationRemoved, metadataKept, recoded, displacedPicture, unusedPicture

    /// Whether the imported data may be wrong because of it.
    package var isGuess: Bool {
        [.orientationGuessed, .titleFromLongestLine, .notLegible, .transcriptionFromTitle].contains(self)
    }

    /// Returns a sentence with the number in front, without the full stop.
    package func sentence(_ count: Int) -> String {
        let (noun, rest) = words
        let many = noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
        return "\(count) \(count == 1 ? noun : many) \(rest)"
    }

    private var words: (noun: String, rest: String) {
        switch self {
        case .orientationFromLines: ("orientation", "taken from the corners of the lines or outlines")
        case .orientationFromDefault: ("orientation", "set by --orientation")
        case .orientationGuessed:
            ("orientation", "guessed from the shape of the lines or of the picture: tall means cw, wide upright")
        case .categoryDerived: ("category", "derived from the orientation")
        case .categoryFromDefault: ("category", "set by --category")
        case .titleFromRoles: ("title", "joined from the lines that are labelled as title")
        case .titleFromLongestLine: ("title", "guessed: the longest line")
        case .transcriptionFromTitle: ("transcription", "guessed: title and author, as nothing else was labelled")
        case .notLegible: ("spine", "without any text, taken to be illegible")
        case .polygonBoxed: ("outline", "replaced by the smallest rectangle around it")
        case .unreadableLine: ("line", "omitted, as the source marks it as unreadable")
        case .strayLine: ("line", "omitted, as it is outside all spines of its shelf")
        case .otherAnnotation: ("annotation", "omitted, as it has no text and is not a spine")
        case .cancelledAnnotation: ("annotation", "omitted, as it was cancelled")
        case .furtherAnnotation: ("annotation", "omitted, as its task has another one")
        case .unlabelledTask: ("task", "omitted, as it was not labelled")
        case .idMadeUnique: ("id", "made unique by a number")
        case .coordinatesTurned: ("picture", "rotated by EXIF orientation")
        case .metadataRemoved: ("picture", "stripped of metadata")
        case .locationRemoved: ("picture", "stripped of its location")
        case .metadataKept: ("picture", "with metadata kept as requested")
        case .recoded: ("picture", "re-encoded as JPEG of quality 95")
        case .displacedPicture: ("picture", "found by the file name alone, as its folder is another one in the labels")
        case .unusedPicture: ("picture", "omitted, as no label refers to it")
        }
    }
}
