package import Evaluation
package import Statistics

/// One measurement on one device: everything here is modelled, but for the memory, which was measured on the host.
package struct DeviceRow: Sendable, Equatable, Codable {
    /// Percentiles of whole readings on the device, warm and cool.
    package struct Latency: Sendable, Equatable, Codable {
        package var p50: PercentileEstimate
        package var p95: PercentileEstimate
        package var p99: PercentileEstimate
    }

    /// Sensitivity of the outcome to a figure, the others being nominal.
    package struct Sensitivity: Sendable, Equatable, Codable {
        /// Of one side.
        package struct Effect: Sendable, Equatable, Codable {
            /// The figure's number there.
            package var value: Double
            /// P95 of a whole reading, in ms; nil without one.
            package var p95: Double?
            /// By the energy model, over ten minutes.
            package var percentPerMinute: Double
            /// At the end of ten minutes, in °C.
            package var skin: Double
        }

        package var key: String
        package var name: String
        package var unit: String
        package var kind: Estimate.Kind
        package var low: Effect
        package var high: Effect
    }

    /// The measurement's id.
    package var measurement: String
    package var tier: String
    package var device: String
    package var chip: String
    /// Unit that its networks run on.
    package var unit: ComputeUnit
    package var link: SessionPlan.Link
    /// ``EvidenceClass/modelled``, or reported where a trace of the device replaced the model.
    package var evidence: EvidenceClass
    package var latency: Plausible<Latency>
    /// The most that its process held on the host, in MB; nil when that is not known.
    package var memory: Double?
    /// Memory that the device lets it hold.
    package var memoryBudget: Estimate
    package var tenMinutes: Plausible<SessionSummary>
    package var halfHour: Plausible<SessionSummary>
    /// Of the half hour with nominal figures: the points that plots are drawn from.
    package var timeline: [SessionOutcome.Point]
    package var minutes: [SessionOutcome.Minute]
    package var requirements: [DeviceRequirement]
    /// The figures that matter most first.
    package var sensitivity: [Sensitivity]

    /// Verdict of the requirements that gate; nil when none does.
    package var verdict: Verdict? { Verdict.overall(requirements.filter(\.gates).map(\.verdict)) }
}
