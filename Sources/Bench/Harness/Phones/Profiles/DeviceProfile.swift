import Basics

/// A kind of phone or tablet, as far as its speed, heat, battery and memory go.
package struct DeviceProfile: Sendable, Equatable, Codable {
    /// Tier of a device, by its requirements (S3-16, S3-17, S3-18).
    package enum Tier: String, Sendable, Codable, CaseIterable {
        case high, medium, low
    }

    package enum Intelligence: String, Sendable, Codable, CaseIterable {
        case none, base, advanced
    }

    /// Marketing name: "iPhone 12".
    package var name: String
    /// "A14".
    package var chip: String
    package var tier: Tier
    /// Installed, in GB.
    package var memory: Estimate
    package var hasNeuralEngine: Bool
    package var appleIntelligence: Intelligence
    /// The oldest and the newest major version of its system.
    package var systems: ClosedRange<Int>
    /// Published figures that nothing is computed from, such as the Neural Engine's TOPS.
    package var claims: [String: Estimate]
    /// Notes for a reader, such as where a seed document is wrong about it (K-18).
    package var notes: [String]
    package var figures: [DeviceFigure: Estimate]
}

extension DeviceProfile {
    /// Returns the nominal figures.
    package func values() -> DeviceValues { DeviceValues(figures.mapValues(\.value)) }
}

/// Numbers of a device's figures, and of others that its model needs.
package struct DeviceValues: Sendable, Equatable {
    private var numbers: [DeviceFigure: Double]

    /// `numbers`: One for each figure of a profile at least; a missing one is an error of the program.
    package init(_ numbers: [DeviceFigure: Double]) {
        precondition(DeviceFigure.ofProfiles.allSatisfy { numbers[$0] != nil }, "a device has all figures")
        self.numbers = numbers
    }

    package subscript(figure: DeviceFigure) -> Double {
        get { numbers[figure, default: .nan] }
        set { numbers[figure] = newValue }
    }
}
