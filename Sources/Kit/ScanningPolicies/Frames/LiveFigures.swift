/// The result of a due frame.
public enum FrameFate: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// The frame was not read: the one before was still being processed, or it was skipped.
    case dropped, paused, noReader, shutterClosed, thermal, tooSoon, noSpine, moving
    /// The frame was read, and had too little text, an earlier spine or a new one.
    case noText, sameSpine, scanned

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
}

/// Figures of a camera's frames that were scanned live.
public struct LiveFigures: Sendable, Equatable, Codable {
    /// Seconds since the camera's start, pauses included, by its clock.
    public var seconds: Double
    /// Number of due frames by result while the camera ran; they add up to ``seen``.
    public var frames: [FrameFate: Int]
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

    /// Figures of frames that were counted.
    public init(seconds: Double, counts: FrameTriage.Counts, dropped: Int) {
        self.seconds = seconds
        frames = [
            .dropped: dropped, .paused: counts.paused, .noReader: counts.noReader,
            .shutterClosed: counts.shutterClosed, .thermal: counts.thermal, .tooSoon: counts.tooSoon,
            .noSpine: counts.noSpine, .moving: counts.moving, .noText: counts.noNews - counts.sameSpine,
            .sameSpine: counts.sameSpine, .scanned: counts.read - counts.noNews,
        ]
    }

    /// Frames that were due.
    public var seen: Int { frames.values.reduce(0, +) }
    /// Frames that were given to the reader.
    public var read: Int { frames.reduce(0) { $0 + ($1.key.isRead ? $1.value : 0) } }
    /// Nil for no time at all.
    public var booksPerMinute: Double? { seconds > 0 ? Double(books) * 60 / seconds : nil }
    /// Reasons for unread frames with their counts; reasons without a frame are omitted.
    public var skipped: [(fate: FrameFate, count: Int)] {
        FrameFate.allCases.compactMap { fate in
            guard !fate.isRead, let count = frames[fate], count > 0 else { return nil }
            return (fate, count)
        }
    }
}
