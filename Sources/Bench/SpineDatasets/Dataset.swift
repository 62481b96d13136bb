package import Basics
package import Foundation
import Statistics

/// Labelled spines that have been checked: every label has a picture that decodes.
package struct Dataset: Sendable, Equatable {
    /// The folder, or the address in a store, as the caller named it.
    package var path: String
    package var manifest: DatasetManifest
    /// SHA-256 of the listing of its files: a line of SHA-256, two spaces and the path for `samples.jsonl`,
    /// `shelves.jsonl` and every picture that they name, sorted by path.
    ///
    /// `sha256sum *.jsonl images/* | sort -k2 | sha256sum` gives the same.
    package var digest: String
    package var samples: [Sample]
    package var shelves: [Shelf]
    package var store: PictureStore
    /// Properties of the checked pictures, by their paths.
    package var traits: [String: PictureTraits]
    package var warnings: [Fault]

    package init(
        path: String,
        manifest: DatasetManifest,
        digest: String,
        samples: [Sample],
        shelves: [Shelf] = [],
        store: PictureStore? = nil,
        traits: [String: PictureTraits] = [:],
        warnings: [Fault] = []
    ) {
        (self.path, self.manifest, self.digest) = (path, manifest, digest)
        (self.samples, self.shelves, self.traits, self.warnings) = (samples, shelves, traits, warnings)
        self.store = store ?? PictureStore(path, index: nil)
    }

    /// The number of legible spines from which a category decides a target by its share alone.
    package static let decidingCount = Proportion.minimumTrials(toShow: 0.85)

    /// Returns the first `count` samples when the categories take turns, each in the order of the file: a short run
    /// sees them all.
    package func limited(to count: Int?) -> [Sample] {
        guard let count, count < samples.count else { return samples }
        var seen: [SampleCategory: Int] = [:]
        let turns = samples.enumerated().map { place, sample in
            defer { seen[sample.category, default: 0] += 1 }
            let category = SampleCategory.allCases.firstIndex(of: sample.category) ?? 0
            return (seen[sample.category] ?? 0, category, place)
        }
        return turns.sorted(by: <).prefix(count).map(\.2).sorted().map { samples[$0] }
    }
}

/// Manifest of a dataset, its `dataset.json`; a folder without one is named after itself.
package struct DatasetManifest: Sendable, Equatable, Codable {
    package var name: String
    package var version: String?
    package var licence: String?
    package var description: String?
    /// Number of spines, those on shelves included.
    package var count: Int?
    package var synthesis: SynthesisOptions?
    package var fonts: [String]?
    /// Digest that `Dataset.digest` has to be.
    package var contentDigest: String?
    /// A text that occurs nowhere else, by which a model that was trained on the dataset can be found.
    package var canary: String?
    /// Reason why the dataset must not be used yet, with the command that completes it; nil when it is complete.
    package var unfinished: String?
    /// Corrections of labels since the dataset was made, in order.
    package var mended: [LabelMend]?

    /// Returns the `dataset.json` of a folder; without one, a manifest with the folder's name.
    package static func read(from folder: String) throws(DatasetError) -> DatasetManifest {
        let path = "\(folder)/dataset.json"
        guard FileManager.default.fileExists(atPath: path) else { return DatasetManifest(namedAfter: folder) }
        let bytes = try DatasetError.reading(path) { try Data(contentsOf: URL(filePath: path)) }
        let faults = FaultCollector(file: path, ignoresUnknownKeys: true)
        do throws(Faults) {
            let root = try JSONParser.node(Array(bytes), faults)
            return try LocatedDecoder.decode(DatasetManifest.self, from: root, faults)
        } catch {
            throw .faults(path: folder, error.faults)
        }
    }
}

extension DatasetManifest {
    package init(name: String, version: String? = nil, licence: String? = nil) {
        self.init(name: name, version: version, licence: licence, description: nil)
    }

    init(namedAfter folder: String) {
        self.init(name: URL(filePath: folder).standardizedFileURL.lastPathComponent)
    }
}

/// Completes a dataset whose labels and pictures are in their folder.
package enum DatasetSeal {
    /// Checks the folder, then writes `dataset.json` with its count, digest and canary.
    ///
    /// Until all is done, an existing `dataset.json` is not changed: after an interruption, one that marks the dataset
    /// as unfinished still does so. `finish` completes the checked dataset, whose manifest is then written.
    @discardableResult
    package static func seal(
        _ folder: URL,
        as manifest: DatasetManifest,
        finish: (inout Dataset) throws(DatasetError) -> Void = { _ in }
    ) throws(DatasetError) -> Dataset {
        var dataset = try DatasetLoader(ignoresManifest: true).load(folder.path)
        dataset.manifest = manifest
        dataset.manifest.count = dataset.samples.count + dataset.shelves.reduce(0) { $0 + $1.books.count }
        dataset.manifest.contentDigest = dataset.digest
        dataset.manifest.unfinished = nil
        // Of the first digest, so that the same dataset drawn again has the same.
        let digits = dataset.digest.suffix(32)
        let kept = manifest.canary ?? (try? DatasetManifest.read(from: folder.path))?.canary
        dataset.manifest.canary = kept ?? "test data, not to be trained on: spinebench-canary-\(digits)"
        try finish(&dataset)
        try write(dataset.manifest, to: folder.appending(path: "dataset.json"))
        return dataset
    }

    /// Writes `dataset.json` unchanged, for a folder that is not complete yet.
    package static func write(_ manifest: DatasetManifest, to file: URL) throws(DatasetError) {
        try DatasetError.writing(file.path) { try Data(JSONFile.bytes(manifest)).write(to: file, options: .atomic) }
    }
}
