public import Talaria

/// What a session asks of the other side.
public protocol BackEnd: Sendable {
    /// Why no picture may be sent now, and for how long; nil when one may.
    var rateLimit: RateLimitState? { get }
    /// Names the book whose spine says a text.
    ///
    /// - Throws: `TalariaError`, or `CancellationError`.
    func enrich(_ request: EnrichRequest) async throws -> BookMetadata
    /// Names the books on a picture.
    ///
    /// - Throws: `TalariaError`, or `CancellationError`.
    func books(on photo: Photo) async throws -> [BookMetadata]
}
