package import Foundation

package enum ItemState: String, Codable, Sendable, CaseIterable {
    case queued
    case processing
    case ready
    /// Could not be processed; earlier results are kept.
    case failed
    /// Needs review by a person: the results contradict each other, or no description could be made.
    case review
    case archived

    /// Returns whether an item may go from here to there.
    func mayBecome(_ next: ItemState) -> Bool {
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

package enum ItemKind: String, Codable, Sendable, CaseIterable {
    case image, web, place, text, document, video, activity, qrCode, weather, product, media, book, shelf
}

/// Metadata of a file (S4-53).
package struct MediaMetadata: Codable, Sendable, Equatable {
    var mediaType: String?
    package var filename: String?
    /// Size of the file in bytes.
    var fileSize: Int?
    /// Text in it, a line each.
    package var transcription: String?
    var themes: [String] = []
}

/// A point of the earth, and when it was measured.
package struct Coordinate: Codable, Sendable, Equatable {
    /// Degrees north, -90 to 90.
    package var latitude: Double
    /// Degrees east, -180 to 180.
    package var longitude: Double
    var measuredAt: Date?

    /// Creates a point; nil for one that is not on the earth.
    package init?(latitude: Double, longitude: Double, measuredAt: Date? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        (self.latitude, self.longitude, self.measuredAt) = (latitude, longitude, measuredAt)
    }
}

package enum PictureRole: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
    /// The file that came, without its metadata.
    case original
    /// A small one for lists.
    case thumbnail
    /// The subject alone, with transparency.
    case cutout
    /// A page or cover, made straight.
    case rectified
}

package struct ItemEvent: Codable, Sendable, Equatable {
    var at: Date
    /// The stage: "read", "sift", a provider's name, "narrative".
    package var stage: String
    var outcome: String
    /// Duration by the pipeline's clock.
    package var seconds: Double?
}

/// Item of a session: a capture, or something found in a capture.
package struct CapturedItem: Codable, Sendable, Equatable, Identifiable {
    /// Identifier chosen by the capturing client; capturing the same one twice changes nothing.
    package var id: UUID
    package var sessionID: UUID
    /// The item in which it was found; nil for a capture.
    package var parentID: UUID?
    package var kind: ItemKind
    package var state: ItemState
    /// Name in lists; "" before there is one.
    package var title = ""
    /// Whether a person chose the title, so that no program changes it.
    var isTitledByUser = false
    package var summary: String?
    package var statements: [String] = []
    var purposes: [String] = []
    package var tags: [String] = []
    /// Labels of the visible content with their confidence, 0 to 1.
    package var labels: [String: Double] = [:]
    package var media = MediaMetadata()
    /// Pictures by role: names of files.
    package var pictures: [PictureRole: String] = [:]
    package var url: String?
    package var coordinate: Coordinate?
    package var motion: MotionRecord?
    package var enrichment = EnrichmentData()
    /// Number of consecutive processing failures.
    var failureCount = 0
    package var lastError: String?
    /// Events of the item, the newest last, at most ``mostEvents``.
    package private(set) var log: [ItemEvent] = []
    /// Origin of the item: a path, "inbox", "studio".
    package var source: String?
    package var capturedAt: Date
    var updatedAt: Date

    /// Lines of its log that are kept.
    static let mostEvents = 200

    init(
        id: UUID = UUID(),
        sessionID: UUID,
        parentID: UUID? = nil,
        kind: ItemKind,
        state: ItemState = .queued,
        capturedAt: Date
    ) {
        (self.id, self.sessionID, self.parentID) = (id, sessionID, parentID)
        (self.kind, self.state, self.capturedAt, updatedAt) = (kind, state, capturedAt, capturedAt)
    }

    /// Adds a line to the log; the oldest go.
    package mutating func note(_ event: ItemEvent) {
        log.append(event)
        if log.count > Self.mostEvents { log.removeFirst(log.count - Self.mostEvents) }
    }

    /// All known text of the item, for search: title, summary, statements, transcription, labels, tags, provider
    /// texts.
    var searchText: String {
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
package struct CaptureSession: Codable, Sendable, Equatable, Identifiable {
    package enum TitleSource: String, Codable, Sendable {
        case automatic, tag, user
    }

    package var id: UUID
    /// Title; empty before there is one, when the time is shown instead.
    package var title = ""
    /// Origin of the title; programs replace only automatic titles.
    package var titleSource = TitleSource.automatic
    package var createdAt: Date
    var updatedAt: Date
    package var coordinate: Coordinate?
    package var placeName: String?
    package var summary: String?
    package var statements: [String] = []
    package var purpose: String?
    package var tags: [String] = []
    /// Origin of the summary: "rules", a model's name, or the reason for a fallback.
    package var narrator: String?

    init(id: UUID = UUID(), createdAt: Date) { (self.id, self.createdAt, updatedAt) = (id, createdAt, createdAt) }
}

/// Concept of the user's own: a word or phrase with a weight.
package struct UserConcept: Codable, Sendable, Equatable {
    /// Name, unique ignoring case.
    package var name: String
    /// Meaning in a sentence; "" for none.
    var definition: String
    /// Weight, 1.0 for one like any other; above 1.2 it is boosted.
    package var weight: Double

    package init(name: String, definition: String = "", weight: Double = 1) {
        (self.name, self.definition, self.weight) = (name, definition, weight)
    }
}
