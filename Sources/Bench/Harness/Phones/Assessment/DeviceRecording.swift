package import Evaluation

/// Readings on a device itself, whose times take the place of the modelled ones.
package struct DeviceRecording: Sendable, Equatable, Codable {
    /// Name of the device's profile.
    package var device: String
    /// What read and on what: "my-app 2.1 on iPhone17,1, iOS 26.1".
    package var origin: String
    package var evidence: EvidenceClass
    /// Times of readings when the device was cool, in ms, rising; at least one.
    package var milliseconds: [Double]
    /// Readings that failed there.
    package var unanswered = 0
    /// Number of different spines.
    package var samples: Int

    package var readings: Int { milliseconds.count + unanswered }

    package init(device: String, origin: String, evidence: EvidenceClass, milliseconds: [Double], samples: Int) {
        (self.device, self.origin, self.evidence) = (device, origin, evidence)
        (self.milliseconds, self.samples) = (milliseconds.sorted(), samples)
    }
}

extension DeviceProfile {
    /// Returns whether it is of a device as a file of readings states it: "iPhone17,1 (A18 Pro), iOS 26.1".
    package func isDevice(_ stated: String) -> Bool { HardwareIdentifier.isDevice(stated, name) }
}
