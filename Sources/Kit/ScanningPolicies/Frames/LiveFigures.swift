/// What became of a due frame.
public enum FrameOutcome: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// The frame was not read: the one before was still being processed, or scanning was paused.
    case dropped, paused
    /// The reader is unloaded, as the device is too hot or short of memory, or the reader too slow.
    case noReader
    /// The back end takes nothing, and the strategy has nothing else (S2-37).
    case shutterClosed
    /// The device is warm or hot.
    case thermal
    /// The last reading was so short a time ago that its quality allows no other yet.
    case tooSoon
    /// Only in runs until 28 November 2026, whose presence gate is gone.
    case noSpine
    /// The camera moves, so that nothing on the frame can be read with certainty.
    case moving
    /// The frame was read, and has too little text to identify a book.
    case noText
    /// The frame was read, and is of a spine that was scanned before, or that is read once more before it is.
    case sameSpine
    /// The frame was read, and shows a new spine.
    case scanned

    /// Text for display.
    public var text: String {
        switch self {
        case .dropped: "dropped"
        case .paused: "paused"
        case .noReader: "reader unloaded"
        case .shutterClosed: "shutter closed"
        case .thermal: "too warm"
        case .tooSoon: "too soon"
        case .noSpine: "no spine in sight"
        case .moving: "camera moving"
        case .noText: "read, no text"
        case .sameSpine: "read, same spine"
        case .scanned: "read, new spine"
        }
    }

    /// Whether the frame was given to the reader.
    public var isRead: Bool { [.noText, .sameSpine, .scanned].contains(self) }

    /// Counts of no frame.
    public static let none = allCases.reduce(into: [FrameOutcome: Int]()) { $0[$1] = 0 }
}

/// Figures of a camera's frames that were scanned live.
public struct LiveFigures: Sendable, Equatable, Codable {
    /// Seconds since the camera's start, pauses included, by its clock.
    public var seconds: Double
    /// Number of due frames by outcome while the camera ran; they add up to ``seen``.
    public var frames: [FrameOutcome: Int]
    /// Number of pauses of the unused camera.
    public var pauses = 0
    /// Different books that are in the library.
    public var books = 0
    /// Number of scans without a book: their text is in the library as a draft.
    public var drafts = 0
    /// Scans that wait for the back end.
    public var queued = 0
    /// Seconds from the camera's start to the first book; nil without a book.
    public var secondsToFirstBook: Double?
    /// Spines that were read on frames of shelves; nil where none was.
    public var spinesRead: Int?
    /// Number of those spines that had been read before.
    public var spinesKnown: Int?

    /// Figures of frames that were counted, and of those that were dropped before that.
    public init(seconds: Double, counts: [FrameOutcome: Int], dropped: Int) {
        self.seconds = seconds
        frames = counts
        frames[.dropped] = dropped
    }

    /// Frames that were due.
    public var seen: Int { frames.values.reduce(0, +) }
    /// Frames that were given to the reader.
    public var read: Int { frames.reduce(0) { $0 + ($1.key.isRead ? $1.value : 0) } }
    /// Nil for no time at all.
    public var booksPerMinute: Double? { seconds > 0 ? Double(books) * 60 / seconds : nil }
    /// Reasons for unread frames with their counts; reasons without a frame are omitted.
    public var skipped: [(outcome: FrameOutcome, count: Int)] {
        FrameOutcome.allCases.compactMap { outcome in
            guard !outcome.isRead, let count = frames[outcome], count > 0 else { return nil }
            return (outcome, count)
        }
    }
}
