import Foundation
import HTTPServer
import HTTPTypes
import Talaria

extension TalariaServer {
    /// Returns the job that a request names.
    ///
    /// The device is proof enough unless a token is required; one that is sent all the same may have expired.
    func job(_ request: Request, needsToken: Bool = false) async throws -> Job {
        let device = try DeviceID(of: request).text
        guard let id = request.parameters["id"], UUID(uuidString: id) != nil,
            let job = try await store.job(id.lowercased()), job.device == device, job.state != .cleaned
        else { throw Problem.noSuchJob }
        guard needsToken else { return job }
        guard let header = request.headers[.authorization] else {
            throw Problem.unauthorized("The header Authorization is missing.")
        }
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer",
            let token = try await store.token(JobToken.hash(of: String(parts[1]))), token.job == job.id
        else { throw Problem.unauthorized("The token does not belong to this job.") }
        guard token.expires > now() else { throw Problem.unauthorized("The token has expired.") }
        return job
    }
}

/// The identity that a device gave itself: a random UUID (version 4), in lower case.
struct DeviceID: Sendable {
    let text: String

    /// - Parameter text: nil unless it is a UUID of version 4 in its usual form.
    init?(_ text: String) {
        guard let uuid = UUID(uuidString: text), uuid.uuid.6 >> 4 == 4, uuid.uuid.8 >> 6 == 0b10 else { return nil }
        self.text = uuid.uuidString.lowercased()
    }

    init(of request: Request) throws {
        guard let device = request.headers[.deviceID].flatMap(DeviceID.init) else {
            throw Problem(.invalidRequest, "The header X-Device-ID must be a UUID of version 4.")
        }
        self = device
    }
}
