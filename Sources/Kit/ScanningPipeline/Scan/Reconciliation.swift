import Basics
public import BookCatalogue
public import Talaria

/// Selects one of two answers: the device's own, or the back end's (§2.3).
public struct Reconciliation: Sendable, Equatable {
    /// The source of the selected answer.
    public enum Source: String, Sendable, Codable {
        case local, remote, neither
    }

    /// Source of the selected answer.
    public var source: Source
    /// Confidence of the selected answer, 0…1; 0 without one.
    public var confidence: Double
    /// Whether the owner should review the answer: it is unsure, or the two differ.
    public var needsReview: Bool
    /// Similarity of the back end's title to the text as read; nil without one.
    public var similarity: Double?

    /// Selects by the rule of the app: the back end's answer counts if its title appears in the text and it is sure.
    ///
    /// - Parameters:
    ///   - lines: as read on the device; empty without text.
    ///   - local: the answer of the catalogue on the device.
    ///   - remote: the back end's answer.
    public init(lines: [String], local: BookMatch?, remote: BookMetadata?) {
        let policy = NamingPolicy.standard
        let found = remote.flatMap { $0.title.isEmpty || $0.enrichmentStatus == .notFound ? nil : $0 }
        guard let found else {
            source = local == nil ? .neither : .local
            confidence = local?.confidence ?? 0
            needsReview = local.map { $0.confidence < policy.sure } ?? false
            similarity = nil
            return
        }
        let sureness = found.confidence ?? 0
        let read = lines + (local.map { [$0.book.title] } ?? [])
        // A picture that only the back end has read has nothing to be compared with.
        let alike = read.isEmpty ? nil : TitleSimilarity.of(found.title, in: read)
        similarity = alike
        let isConfirmed = sureness > policy.remote && (alike ?? 1) > policy.remoteTitle
        source = isConfirmed || local == nil ? .remote : .local
        confidence = source == .remote ? sureness : local?.confidence ?? 0
        let disagree = local.map { !BookIdentity.isSame($0.book, BookRecord(found)) } ?? false
        needsReview =
            confidence < policy.sure || disagree || found.enrichmentStatus == .reviewNeeded
            || (source == .remote && !isConfirmed)
    }
}

extension BookRecord {
    /// Creates a match from the back end's answer.
    public init(_ book: BookMetadata) {
        self.init(
            title: book.title,
            authors: book.authors,
            isbn: book.isbn.flatMap { ISBN($0) },
            publisher: book.publisher,
            year: book.publicationYear,
            coverURL: book.coverURL
        )
    }
}
