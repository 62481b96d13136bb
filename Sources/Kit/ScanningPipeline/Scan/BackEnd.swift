public import Foundation
public import Talaria

/// A back end, as a session uses it.
public protocol BackEnd: Sendable {
    /// Reason and duration of a ban on uploads; nil without one.
    var rateLimit: RateLimitState? { get }
    /// Returns the book of a spine's text.
    ///
    /// - Throws: `TalariaError`, or `CancellationError`.
    /// - Returns: the book; its status is `notFound` for an unknown text.
    func enrich(_ request: EnrichRequest) async throws -> BookMetadata
    /// Names the books on a picture that is ready to be sent; one that is sent again with the same id is done once.
    ///
    /// - Throws: `TalariaError`, or `CancellationError`.
    func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer
}

/// The books on a picture.
public struct PhotoAnswer: Sendable {
    /// Known books on the picture, the likeliest first.
    public var books: [BookMetadata]
    /// Lines read off the picture; nil if the back end does not report them.
    public var lines: [RemoteLine]?
    /// Counts of the answer's event stream; nil if it did not arrive as one.
    public var stream: StreamCounts?
    /// Deletes the job of the picture on the back end; to be called when the books are in the library.
    ///
    /// Before that, an answer lost in transit would cost the whole job again (K-29). nil if there is nothing to
    /// remove.
    public var cleanUp: (@Sendable () async throws -> Void)?
}

/// The faults of a stream whose answer arrived in the end.
public struct StreamCounts: Sendable, Equatable {
    /// Number of reconnects.
    public var reconnects = 0
    /// Events that could not be read, and were passed over (S2-39).
    public var malformedEvents = 0
}

extension TalariaClient: BackEnd {
    /// Sends the picture and follows the job.
    public func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer {
        let outcome = try await scan([photo], id: id, cleansUp: false)
        let lines = outcome.books.compactMap(\.lines)
        return PhotoAnswer(
            books: outcome.books,
            lines: lines.isEmpty ? nil : lines.flatMap(\.self),
            stream: StreamCounts(reconnects: outcome.reconnects, malformedEvents: outcome.malformedEvents)
        ) {
            try await self.cleanup(outcome.jobID, token: outcome.token)
        }
    }
}
