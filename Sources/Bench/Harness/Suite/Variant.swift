package import Evaluation
package import ScanningPolicies
package import SpineDatasets

/// A named, fully resolved configuration of the pipeline: what a worker loads.
package struct Variant: Sendable, Equatable, Codable {
    /// Unique in a run: letters, digits, `-`, `_`, `.`.
    package var name: String
    /// The tier whose targets hold for it, such as `fast` or `accurate`; nil when none do.
    package var tier: String?
    /// Whether the targets that it misses fail the run.
    package var gates = false
    /// Every setting of the pipeline, by name, as it is recorded.
    package var settings: [String: String] = [:]
    /// SHA-256 of each model file that it loads, by file name: `sha256:` and 64 digits.
    package var models: [String: String] = [:]
    /// What it names books from; nil when it names none.
    package var catalogue: CatalogueReference?
    /// What its times rest on where they are not measured, such as `modelled` behind a network that is shaped; nil when they
    /// are.
    package var evidence: EvidenceClass?
    /// What the pictures show that it reads; nil for one spine each.
    package var subject: Subject?
}

extension Variant {
    package init(name: String, tier: String?, settings: [String: String]) {
        self.init(name: name, tier: tier, gates: false, settings: settings)
    }
}

/// What the harness knows of settings; all others it passes on and compares.
extension Variant {
    /// How a scan uses the tiers; nil for what only reads.
    package var strategy: ScanStrategy? { settings["strategy"].flatMap(ScanStrategy.init) }

    /// The name of the shaped network; nil for what sends nothing, `none` for a network that is not shaped.
    package var network: String? { settings["network"] }
}

/// The catalogue that a variant names books from.
package struct CatalogueReference: Sendable, Equatable, Codable {
    /// Its file's name, or what the one inside the program is called.
    package var name: String
    /// How many books it has.
    package var books: Int
    /// How many of them have an ISBN.
    package var booksWithISBN: Int
    /// Of its books, in their order.
    package var digest: String

    package init(name: String, books: Int, booksWithISBN: Int, digest: String) {
        self.name = name
        self.books = books
        self.booksWithISBN = booksWithISBN
        self.digest = digest
    }
}
