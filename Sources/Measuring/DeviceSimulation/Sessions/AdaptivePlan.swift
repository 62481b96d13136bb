package import ScanningPolicies

/// Plan by which the reader of a session gives way when it is too slow, or the device too warm (S3-27).
package struct AdaptivePlan: Sendable, Equatable, Codable {
    /// Cost of a reading at a lower quality, beside the best one.
    package struct Level: Sendable, Equatable, Codable {
        /// Of the time on the CPU and the unit.
        package var cost: Double
        /// Of what the app holds.
        package var memory: Double

        /// - Parameters:
        ///   - cost: of the time on the CPU and the unit.
        ///   - memory: of what the app holds.
        package init(cost: Double, memory: Double) {
            self.cost = cost
            self.memory = memory
        }
    }

    /// Figures that alerts go by.
    package var target: ModelTarget
    /// Assumed, where nobody has measured it.
    package var medium = Level(cost: 0.5, memory: 0.7)
    /// Likewise.
    package var low = Level(cost: 0.35, memory: 0.7)
    /// Of one thread, at full speed, when a reader is loaded.
    package var loadSeconds = 0.3

    /// Beside the best.
    package func level(_ quality: ReadingQuality?) -> Level {
        switch quality {
        case .high: Level(cost: 1, memory: 1)
        case .medium: medium
        case .low: low
        case nil: Level(cost: 0, memory: 0)
        }
    }
}
