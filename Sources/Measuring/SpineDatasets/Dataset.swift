import Statistics

/// Labelled spines that have been checked: every label has a picture that decodes.
package struct Dataset: Sendable, Equatable {
    /// The folder, as the caller named it.
    package var path: String
    package var manifest: DatasetManifest
    /// SHA-256 of the listing of its files: a line of SHA-256, two spaces and the path for `samples.jsonl`,
    /// `shelves.jsonl` and every picture that they name, sorted by path.
    ///
    /// `sha256sum *.jsonl images/* | sort -k2 | sha256sum` gives the same.
    package var digest: String
    /// In the order of the file.
    package var samples: [Sample]
    /// In the order of the file.
    package var shelves: [Shelf]
    /// Warnings: what does not keep it from being used, and should be known.
    package var warnings: [DatasetFault]

    package init(
        path: String,
        manifest: DatasetManifest,
        digest: String,
        samples: [Sample],
        shelves: [Shelf] = [],
        warnings: [DatasetFault] = []
    ) {
        self.path = path
        self.manifest = manifest
        self.digest = digest
        self.samples = samples
        self.shelves = shelves
        self.warnings = warnings
    }

    /// The number of legible spines from which a category decides a target by its share alone.
    package static let decidingCount = Proportion.minimumTrials(toShow: 0.85)

    /// The first `count` samples when the categories take turns, each in the order of the file: a short run sees them all.
    package func limited(to count: Int?) -> [Sample] {
        guard let count, count < samples.count else { return samples }
        var queues = SampleCategory.allCases.map { category in
            samples.enumerated().filter { $0.element.category == category }[...]
        }
        var chosen: [(offset: Int, element: Sample)] = []
        while chosen.count < count {
            for index in queues.indices where chosen.count < count {
                if let next = queues[index].popFirst() { chosen.append(next) }
            }
        }
        return chosen.sorted { $0.offset < $1.offset }.map(\.element)
    }
}
