public import Foundation
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
    /// - Parameters:
    ///   - photo: ready to be sent.
    ///   - id: of the scan: one that is sent again with the same one is done once.
    /// - Throws: `TalariaError`, or `CancellationError`.
    func books(on photo: Photo, id: UUID) async throws -> [BookMetadata]
}
