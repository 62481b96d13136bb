package import Evaluation

/// Assessment of every tier of a run on every device that was asked for.
package struct DeviceAssessment: Sendable, Equatable, Codable {
    /// A device of the matrix, and what it is there for.
    package struct Coverage: Sendable, Equatable, Codable {
        package var device: String
        package var chip: String
        package var tier: DeviceProfile.Tier
        package var systems: ClosedRange<Int>
        package var intelligence: DeviceProfile.Intelligence
        /// Focus of the project documents' tests of it (S3-19); nil for another device.
        package var focus: String?
        package var notes: [String]
    }

    package var coverage: [Coverage]
    /// Measurement by measurement, and device by device.
    package var rows: [DeviceRow]
    /// Subjects that nothing could be modelled from, and why.
    package var omitted: [String]

    /// The devices that the project documents test, in their order, and what for (S3-19).
    package static let seedMatrix = [
        (device: "iPhone 15 Pro", focus: "all models at highest quality"),
        (device: "iPhone 13", focus: "battery over 30 minutes"),
        (device: "iPhone 12", focus: "quality degradation"),
        (device: "iPhone 11", focus: "fallback behaviour"),
        (device: "iPhone SE 2", focus: "minimum requirements"),
    ]

    /// Verdict of the rows that gate; nil when none does.
    package var verdict: Verdict? { Verdict.overall(rows.compactMap(\.verdict)) }
}

extension DeviceAssessment.Coverage {
    /// - Parameter profile: of the device.
    init(_ profile: DeviceProfile) {
        device = profile.name
        chip = profile.chip
        tier = profile.tier
        systems = profile.systems
        intelligence = profile.appleIntelligence
        focus = DeviceAssessment.seedMatrix.first { $0.device == profile.name }?.focus
        notes = profile.notes
    }
}
