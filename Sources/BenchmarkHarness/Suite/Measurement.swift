/// One variant in one scenario over one dataset: the unit of a run.
package struct Measurement: Sendable, Equatable {
    package var variant: Variant
    package var scenario: Scenario
    package var dataset: DatasetReference
    /// What its records are filed under: the variant's name, with the scenario unless it is the run's only one, and
    /// with the dataset unless that is: "fast", "fast/server 5/s", "fast/single@spines-1".
    package var id: String
}

/// A dataset as a run's configuration names it.
package struct DatasetReference: Sendable, Equatable, Codable {
    package var path: String
    package var name: String
    package var version: String?
    package var digest: String

    package init(path: String, name: String, version: String? = nil, digest: String) {
        self.path = path
        self.name = name
        self.version = version
        self.digest = digest
    }
}
