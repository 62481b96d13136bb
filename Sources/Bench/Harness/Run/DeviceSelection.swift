import Basics
package import DeviceSimulation
import Foundation
import SpineDatasets

/// The devices that a run models its tiers on.
package struct DeviceSelection: Sendable, Equatable, Codable, CustomStringConvertible {
    /// A device's profile as it was when the run began.
    package struct Reference: Sendable, Equatable, Codable {
        package var name: String
        /// SHA-256 of its figures: `sha256:` and 64 digits.
        package var digest: String

        /// - Throws: when a figure is not finite, which JSON cannot represent.
        package init(_ profile: DeviceProfile) throws {
            name = profile.name
            digest = "sha256:" + SHA256.hex(of: Array(try JSONLine.encode(profile)))
        }
    }

    /// Profiles in display order.
    package var profiles: [Reference]
    /// Whether missed targets on a device fail the run.
    package var gates: Bool

    /// - Throws: when a figure is not finite, which JSON cannot represent.
    package init(_ profiles: [DeviceProfile], gates: Bool = false) throws {
        self.profiles = try profiles.map(Reference.init)
        self.gates = gates
    }

    package var description: String {
        profiles.map { "\($0.name) \($0.digest)" }.joined(separator: ", ") + (gates ? ", gating" : "")
    }
}
