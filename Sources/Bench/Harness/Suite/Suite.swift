package import Basics
package import Evaluation

/// What is run together: variants, each in every scenario, and what they have to reach.
package struct Suite: Sendable, Equatable {
    package var name: String
    /// One sentence.
    package var description: String
    /// Folders; empty when the command line says.
    package var datasets: [String]
    /// With every setting, in the order in which they run.
    package var variants: [Variant]
    /// Names of the variants that are left out where they cannot run.
    package var optional: Set<String>
    package var scenarios: [Scenario]
    package var targets: [Target]
    /// How often every variant reads every sample.
    package var repetitions: Int
    /// Readings before the first counted one.
    package var warmUpReadings: Int
    /// What orders and arrivals are drawn from: one run for each.
    package var seeds: [UInt64]
    /// A reading that takes longer is given up.
    package var sampleTimeoutSeconds: Double
    /// The same for loading a variant.
    package var startTimeoutSeconds: Double
    /// How many samples of a dataset are read, the categories taking turns; nil for all.
    package var limit: Int?
    package var percentileMethod: PercentileMethod
    package var decideBy: DecisionRule
    /// Claims about the run's figures; nil for none.
    package var assertions: [Assertion]?
}
