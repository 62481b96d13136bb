import Foundation
import HTTPServer
import HTTPTypes

extension TalariaServer {
    enum JobProof {
        /// The device alone; a token that is sent does not count, and may have expired.
        case device
        case token
    }

    /// Returns the job that a request names.
    ///
    /// Another device's job is answered like one that does not exist, so that nothing can be learned by guessing.
    func job(_ request: Request, proof: JobProof) async throws -> Job {
        let device = try DeviceID(of: request)
        guard let id = request.parameters["id"], UUID(uuidString: id) != nil,
            let job = try await store.job(id.lowercased(), device: device.text)
        else { throw Problem.noSuchJob }
        guard proof == .token else { return job }
        guard let header = request.headers[.authorization] else {
            throw Problem.unauthorized("The header Authorization is missing.")
        }
        guard let token = Self.bearerToken(header),
            let expires = try await store.tokenExpiry(hash: JobToken.hash(of: token), job: job.id)
        else { throw Problem.unauthorized("The token does not belong to this job.") }
        guard expires > now() else { throw Problem.unauthorized("The token has expired.") }
        return job
    }

    private static func bearerToken(_ header: String) -> String? {
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

/// The identity that a device gave itself: a random UUID (version 4), in lower case.
struct DeviceID: Sendable, Hashable {
    let text: String

    /// - Parameter text: nil unless it is a UUID of version 4 in its usual form.
    init?(_ text: String) {
        guard let uuid = UUID(uuidString: text), uuid.uuid.6 >> 4 == 4, uuid.uuid.8 >> 6 == 0b10 else { return nil }
        self.text = uuid.uuidString.lowercased()
    }

    init(of request: Request) throws {
        guard let device = request.headers[.deviceID].flatMap(DeviceID.init) else {
            throw Problem.invalidRequest("The header X-Device-ID must be a UUID of version 4.")
        }
        self = device
    }
}
