public import Foundation
public import Talaria

extension TalariaClient: BackEnd {
    /// Sends the picture and follows the job.
    public func books(on photo: Photo, id: UUID) async throws -> PhotoAnswer {
        let outcome = try await scan([photo], id: id, cleansUp: false)
        return PhotoAnswer(books: outcome.books) {
            // Whether it succeeds is no matter of the scan's: the server forgets by itself, only later.
            try? await self.cleanup(outcome.jobID, token: outcome.token)
        }
    }
}
