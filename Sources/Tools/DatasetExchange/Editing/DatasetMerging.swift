import Basics
package import Foundation
package import SpineDatasets

package struct DatasetMerging: Sendable {
    /// Name that two datasets use for different things, and its replacement.
    package struct Renaming: Sendable, Equatable {
        package var path: String
        /// "id", "group", "image".
        package var field: String
        package var from: String
        package var to: String
    }

    package private(set) var renamings: [Renaming] = []

    private let mayRename: Bool
    private var taken: [String: Set<String>] = [:]

    /// `mayRename`: Renames colliding names; otherwise they are refused.
    package init(mayRename: Bool) { self.mayRename = mayRename }

    /// Writes the datasets at `paths` into `folder`, which is new or empty.
    ///
    /// Colliding names of the later dataset get that dataset's name in front. Samples without a licence or a source get
    /// their dataset's. Pictures are hard links where the file system supports them.
    package mutating func merge(_ paths: [String], into folder: URL, name: String) throws(DatasetError) -> Dataset {
        var datasets: [Dataset] = []
        for path in paths { datasets.append(try DatasetLoader().load(path)) }
        var output = try DatasetOutput(folder, as: Self.manifest(datasets, name))
        for dataset in datasets { try add(dataset, to: &output) }
        return try output.finish()
    }

    private mutating func add(_ dataset: Dataset, to output: inout DatasetOutput) throws(DatasetError) {
        var names: [String: [String: String]] = [:]
        let books = dataset.shelves.flatMap { $0.books.compactMap(\.id) }
        let shelves = dataset.shelves.filter { $0.id != $0.image }.map(\.id)
        for (field, values) in [
            ("image", dataset.samples.map(\.image) + dataset.shelves.map(\.image)), ("id", dataset.samples.map(\.id)),
            ("group", dataset.samples.compactMap(\.group)), ("shelf", shelves), ("book", books),
        ] {
            names[field] = try rename(values, field, of: dataset)
        }
        func name(_ field: String, _ value: String) -> String { names[field]?[value] ?? value }
        let (licence, source) = (dataset.manifest.licence, dataset.manifest.title)
        for (sample, var line) in zip(
            dataset.samples,
            try DatasetOutput.lines(of: Labels.samplesFile, in: dataset.path)
        ) {
            var values = ["id": name("id", sample.id), "image": name("image", sample.image)]
            values["group"] = sample.group.map { name("group", $0) }
            if sample.licence == nil { values["licence"] = licence }
            if sample.source == nil { values["source"] = source }
            try line.set(values, of: dataset.path)
            output.add(line, to: Labels.samplesFile)
        }
        for (shelf, var line) in zip(dataset.shelves, try DatasetOutput.lines(of: Labels.shelvesFile, in: dataset.path))
        {
            var values = ["image": name("image", shelf.image)]
            if shelf.id != shelf.image { values["id"] = name("shelf", shelf.id) }
            for (index, book) in shelf.books.enumerated() {
                if let id = book.id { values["books[\(index)].id"] = name("book", id) }
            }
            try line.set(values, of: dataset.path)
            output.add(line, to: Labels.shelvesFile)
        }
        for image in dataset.samples.map(\.image) + dataset.shelves.map(\.image) {
            try output.place(image, of: dataset.store, as: name("image", image))
        }
    }

    /// Returns the renaming of the names in a dataset's field: only those that are taken change.
    private mutating func rename(
        _ values: [String],
        _ field: String,
        of dataset: Dataset
    ) throws(DatasetError) -> [String: String] {
        let earlier = taken[field] ?? []
        // Neither an earlier name nor one of this dataset's own may be hit.
        var used = earlier.union(values)
        var names: [String: String] = [:]
        for value in values where names[value] == nil {
            guard earlier.contains(value) else {
                names[value] = value
                continue
            }
            guard mayRename else {
                throw .operation(
                    path: dataset.path,
                    problem:
                        "\(field) \"\(value)\" is also in an earlier dataset; rename one, or remove --no-rename"
                )
            }
            let new = Self.prefixed(value, field, dataset.manifest.name, used)
            used.insert(new)
            names[value] = new
            renamings.append(Renaming(path: dataset.path, field: field, from: value, to: new))
        }
        taken[field, default: []].formUnion(names.values)
        return names
    }

    /// Returns text such as "photos-p1", "images/photos-p1.jpg"; with a number when that is taken too.
    private static func prefixed(_ value: String, _ field: String, _ name: String, _ used: Set<String>) -> String {
        let steps = value.split(separator: "/", omittingEmptySubsequences: false)
        let folder = field == "image" ? steps.dropLast().map { $0 + "/" }.joined() : ""
        let last = field == "image" ? String(steps.last ?? "") : value
        let prefix = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        var number = 1
        while true {
            let new = "\(folder)\(prefix)\(number == 1 ? "" : "-\(number)")-\(last)"
            if !used.contains(new) { return new }
            number += 1
        }
    }

    private static func manifest(_ datasets: [Dataset], _ name: String) -> DatasetManifest {
        let licences = Set(datasets.map(\.manifest.licence))
        let parts = datasets.map(\.manifest.title)
        var manifest = DatasetManifest(name: name, licence: licences.count == 1 ? licences.first ?? nil : nil)
        manifest.description =
            "Merged from \(parts.joined(separator: ", ")). Licences are stated per sample where they differ."
        return manifest
    }
}

/// Copies a dataset with a split for each sample.
package enum DatasetSplitting {
    /// Writes the dataset at `path` again into a new `folder`, its labels as they are but for `split`.
    ///
    /// A copy, because the labels are part of a digest: the original remains the dataset of earlier results.
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
        let samples = SampleClusters(dataset.samples, in: dataset.store).grouped(dataset.samples)
        let plan = SplitPlan(samples, shares: shares, seed: seed)
        var output = try DatasetOutput(folder, as: manifest(dataset, shares, seed))
        let lines = try DatasetOutput.lines(of: Labels.samplesFile, in: path)
        for (var line, split) in zip(lines, plan.splits) {
            try line.set(["split": split], of: path)
            output.add(line, to: Labels.samplesFile)
        }
        for line in try DatasetOutput.lines(of: Labels.shelvesFile, in: path) {
            output.add(line, to: Labels.shelvesFile)
        }
        for image in dataset.samples.map(\.image) + dataset.shelves.map(\.image) {
            try output.place(image, of: dataset.store, as: image)
        }
        return try output.finish()
    }

    private static func manifest(_ dataset: Dataset, _ shares: [SplitPlan.Share], _ seed: UInt64) -> DatasetManifest {
        var manifest = dataset.manifest
        let text = shares.map { "\($0.name) \($0.share)" }.joined(separator: ", ")
        manifest.description = (manifest.description.map { $0 + " " } ?? "") + "Split by group, seed \(seed): \(text)."
        return manifest
    }
}

extension DatasetManifest {
    fileprivate var title: String { name + (version.map { " \($0)" } ?? "") }
}

extension JSONObjectText {
    fileprivate mutating func set(_ values: [String: String], of path: String) throws(DatasetError) {
        do throws(JSONFault) {
            try set(values)
        } catch {
            throw .operation(path: path, problem: "changed while it was read: \(error)")
        }
    }
}
