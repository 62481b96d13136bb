package import Foundation

/// Completes a dataset whose labels and pictures are in their folder.
package enum DatasetSeal {
    /// Checks the folder and writes `dataset.json` with its count and digest.
    ///
    /// - Parameters:
    ///   - folder: Has `samples.jsonl`, `shelves.jsonl` or both, and the pictures that they name.
    ///   - manifest: What to write; `count`, `contentDigest` and `unfinished` are set here.
    /// - Returns: The dataset as it will be loaded.
    /// - Throws: `DatasetError.faults` when the labels or pictures are wrong, `.operation` when the file cannot be written.
    @discardableResult
    package static func seal(_ folder: URL, as manifest: DatasetManifest) throws(DatasetError) -> Dataset {
        let file = folder.appending(path: "dataset.json")
        try? FileManager.default.removeItem(at: file)
        var dataset = try DatasetLoader().load(folder.path)
        dataset.manifest = manifest
        dataset.manifest.count = dataset.samples.count + dataset.shelves.reduce(0) { $0 + $1.books.count }
        dataset.manifest.contentDigest = dataset.digest
        dataset.manifest.unfinished = nil
        try write(dataset.manifest, to: file)
        return dataset
    }

    /// Writes `dataset.json` as it stands, for a folder that is not complete yet.
    package static func write(_ manifest: DatasetManifest, to file: URL) throws(DatasetError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            try (encoder.encode(manifest) + Data("\n".utf8)).write(to: file, options: .atomic)
        } catch {
            throw .operation(path: file.path, problem: "cannot be written: \(error)")
        }
    }
}
