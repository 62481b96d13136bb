public import Basics
import BookCatalogue
public import Foundation

/// A book that its owner has scanned.
public struct LibraryBook: Sendable, Equatable, Codable, Identifiable {
    /// State of what is known of it.
    public enum State: String, Sendable, Codable, CaseIterable {
        /// Read on the device, and nothing else yet (S0-T03).
        case ghost
        /// To be looked at by its owner.
        case review
        /// Confirmed by a catalogue or by the back end.
        case enriched
    }

    /// State of its enrichment; the names are those of the back end.
    public enum Enrichment: String, Sendable, Codable, CaseIterable {
        case pending
        case success
        case notFound = "not_found"
        case error
        case circuitOpen = "circuit_open"
        case reviewNeeded = "review_needed"

        /// - Parameter name: as the back end has it; what is not known counts as pending.
        public init(name: String) { self = Self(rawValue: name) ?? .pending }
    }

    /// Where the record comes from.
    public enum Tier: String, Sendable, Codable, CaseIterable {
        /// The fast engine on the device.
        case fast
        /// The accurate engine on the device.
        case accurate
        /// Text sent to the back end.
        case enrich
        /// The picture sent to the back end.
        case upload
        /// Its owner.
        case manual
    }

    /// Its row in the library; 0 as long as it has none.
    public var id: Int64
    /// With its subtitle.
    public var title: String
    /// Most important first; empty when none is known.
    public var authors: [String]
    /// nil as long as none is known: spines rarely show one (K-13).
    public var isbn: ISBN?
    /// Where a picture of the cover is.
    public var coverURL: String?
    /// Its name.
    public var publisher: String?
    /// Of publication.
    public var year: Int?
    /// Hardcover, paperback and the like.
    public var format: String?
    /// When it was first scanned.
    public var addedAt: Date
    /// Confidence of the spine's reading, 0…1.
    public var spineConfidence: Double?
    /// Where the record comes from.
    public var tier: Tier
    /// State of its enrichment.
    public var enrichment: Enrichment
    /// State of what is known of it.
    public var state: State

    /// - Parameters:
    ///   - id: its row, 0 for none yet.
    ///   - title: with its subtitle.
    ///   - authors: most important first.
    ///   - isbn: if it is known.
    ///   - coverURL: where a picture of the cover is.
    ///   - publisher: its name.
    ///   - year: of publication.
    ///   - format: hardcover, paperback, …
    ///   - addedAt: when it was first scanned.
    ///   - spineConfidence: of the spine's reading, 0…1.
    ///   - tier: where the record comes from.
    ///   - enrichment: what became of it.
    ///   - state: how much of it is known.
    public init(
        id: Int64 = 0,
        title: String,
        authors: [String] = [],
        isbn: ISBN? = nil,
        coverURL: String? = nil,
        publisher: String? = nil,
        year: Int? = nil,
        format: String? = nil,
        addedAt: Date,
        spineConfidence: Double? = nil,
        tier: Tier,
        enrichment: Enrichment = .pending,
        state: State = .ghost
    ) {
        self.id = id
        self.title = title
        self.authors = authors
        self.isbn = isbn
        self.coverURL = coverURL
        self.publisher = publisher
        self.year = year
        self.format = format
        self.addedAt = addedAt
        self.spineConfidence = spineConfidence
        self.tier = tier
        self.enrichment = enrichment
        self.state = state
    }
}
