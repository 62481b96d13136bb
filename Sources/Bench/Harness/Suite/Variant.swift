package import Evaluation
package import SpineDatasets

/// Named, fully resolved configuration of the pipeline, which a worker loads.
package struct Variant: Sendable, Equatable, Codable {
    /// Unique in a run: letters, digits, `-`, `_`, `.`.
    package var name: String
    /// The tier whose targets hold for it, such as `fast` or `accurate`; nil when none do.
    package var tier: String?
    /// Whether the targets that it misses fail the run.
    package var gates = false
    package var settings: [String: String] = [:]
    /// SHA-256 of each model file that it loads, by file name: `sha256:` and 64 digits.
    package var models: [String: String] = [:]
    /// Catalogue for naming books; nil when it names none.
    package var catalogue: CatalogueReference?
    /// Evidence class of times that are not measured, such as `modelled`; nil for measured ones.
    package var evidence: EvidenceClass?
    /// Subject of the pictures that it reads; nil for one spine each.
    package var subject: Subject?
    /// Seconds within which its worker is ready, and answers, as it limits both itself; nil for the run's timeouts.
    package var limitSeconds: Double?
    /// Origin of readings that were made elsewhere; nil for a variant that the harness runs.
    package var origin: ReadingOrigin?
}

/// Origin of readings that the harness did not make.
package struct ReadingOrigin: Sendable, Equatable, Codable {
    /// Name and SHA-256 of each file: "phone.jsonl sha256:…".
    package var files: [String]
    /// Number of readings of each sample.
    package var repetitions: Int
    /// Program that read, and program that recorded, with versions; nil when no file names them.
    package var system: String?
    package var recorder: String?
    /// Device that read: "iPhone17,1, iOS 26.1"; nil when no file names it.
    package var device: String?
    /// Whether that is a phone, so that a phone's limits apply.
    package var isPhone: Bool?
    /// Checks of a recording that fail or are absent, in words; nil without any.
    package var problems: [String]?
    /// Public key of the suite that signed it; nil unless it is measured on a device.
    package var key: String?

    package init(files: [String], repetitions: Int, system: String?, recorder: String?, device: String?, isPhone: Bool)
    {
        (self.files, self.repetitions, self.system) = (files, repetitions, system)
        (self.recorder, self.device, self.isPhone) = (recorder, device, isPhone ? true : nil)
    }
}

extension Variant {
    /// Seconds until a reader of the user's has to be ready, and to have read its first picture; nil for any other
    /// variant.
    package var startSeconds: Double? { limitSeconds.flatMap { settings["start-timeout"].flatMap(Double.init) ?? $0 } }

    /// Address of a service of the user's, to which each picture is sent; nil for any other variant.
    package var address: String? {
        settings["command"].flatMap { $0.hasPrefix("http://") || $0.hasPrefix("https://") ? $0 : nil }
    }

    package init(name: String, tier: String?, settings: [String: String]) {
        self.init(name: name, tier: tier, gates: false, settings: settings)
    }
}

package struct CatalogueReference: Sendable, Equatable, Codable {
    package var name: String
    package var books: Int
    package var booksWithISBN: Int
    /// Digest of the books, in their order.
    package var digest: String

    package init(name: String, books: Int, booksWithISBN: Int, digest: String) {
        (self.name, self.books, self.booksWithISBN, self.digest) = (name, books, booksWithISBN, digest)
    }
}
