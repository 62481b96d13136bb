import Basics
package import Foundation

/// Completes a dataset whose labels and pictures are in their folder.
package enum DatasetSeal {
    /// Checks the folder and writes `dataset.json` with its count and digest, and `croissant.json` for other tools.
    ///
    /// Until all is done, the `dataset.json` that lies there stays as it is: one that says that the dataset is unfinished
    /// goes on saying so when this is cut off.
    ///
    /// - Parameters:
    ///   - folder: Has `samples.jsonl`, `shelves.jsonl` or both, and the pictures that they name.
    ///   - manifest: What to write; `count`, `contentDigest` and `unfinished` are set here.
    ///   - finish: Called with the checked dataset before `dataset.json` is written, for what is to be in the manifest or
    ///     beside it and follows from the labels.
    /// - Returns: The dataset as it will be loaded.
    /// - Throws: `DatasetError.faults` when the labels or pictures are wrong, `.operation` when a file cannot be written.
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
        try finish(&dataset)
        try CroissantDescription.write(dataset, to: folder.appending(path: "croissant.json"))
        try write(dataset.manifest, to: folder.appending(path: "dataset.json"))
        return dataset
    }

    /// Writes `dataset.json` as it stands, for a folder that is not complete yet.
    package static func write(_ manifest: DatasetManifest, to file: URL) throws(DatasetError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            try (encoder.encode(manifest) + Data("\n".utf8)).write(to: file, options: .atomic)
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error.systemReason)")
        }
    }
}
