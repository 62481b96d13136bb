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
    /// The selected answer; the device's own, with the further data of the back end's if that is the same book.
    public var answer: BookMatch?
    /// Whether the owner should review the answer: it is unsure, or the two differ.
    public var needsReview: Bool
    /// Whether the two answers are the same book; nil if one is missing.
    public var isSame: Bool?

    /// Selects by the rule of the app: the back end's answer counts if its title appears in the text and it is sure.
    ///
    /// - Parameters:
    ///   - lines: as read on the device; empty without text.
    ///   - local: the answer of the catalogue on the device.
    ///   - remote: the back end's answer.
    public init(lines: [String], local: BookMatch?, remote: BookMetadata?) {
        let policy = NamingPolicy.standard
        answer = local
        guard let remote, remote.isFound else {
            source = local == nil ? .neither : .local
            needsReview = local.map { $0.confidence < policy.sure } ?? false
            return
        }
        let match = BookMatch(book: BookRecord(remote), confidence: remote.confidence ?? 0)
        let isSame = local.map { BookIdentity.isSame($0.book, match.book) }
        let read = lines + (local.map { [$0.book.title] } ?? [])
        // A picture that only the back end has read has nothing to be compared with.
        let similarity = read.isEmpty ? 1 : TitleSimilarity.of(remote.title, in: read)
        let isConfirmed = match.confidence > policy.remote && similarity > policy.remoteTitle
        source = isConfirmed || local == nil ? .remote : .local
        if source == .remote {
            answer = match
        } else if isSame == true {
            answer = local.map { BookMatch(book: $0.book.completed(by: match.book), confidence: $0.confidence) }
        }
        let isSure = isConfirmed || source == .local
        needsReview =
            !isSure || isSame == false || remote.enrichmentStatus == .reviewNeeded
            || (answer?.confidence ?? 0) < policy.sure
        self.isSame = isSame
    }
}

extension BookMetadata {
    /// Whether the back end names a book.
    var isFound: Bool { !title.isEmpty && enrichmentStatus != .notFound }
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
