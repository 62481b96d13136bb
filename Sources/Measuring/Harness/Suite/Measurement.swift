/// One variant in one scenario over one dataset: the unit of a run.
package struct Measurement: Sendable, Equatable {
    package var variant: Variant
    package var scenario: Scenario
    package var dataset: DatasetReference
    /// What its records are filed under: the variant's name, with the scenario unless it is the run's only one, and
    /// with the dataset unless that is: "fast", "fast/server 5/s", "fast/single@spines-1".
    package var id: String
}
