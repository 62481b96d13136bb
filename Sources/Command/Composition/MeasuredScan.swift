import Foundation
import Harness
import ScanningPipeline
import Talaria

/// What the parts below a scan have to know of it, while the harness measures it.
final class MeasuredScan: Sendable {
    /// The one that a task works on: set around each scan, inherited by its child tasks.
    ///
    /// An object, and one value instead of several: the optimised program crashed in the runtime (Swift 6.3.1) where a
    /// closure was a task's local value.
    @TaskLocal static var current: MeasuredScan?

    /// Whether there is no network during the scan.
    let isOffline: Bool
    /// Tells the harness that the scan has got somewhere.
    let reached: @Sendable (Harness.Milestone) -> Void

    init(isOffline: Bool, reached: @escaping @Sendable (Harness.Milestone) -> Void = { _ in }) {
        self.isOffline = isOffline
        self.reached = reached
    }
}

/// A back end that tells the harness when a picture is ready to be sent.
struct MeasuredBackEnd: BackEnd {
    var client: TalariaClient

    var rateLimit: RateLimitState? { client.rateLimit }

    func enrich(_ request: EnrichRequest) async throws -> BookMetadata { try await client.enrich(request) }

    func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer {
        MeasuredScan.current?.reached(.prepared)
        return try await client.books(on: photo, id: id)
    }
}
