import Basics
import CaptureReading
package import Foundation

package enum ItemState: String, Codable, Sendable, CaseIterable {
    case queued
    case processing
    case ready
    /// Processed; a source failed, and its facts are missing.
    case incomplete
    /// Could not be processed; earlier results are kept.
    case failed
    /// Needs review by a person: the results contradict each other, or no description could be made.
    case review
    case archived

    private static let nextStates: [ItemState: [ItemState]] = [
        .queued: [.processing], .processing: [.queued, .ready, .incomplete, .failed, .review],
        .ready: [.queued, .archived], .incomplete: [.queued, .processing, .archived], .failed: [.queued, .archived],
        .review: [.queued, .ready, .archived], .archived: [.queued, .ready, .incomplete, .failed, .review],
    ]

    /// Returns whether an item may go from here to there.
    func mayBecome(_ next: ItemState) -> Bool { Self.nextStates[self]?.contains(next) == true }
}

package enum ItemKind: String, Codable, Sendable, CaseIterable {
    case image, web, place, text, document, video, activity, qrCode, weather, product, media, book, shelf
}

/// Metadata of a file (S4-53).
package struct MediaMetadata: Codable, Sendable, Equatable {
    var mediaType: String?
    var filename: String?
    /// Size of the file in bytes.
    var fileSize: Int?
    /// Text in it, a line each.
    package var transcription: String?
    /// Lines of the text with their places; at most ``mostLines``.
    var lines: [PlacedText]?
    var themes: [String] = []

    static let mostLines = 500
}

/// Text and its place on a picture.
struct PlacedText: Codable, Sendable, Equatable {
    var text: String
    var corners: Corners
}

/// Corners of a part of a picture, from the top left as its text is read, clockwise: x, y of each, in fractions of the
/// picture's width and height, y down.
package struct Corners: Codable, Sendable, Equatable {
    var values: [Double]

    /// Rounds to a ten-thousandth of the side: less than a pixel is not seen.
    init(_ points: [(x: Double, y: Double)], width: Int, height: Int) {
        values = points.flatMap { [$0.x / Double(width), $0.y / Double(height)] }
            .map { (min(max($0, 0), 1) * 10_000).rounded() / 10_000 }
    }

    package init(from decoder: any Decoder) throws { values = try [Double](from: decoder) }

    package func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
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
    /// The picture that a page names for itself.
    case preview
    /// The icon of a page's site.
    case icon
}

struct ItemEvent: Codable, Sendable, Equatable {
    var at: Date
    /// The stage: "read", "sift", a provider's name, "narrative".
    var stage: String
    var outcome: String
    /// Duration by the pipeline's clock.
    var seconds: Double?
}

/// Item of a session: a capture, or something found in a capture.
package struct CapturedItem: Codable, Sendable, Equatable, Identifiable {
    /// Identifier chosen by the capturing client; capturing the same one twice changes nothing.
    package var id: UUID
    package var sessionID: UUID
    /// The item in which it was found; nil for a capture.
    package var parentID: UUID?
    /// The first original of a copy; nil for any other item.
    var copyOf: UUID?
    package var kind: ItemKind
    package var state: ItemState
    /// Name in lists; "" before there is one.
    package var title = ""
    package var summary: String?
    package var statements: [String] = []
    var purposes: [String] = []
    package var tags: [String] = []
    /// Tags that a person has removed, and which it never gets again; nil for none.
    var removedTags: [String]?
    /// Labels of the visible content with their confidence, 0 to 1.
    package var labels: [String: Double] = [:]
    /// Likeliest names of what a picture shows, the best first, sure or not; nil where none was sought.
    var things: [ThingAnswer]?
    package var media = MediaMetadata()
    /// Its outline on the picture of the item in which it was found; nil where that is not known.
    var outline: Corners?
    /// Pictures by role: names of files.
    package var pictures: [PictureRole: String] = [:]
    /// Web address, with ``TextSecrets/mark`` in place of its secrets once it is stored.
    package var url: String?
    /// Whether its code or address has secrets, which the store keeps apart; nil for none.
    private(set) var hasSecret: Bool?
    var coordinate: Coordinate?
    /// What each source said of it, the most trusted first.
    var answers: [SourceAnswer] = []
    /// Reason for which it could not be processed; nil where it was.
    package var lastError: String?
    /// Number of consecutive tries in which a source failed for a passing reason.
    private(set) var retryCount = 0
    /// Time at which the failed sources are asked again; nil for never.
    package private(set) var retryAt: Date?
    /// The only sources that are asked, while the picture is not processed again; nil for all sources.
    var asks: [SourceID]?
    /// Events of the item, the newest last, at most ``mostEvents``.
    private(set) var log: [ItemEvent] = []
    /// Origin of the item: a path, "inbox", "studio".
    var source: String?
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

    /// Its facts: the fold of ``answers``.
    package var enrichment: Facts { Facts(folding: answers) }

    /// Kind, tags, categories and labels in lower case, by whose counts it is rare or common.
    var features: Set<String> {
        Set(([kind.rawValue] + tags + enrichment.categories + labels.keys).map { $0.lowercased() })
    }

    /// Sources that failed when they were asked last.
    package var problems: [SourceProblem] { answers.compactMap(\.failure) }

    /// Keeps what a source says of it.
    mutating func answer(_ source: SourceID, _ facts: Facts) {
        answers.keep(SourceAnswer(source: source, facts: facts))
    }

    /// Whether a person chose the title, so that no program changes it.
    var isTitledByUser: Bool { answers[.user]?.title != nil }

    /// Name of it by a person; nil without one.
    var givenName: String? { answers[.user]?.thing?.name }

    /// Number of the one book that its text names; nil for none or several, and beside a code, which is an item itself.
    var printedISBN: String? {
        let all = labels[SceneLabel.code.rawValue] == nil ? ISBN.all(in: media.transcription ?? "", marked: true) : []
        return all.count == 1 ? all[0].digits : nil
    }

    /// Compares the answer of a search service with the other answers, and with the text of its picture and of the one
    /// on which it was found.
    mutating func weigh(in parent: CapturedItem?) {
        guard let place = answers.firstIndex(where: { $0.source == .search }) else { return }
        answers[place].agreement = Evidence(self, in: parent).agreement(of: answers[place].facts)
    }

    /// Decides when its failed sources are asked again, if another try may succeed: after the host's next pause, or
    /// later where a server asked for that.
    ///
    /// A try counts only where a source was asked. Sources that do not apply to it any more are not tried again.
    mutating func planRetry(after tries: [SourceAnswer], at date: Date) {
        defer { asks = nil }
        guard !tries.isEmpty else {
            if asks != nil { retryAt = nil }
            return
        }
        let passing = problems.filter(\.isPassing)
        retryAt =
            passing.isEmpty
            ? nil
            : HostPolicy.pause(after: retryCount).map { pause in
                date + max(pause, passing.compactMap(\.wait).max() ?? 0)
            }
        if passing.isEmpty { retryCount = 0 } else if tries.contains(where: \.isAsked) { retryCount += 1 }
    }

    /// Queues it: the failed sources alone, or all of its processing.
    mutating func queue(failedOnly: Bool = false) {
        (state, retryCount) = (.queued, 0)
        asks = failedOnly ? problems.map(\.source) : nil
    }

    /// State of an item that is not queued: by its failures and its summary.
    var stateAfterProcessing: ItemState {
        lastError != nil ? .failed : summary == nil || isDraft ? .review : problems.isEmpty ? .ready : .incomplete
    }

    /// Limited resource that its next processing needs: the reader of pictures, or the host of its address; nil for
    /// none.
    var lane: String? {
        if asks == nil, parentID == nil, pictures[.original] != nil { return Self.pictureLane }
        return url.flatMap { URL(string: $0)?.host()?.lowercased() }
    }

    static let pictureLane = "/picture"

    /// Adds a line to the log; the oldest go.
    mutating func note(_ event: ItemEvent) {
        log.append(event)
        if log.count > Self.mostEvents { log.removeFirst(log.count - Self.mostEvents) }
    }

    /// Known texts of the item, by which it is found: title, summary, statements, names, transcription, labels, tags.
    private var known: [String?] {
        let facts = enrichment
        let (book, music) = (facts.bookContext, facts.musicContext)
        var texts = [title, summary] + statements + purposes + tags + labels.keys.sorted()
        texts += [media.transcription, facts.title, facts.descriptionText]
        texts += facts.categories + [facts.location, facts.placeContext?.name]
        texts += [book?.title] + (book?.authors ?? []) + [music?.title] + (music?.artists ?? [])
        return texts
    }

    /// Text of which a search by meaning makes the item's vector.
    var searchText: String { Self.joined(known).bounded(to: 20_000) }

    /// Text in which a search finds words: also its page's, the content of its code, its address and its file's name.
    var wordText: String {
        let facts = enrichment
        let page = facts.webContext
        return Self.joined(
            known + [
                page?.siteName, page?.textContent, facts.qrContext?.payload, url, facts.bookContext?.isbn,
                media.filename,
            ]
        )
    }

    private static func joined(_ texts: [String?]) -> String {
        var seen = Set<String>()
        return texts.compactMap { $0?.known }.filter { seen.insert($0).inserted }.joined(separator: ". ")
    }

    /// Takes the secrets out of its code and its addresses.
    ///
    /// - Returns: the whole content of the code, and the whole address, where they had secrets.
    mutating func takeSecrets() -> ItemSecret? {
        var secret = ItemSecret()
        func take(_ text: inout String?) -> String? {
            guard let whole = text else { return nil }
            let redacted = TextSecrets(in: whole).redacted
            guard redacted != whole else { return nil }
            text = redacted
            return whole
        }
        secret.url = take(&url)
        // It may be the address as it was typed.
        _ = take(&source)
        for index in answers.indices {
            var facts = answers[index].facts
            var payload = facts.qrContext?.payload
            secret.payload = take(&payload) ?? secret.payload
            if let payload { facts.qrContext?.payload = payload }
            _ = take(&facts.image)
            if var page = facts.webContext {
                for address in [\WebContext.url, \.faviconURL] { _ = take(&page[keyPath: address]) }
                facts.webContext = page
            }
            answers[index].facts = facts
        }
        guard secret != ItemSecret() else { return nil }
        hasSecret = true
        return secret
    }
}

/// An item as it is shown and exported: with its facts, and the sources that failed.
package struct ItemWithFacts: Encodable {
    package var item: CapturedItem

    private enum CodingKeys: CodingKey { case enrichment, problems }

    package init(_ item: CapturedItem) { self.item = item }

    package func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var more = encoder.container(keyedBy: CodingKeys.self)
        try more.encode(item.enrichment, forKey: .enrichment)
        try more.encode(item.problems, forKey: .problems)
    }
}

/// Contents with secrets of an item's code and address, which no list, text or export has.
package struct ItemSecret: Codable, Sendable, Equatable {
    /// Whole content of the code.
    package var payload: String?
    /// Whole address.
    package var url: String?
    /// Password of the Wi-Fi network that the code describes.
    var password: String?

    /// The secrets in them.
    var texts: [String] { [payload, url].flatMap { $0.map { TextSecrets(in: $0).secrets } ?? [] } }
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
    var coordinate: Coordinate?
    package var placeName: String?
    package var summary: String?
    package var statements: [String] = []
    package var purpose: String?
    package var tags: [String] = []
    /// Origin of the summary: "rules", a model's name, or the reason for a fallback.
    package var narrator: String?

    init(id: UUID = UUID(), createdAt: Date) { (self.id, self.createdAt, updatedAt) = (id, createdAt, createdAt) }
}
