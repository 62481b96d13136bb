public import Foundation

/// Processing state of a captured item.
public enum ItemState: String, Codable, Sendable, CaseIterable {
    /// Waits to be processed.
    case queued
    /// Is being processed.
    case processing
    /// Processed completely.
    case ready
    /// Could not be processed; earlier results are kept.
    case failed
    /// Needs review by a person: the results contradict each other, or no description could be made.
    case review
    /// Archived.
    case archived

    /// Returns whether an item may go from here to there.
    public func mayBecome(_ next: ItemState) -> Bool {
        switch (self, next) {
        case (.queued, .processing), (.processing, .queued), (.processing, .ready), (.processing, .failed),
            (.processing, .review), (.ready, .queued), (.failed, .queued), (.review, .queued), (.review, .ready),
            (.archived, .ready), (.archived, .failed), (.archived, .review), (.archived, .queued), (.ready, .archived),
            (.failed, .archived), (.review, .archived):
            true
        default: false
        }
    }
}

/// Kind of a captured item.
public enum ItemKind: String, Codable, Sendable, CaseIterable {
    case image, web, place, text, document, video, activity, qrCode, weather, product, media, book, shelf
}

/// Metadata of a file (S4-53).
public struct MediaMetadata: Codable, Sendable, Equatable {
    /// MIME type.
    public var mediaType: String?
    /// Name of the file that came.
    public var filename: String?
    /// Size of the file in bytes.
    public var fileSize: Int?
    /// Text in it, a line each.
    public var transcription: String?
    /// Themes of the visible content.
    public var themes: [String] = []

    /// Creates empty contents.
    public init() {}
}

/// A point of the earth, and when it was measured.
public struct Coordinate: Codable, Sendable, Equatable {
    /// Degrees north, -90 to 90.
    public var latitude: Double
    /// Degrees east, -180 to 180.
    public var longitude: Double
    /// Time of the measurement.
    public var measuredAt: Date?

    /// Creates a point; nil for one that is not on the earth.
    public init?(latitude: Double, longitude: Double, measuredAt: Date? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        (self.latitude, self.longitude, self.measuredAt) = (latitude, longitude, measuredAt)
    }
}

/// Role of a picture of an item.
public enum PictureRole: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
    /// The file that came, without its metadata.
    case original
    /// A small one for lists.
    case thumbnail
    /// The subject alone, with transparency.
    case cutout
    /// A page or cover, made straight.
    case rectified
}

/// Log entry of an item.
public struct ItemEvent: Codable, Sendable, Equatable {
    /// Time of the event.
    public var at: Date
    /// The stage: "read", "sift", a provider's name, "narrative".
    public var stage: String
    /// Outcome of the event.
    public var outcome: String
    /// Duration by the pipeline's clock.
    public var seconds: Double?

    /// Creates a line by its parts.
    public init(at: Date, stage: String, outcome: String, seconds: Double? = nil) {
        (self.at, self.stage, self.outcome, self.seconds) = (at, stage, outcome, seconds)
    }
}

/// Item of a session: a capture, or something found in a capture.
public struct CapturedItem: Codable, Sendable, Equatable, Identifiable {
    /// Identifier chosen by the capturing client; capturing the same one twice changes nothing.
    public var id: UUID
    /// The session that it is in.
    public var sessionID: UUID
    /// The item in which it was found; nil for a capture.
    public var parentID: UUID?
    /// Kind.
    public var kind: ItemKind
    /// Processing state.
    public var state: ItemState
    /// Name in lists; "" before there is one.
    public var title = ""
    /// Whether a person chose the title, so that no program changes it.
    public var isTitledByUser = false
    /// Summary; nil before there is one.
    public var summary: String?
    /// Statements about the visible content.
    public var statements: [String] = []
    /// Purposes of the capture.
    public var purposes: [String] = []
    /// Tags, each once.
    public var tags: [String] = []
    /// Labels of the visible content with their confidence, 0 to 1.
    public var labels: [String: Double] = [:]
    /// The file.
    public var media = MediaMetadata()
    /// Pictures by role: names of files.
    public var pictures: [PictureRole: String] = [:]
    /// An address of the web.
    public var url: String?
    /// Location of the capture.
    public var coordinate: Coordinate?
    /// Motion of the device; nil when it was not recorded.
    public var motion: MotionRecord?
    /// Results of the providers.
    public var enrichment = EnrichmentData()
    /// Number of consecutive processing failures.
    public var failureCount = 0
    /// Reason for the last failure.
    public var lastError: String?
    /// Events of the item, the newest last, at most ``mostEvents``.
    public private(set) var log: [ItemEvent] = []
    /// Origin of the item: a path, "inbox", "studio".
    public var source: String?
    /// Time of the capture.
    public var capturedAt: Date
    /// Time of the last change.
    public var updatedAt: Date

    /// Lines of its log that are kept.
    public static let mostEvents = 200

    /// Creates a new item that waits.
    public init(
        id: UUID = UUID(),
        sessionID: UUID,
        parentID: UUID? = nil,
        kind: ItemKind,
        state: ItemState = .queued,
        capturedAt: Date
    ) {
        self.id = id
        self.sessionID = sessionID
        self.parentID = parentID
        self.kind = kind
        self.state = state
        self.capturedAt = capturedAt
        updatedAt = capturedAt
    }

    /// Adds a line to the log; the oldest go.
    public mutating func note(_ event: ItemEvent) {
        log.append(event)
        if log.count > Self.mostEvents { log.removeFirst(log.count - Self.mostEvents) }
    }

    /// All known text of the item, for search: title, summary, statements, transcription, labels, tags, provider
    /// texts.
    public var searchText: String {
        var parts = [title, summary ?? ""] + statements + purposes + tags + labels.keys.sorted()
        parts += [media.transcription ?? "", enrichment.title ?? "", enrichment.descriptionText ?? ""]
        parts += enrichment.categories + [enrichment.location ?? "", enrichment.placeContext?.name ?? ""]
        if let book = enrichment.bookContext { parts += [book.title ?? ""] + book.authors }
        if let music = enrichment.musicContext { parts += [music.title ?? ""] + music.artists }
        var seen = Set<String>()
        return parts.filter { $0.known != nil && seen.insert($0).inserted }.joined(separator: ". ")
    }
}

/// Session: items that were captured together.
public struct CaptureSession: Codable, Sendable, Equatable, Identifiable {
    /// Origin of a session's title.
    public enum TitleSource: String, Codable, Sendable {
        case automatic, tag, user
    }

    /// Given when it begins.
    public var id: UUID
    /// Title; empty before there is one, when the time is shown instead.
    public var title = ""
    /// Origin of the title; programs replace only automatic titles.
    public var titleSource = TitleSource.automatic
    /// Time of the session's begin.
    public var createdAt: Date
    /// Time of the last change.
    public var updatedAt: Date
    /// Location of the session.
    public var coordinate: Coordinate?
    /// Name of the place.
    public var placeName: String?
    /// Summary.
    public var summary: String?
    /// Statements about the visible content.
    public var statements: [String] = []
    /// Purpose of the session.
    public var purpose: String?
    /// Tags.
    public var tags: [String] = []
    /// Origin of the summary: "rules", a model's name, or the reason for a fallback.
    public var narrator: String?

    /// Creates a session that begins.
    public init(id: UUID = UUID(), createdAt: Date) {
        (self.id, self.createdAt, updatedAt) = (id, createdAt, createdAt)
    }
}

/// Concept of the user's own: a word or phrase with a weight.
public struct UserConcept: Codable, Sendable, Equatable {
    /// Name, unique ignoring case.
    public var name: String
    /// Meaning in a sentence; "" for none.
    public var definition: String
    /// Weight, 1.0 for one like any other; above 1.2 it is boosted.
    public var weight: Double

    /// Creates a concept.
    public init(name: String, definition: String = "", weight: Double = 1) {
        (self.name, self.definition, self.weight) = (name, definition, weight)
    }
}
