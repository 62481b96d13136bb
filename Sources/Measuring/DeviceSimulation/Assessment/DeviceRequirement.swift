package import Basics
package import Evaluation

/// A requirement on a device, and what becomes of it.
package struct DeviceRequirement: Sendable, Equatable, Codable {
    /// Subject of the judgement.
    package enum Subject: Sendable, Equatable, Codable {
        /// A percentile of readings on the device, in ms.
        case latency(Metric)
        /// Memory that the system took here, in MB.
        case memory
        /// Of the battery, in a minute of the ten-minute session.
        case percentPerMinute(BatteryModel)
        /// Of the battery, in the session of half an hour.
        case percentPerHalfHour(BatteryModel)
    }

    /// Model of the use of a battery (K-4).
    package enum BatteryModel: String, Sendable, Codable, CaseIterable {
        /// Power × time of each component.
        case energy
        /// The formula of the project documents, which contradicts its own targets; it never gates.
        case seed
    }

    /// Where it comes from: "S0-B01".
    package var source: String
    package var subject: Subject
    package var comparator: Target.Comparator
    /// In the subject's unit.
    package var limit: Double
    /// At nominal figures, and the best and the worst of what nominal figures and both ends give.
    package var figures: Plausible<Figure>
    package var outcome: PlausibleOutcome
    /// Whether the device's verdict rests on it.
    package var gates: Bool

    /// Whether it is met by a figure.
    package func isMet(by value: Double) -> Bool {
        Target(source: source, metric: .latencyP95, comparator: comparator, limit: limit).isMet(by: value)
    }

    /// Whether it passes for every plausible value, fails for every one, or neither.
    package var verdict: Verdict {
        switch outcome {
        case .passesAlways: .pass
        case .failsAlways: .fail
        case .depends, .undecided: .inconclusive
        }
    }
}
