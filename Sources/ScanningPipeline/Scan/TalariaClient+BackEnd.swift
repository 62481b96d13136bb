public import Foundation
public import Talaria

extension TalariaClient: BackEnd {
    /// Sends the picture, follows the job, and has the server remove what it keeps.
    public func books(on photo: Photo, id: UUID) async throws -> [BookMetadata] {
        try await scan([photo], id: id).books
    }
}
