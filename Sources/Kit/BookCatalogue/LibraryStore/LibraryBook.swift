public import Basics
public import Foundation

/// A book that its owner has scanned.
public struct LibraryBook: Sendable, Equatable, Codable, Identifiable {
    /// The state of a book's metadata.
    public enum State: String, Sendable, Codable, CaseIterable {
        /// Read on the device, and nothing else yet (S0-T03).
        case ghost
        /// Waiting for its owner's review.
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

        /// - Parameter name: the back end's name; unknown names count as pending.
        public init(name: String) { self = Self(rawValue: name) ?? .pending }
    }

    /// The source of the record.
    public enum Tier: String, Sendable, Codable, CaseIterable {
        /// An engine on the device.
        case fast, accurate
        /// The back end, by text or by picture.
        case enrich, upload
        /// Entered by the owner.
        case manual
    }

    /// Row of the book in the library; 0 before it has one.
    public var id: Int64 = 0
    /// Title with the subtitle.
    public var title: String
    /// Most important first; empty when none is known.
    public var authors: [String] = []
    /// ISBN of the book; nil if unknown: spines rarely show one (K-13).
    public var isbn: ISBN?
    /// Address of a picture of the cover.
    public var coverURL: String?
    /// Name of the publisher.
    public var publisher: String?
    /// Year of publication.
    public var year: Int?
    /// Hardcover, paperback and the like.
    public var format: String?
    /// Time of the first scan.
    public var addedAt: Date
    /// Confidence of the spine's reading, 0…1.
    public var spineConfidence: Double?
    /// Source of the record.
    public var tier: Tier
    /// State of its enrichment.
    public var enrichment = Enrichment.pending
    /// State of the book's metadata.
    public var state = State.ghost
}

extension LibraryBook {
    /// Creates a record from a catalogue's or the back end's data.
    public init(_ record: BookRecord, addedAt: Date, tier: Tier) {
        self.init(
            title: record.title,
            authors: record.authors,
            isbn: record.isbn,
            coverURL: record.coverURL,
            publisher: record.publisher,
            year: record.year,
            addedAt: addedAt,
            tier: tier
        )
    }

    /// Identity, by which it is the same book as another.
    var identity: BookIdentity { BookIdentity(title: title, authors: authors, isbn: isbn) }

    /// The record as a catalogue would have it.
    public var record: BookRecord {
        BookRecord(title: title, authors: authors, isbn: isbn, publisher: publisher, year: year, coverURL: coverURL)
    }

    /// Returns both in one: the data of either is kept, and where both have some, the better record's counts.
    ///
    /// An enriched record is better than one to be reviewed, and that is better than a ghost; of two alike, the
    /// newer.
    func merged(with newer: LibraryBook) -> LibraryBook {
        let isNewerBetter = newer.state.rank >= state.rank
        let (better, other) = isNewerBetter ? (newer, self) : (self, newer)
        var merged = better
        merged.id = id
        if merged.title.isEmpty { merged.title = other.title }
        let record = better.record.completed(by: other.record)
        (merged.authors, merged.isbn, merged.coverURL) = (record.authors, record.isbn, record.coverURL)
        (merged.publisher, merged.year) = (record.publisher, record.year)
        merged.format = better.format ?? other.format
        merged.addedAt = min(addedAt, newer.addedAt)
        merged.spineConfidence = [spineConfidence, newer.spineConfidence].compactMap(\.self).max()
        // A later failure does not undo an enrichment.
        if other.enrichment == .success { merged.enrichment = .success }
        return merged
    }
}

extension LibraryBook.State {
    fileprivate var rank: Int { self == .ghost ? 0 : self == .review ? 1 : 2 }
}

/// Draft of a book: the text of a spine's reading before the book is identified (S0-T03).
public struct Draft: Sendable, Equatable, Codable, Identifiable {
    /// Identifier given by the scanning code; adding the same one twice changes nothing.
    public var id = UUID()
    /// Lines of the reading, in reading order.
    public var lines: [String]
    /// Confidence of the reading, 0…1.
    public var confidence: Double?
    /// Time of the reading.
    public var createdAt: Date
    /// The photo or the frame that it was read from.
    public var source: String?
    /// The engine that read it.
    public var tier = LibraryBook.Tier.fast
    /// Identifier of the picture, such as a digest of its file; nil for a frame.
    ///
    /// A picture has one open draft.
    public var picture: String?
}

extension Draft {
    /// Creates a draft of a new reading.
    public init(id: UUID, lines: [String], createdAt: Date) {
        self.init(id: id, lines: lines, confidence: nil, createdAt: createdAt)
    }
}
