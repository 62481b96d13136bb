package import SpineDatasets

/// A dataset as a run's configuration names it.
package struct DatasetReference: Sendable, Equatable, Codable {
    package var path: String
    package var name: String
    package var version: String?
    package var digest: String
}

extension DatasetReference {
    package init(_ dataset: Dataset) {
        self.init(
            path: dataset.path,
            name: dataset.manifest.name,
            version: dataset.manifest.version,
            digest: dataset.digest
        )
    }
}
