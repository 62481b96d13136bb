import BenchmarkHarness
import Foundation
import ScanningPipeline
import Talaria

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
