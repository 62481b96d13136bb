package import Evaluation

/// A named, fully resolved configuration of the pipeline: what a worker loads.
package struct Variant: Sendable, Equatable, Codable {
    /// Unique in a run: letters, digits, `-`, `_`, `.`.
    package var name: String
    /// The tier whose targets hold for it, such as `fast` or `accurate`; nil when none do.
    package var tier: String?
    /// Whether the targets that it misses fail the run.
    package var gates: Bool
    /// Every setting of the pipeline, by name: the harness passes them on and compares them, and knows no meaning.
    package var settings: [String: String]
    /// SHA-256 of each model file that it loads, by file name: `sha256:` and 64 digits.
    package var models: [String: String]
    /// What it names books from; nil when it names none.
    package var catalogue: CatalogueReference?
    /// What its times rest on where they are not measured, such as `modelled` behind a network that is shaped; nil when they
    /// are.
    package var evidence: EvidenceClass?

    package init(
        name: String,
        tier: String? = nil,
        gates: Bool = false,
        settings: [String: String] = [:],
        models: [String: String] = [:],
        catalogue: CatalogueReference? = nil,
        evidence: EvidenceClass? = nil
    ) {
        self.name = name
        self.tier = tier
        self.gates = gates
        self.settings = settings
        self.models = models
        self.catalogue = catalogue
        self.evidence = evidence
    }
}
