import Basics
package import Foundation

/// Copies a dataset with a split for each sample.
package enum DatasetSplitting {
    /// Writes the dataset at `path` again into `folder`, its labels as they are but for `split`.
    ///
    /// A copy, because the labels are part of what a digest stands for: the original goes on being what earlier results
    /// were measured on.
    ///
    /// - Parameters:
    ///   - path: The dataset's folder.
    ///   - folder: New, or empty; pictures are hard links where the file system has them.
    ///   - shares: The splits.
    ///   - seed: Decides which groups go where.
    /// - Returns: The copy, as it will be loaded.
    /// - Throws: `DatasetError` when the dataset has faults, has no samples, or the copy cannot be written.
    package static func split(
        _ path: String,
        into folder: URL,
        shares: [SplitPlan.Share],
        seed: UInt64
    ) throws(DatasetError) -> Dataset {
        let dataset = try DatasetLoader().load(path)
        guard !dataset.samples.isEmpty else {
            throw .operation(path: path, problem: "has no samples.jsonl; shelves are not split")
        }
        let samples = SampleClusters(dataset.samples, in: path).grouped(dataset.samples)
        let plan = SplitPlan(samples, shares: shares, seed: seed)
        var output = try DatasetOutput(folder, as: manifest(dataset, shares, seed))
        let lines = try DatasetOutput.lines(of: Labels.samplesFile, in: path)
        for (line, split) in zip(lines, plan.splits) {
            var line = line
            do throws(JSONFault) {
                try line.set(["split": split])
            } catch {
                throw .operation(path: path, problem: "changed while it was read: \(error)")
            }
            output.add(line.bytes, to: Labels.samplesFile)
        }
        for line in try DatasetOutput.lines(of: Labels.shelvesFile, in: path) {
            output.add(line.bytes, to: Labels.shelvesFile)
        }
        for image in dataset.samples.map(\.image) + dataset.shelves.map(\.image) {
            try output.place("\(path)/\(image)", as: image)
        }
        return try output.finish()
    }

    private static func manifest(_ dataset: Dataset, _ shares: [SplitPlan.Share], _ seed: UInt64) -> DatasetManifest {
        var manifest = dataset.manifest
        let text = shares.map { "\($0.name) \($0.share)" }.joined(separator: ", ")
        manifest.description =
            (manifest.description.map { $0 + " " } ?? "") + "Split by group, seed \(seed): \(text)."
        return manifest
    }
}
