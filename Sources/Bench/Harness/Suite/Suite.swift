package import Basics
package import Evaluation

/// Set of variants, each run in every scenario, and their targets.
package struct Suite: Sendable, Equatable {
    package var name: String
    /// Description in one sentence.
    package var description: String
    /// Folders of the datasets; empty when the command line has them.
    package var datasets: [String]
    /// Variants with every setting, in execution order.
    package var variants: [Variant]
    /// Names of the variants that are omitted where they cannot run.
    package var optional: Set<String>
    package var scenarios: [Scenario]
    package var targets: [Target]
    /// Number of times that every variant reads every sample.
    package var repetitions: Int
    /// Readings before the first counted one.
    package var warmUpReadings: Int
    /// Seeds of orders and arrivals: one run for each.
    package var seeds: [UInt64]
    /// A reading that takes longer is given up.
    package var sampleTimeoutSeconds: Double
    /// Timeout for loading a variant, in seconds.
    package var startTimeoutSeconds: Double
    /// Maximum number of read samples per dataset, taken from the categories in turn; nil for all.
    package var limit: Int?
    package var percentileMethod: PercentileMethod
    package var decideBy: DecisionRule
    /// Claims about the run's figures; nil for none.
    package var assertions: [Assertion]?
}
