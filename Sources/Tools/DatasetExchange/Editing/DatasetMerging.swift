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
        var datasets: [(dataset: Dataset, names: [String: [String: String]])] = []
        for path in paths {
            let dataset = try DatasetLoader().load(path)
            datasets.append((dataset, try names(in: dataset)))
        }
        let parts = datasets.map(\.dataset.manifest)
        let licences = Set(parts.map(\.licence))
        var manifest = DatasetManifest(name: name, licence: licences.count == 1 ? licences.first ?? nil : nil)
        manifest.description =
            "Merged from \(parts.map(\.title).joined(separator: ", ")). Licences are stated per sample where they differ."
        return try DatasetOutput.written(into: folder, as: manifest) { output throws(DatasetError) in
            for (dataset, names) in datasets { try output.add(dataset, names: names) }
        }
    }

    /// Returns the names of a dataset's things in the merged one, by field and own name.
    private mutating func names(in dataset: Dataset) throws(DatasetError) -> [String: [String: String]] {
        let values = [
            ("image", dataset.images), ("id", dataset.samples.map(\.id)),
            ("group", dataset.samples.compactMap(\.group)),
            ("shelf", dataset.shelves.filter { $0.id != $0.image }.map(\.id)),
            ("book", dataset.shelves.flatMap { $0.books.compactMap(\.id) }),
        ]
        var names: [String: [String: String]] = [:]
        for (field, values) in values { names[field] = try rename(values, field, of: dataset) }
        return names
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
            names[value] = value
            guard earlier.contains(value) else { continue }
            guard mayRename else {
                throw .operation(
                    path: dataset.path,
                    problem: "\(field) \"\(value)\" is also in an earlier dataset; rename one, or remove --no-rename"
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
        let slash = field == "image" ? value.lastIndex(of: "/").map(value.index(after:)) : nil
        let (folder, last) = (value[..<(slash ?? value.startIndex)], value[(slash ?? value.startIndex)...])
        let prefix = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        let names = (1...).lazy.map { "\(folder)\(prefix)\($0 == 1 ? "" : "-\($0)")-\(last)" }
        return names.first { !used.contains($0) } ?? value
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
        var manifest = dataset.manifest
        let text = shares.map { "\($0.name) \($0.share)" }.joined(separator: ", ")
        manifest.description = (manifest.description.map { $0 + " " } ?? "") + "Split by group, seed \(seed): \(text)."
        return try DatasetOutput.written(into: folder, as: manifest) { output throws(DatasetError) in
            try output.add(dataset, splits: plan.splits)
        }
    }
}

extension DatasetOutput {
    /// Writes a dataset; nothing is left of its folder when that fails.
    static func written(
        into folder: URL,
        as manifest: DatasetManifest,
        _ write: (inout DatasetOutput) throws(DatasetError) -> Void
    ) throws(DatasetError) -> Dataset {
        var output = try DatasetOutput(folder, as: manifest)
        do throws(DatasetError) {
            try write(&output)
            return try output.finish()
        } catch {
            output.discard()
            throw error
        }
    }

    /// Adds a dataset's lines, with the names of its things by field, or with splits, and its pictures.
    fileprivate mutating func add(
        _ dataset: Dataset,
        names: [String: [String: String]]? = nil,
        splits: [String]? = nil
    ) throws(DatasetError) {
        func name(_ field: String, _ value: String) -> String { names?[field]?[value] ?? value }
        let samples = dataset.samples.enumerated().map { index, sample in
            var values = splits.map { ["split": $0[index]] } ?? [:]
            guard names != nil else { return values }
            (values["id"], values["image"]) = (name("id", sample.id), name("image", sample.image))
            values["group"] = sample.group.map { name("group", $0) }
            if sample.licence == nil { values["licence"] = dataset.manifest.licence }
            if sample.source == nil { values["source"] = dataset.manifest.title }
            return values
        }
        let shelves = dataset.shelves.map { shelf in
            guard names != nil else { return [String: String]() }
            var values = ["image": name("image", shelf.image)]
            if shelf.id != shelf.image { values["id"] = name("shelf", shelf.id) }
            for (index, book) in shelf.books.enumerated() {
                values["books[\(index)].id"] = book.id.map { name("book", $0) }
            }
            return values
        }
        for (file, values) in [(Labels.samplesFile, samples), (Labels.shelvesFile, shelves)] {
            for (values, var line) in zip(values, try Self.lines(of: file, in: dataset.path)) {
                do throws(JSONFault) { try line.set(values) } catch {
                    throw .operation(path: dataset.path, problem: "changed while it was read: \(error)")
                }
                add(line, to: file)
            }
        }
        for image in dataset.images { try place(image, of: dataset.store, as: name("image", image)) }
    }
}

extension Dataset {
    fileprivate var images: [String] { samples.map(\.image) + shelves.map(\.image) }
}

extension DatasetManifest {
    fileprivate var title: String { name + (version.map { " \($0)" } ?? "") }
}
