import Foundation
import HTTPTypes
import Hummingbird

/// The identity that a device gave itself: a random UUID (version 4), in lower case.
struct DeviceID: Sendable, Hashable {
    let text: String

    /// - Parameter text: nil unless it is a UUID of version 4 in its usual form.
    init?(_ text: String) {
        guard let uuid = UUID(uuidString: text), uuid.uuid.6 >> 4 == 4, uuid.uuid.8 >> 6 == 0b10 else { return nil }
        self.text = uuid.uuidString.lowercased()
    }

    /// - Parameter request: of a route that needs a device.
    /// - Throws: `Problem` when there is none.
    init(of request: Request) throws {
        guard let device = request.headers[.deviceID].flatMap(DeviceID.init) else {
            throw Problem.invalidRequest("The header X-Device-ID must hold a UUID of version 4.")
        }
        self = device
    }
}
