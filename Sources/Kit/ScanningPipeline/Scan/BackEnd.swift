public import Foundation
public import Talaria

/// What a session asks of the other side.
public protocol BackEnd: Sendable {
    /// Why no picture may be sent now, and for how long; nil when one may.
    var rateLimit: RateLimitState? { get }
    /// Names the book whose spine says a text.
    ///
    /// - Throws: `TalariaError`, or `CancellationError`.
    /// - Returns: the book; its status is `notFound` when it knows none.
    func enrich(_ request: EnrichRequest) async throws -> BookMetadata
    /// Names the books on a picture that is ready to be sent; one that is sent again with the same id is done once.
    ///
    /// - Throws: `TalariaError`, or `CancellationError`.
    func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer
}

/// The books on a picture.
public struct PhotoAnswer: Sendable {
    /// The likeliest first; none when there is no book on it that the other side knows.
    public var books: [BookMetadata]
    /// What it read off the picture; nil when it does not say.
    public var lines: [ReadLine]?
    /// How the answer came; nil when it did not come as a stream of events.
    public var stream: StreamCounts?
    /// Has the other side remove what it keeps of the picture's job; to be called when the books are in the library.
    ///
    /// Before, an answer that is lost on its way would cost the whole job again (K-29). nil for nothing to remove.
    public var cleanUp: (@Sendable () async throws -> Void)?
}

/// What went wrong with the stream of an answer that came in the end.
public struct StreamCounts: Sendable, Equatable {
    /// How often it had to be opened anew.
    public var reconnects = 0
    /// Events that could not be read, and were passed over (S2-39).
    public var malformedEvents = 0
}
