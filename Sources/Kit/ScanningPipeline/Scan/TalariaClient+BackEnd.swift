public import Foundation
public import Talaria

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
