import Basics
import Foundation

/// Loader of a dataset's folder, which finds all of its faults in one pass: of the labels first, then of the pictures.
package struct DatasetLoader: Sendable {
    /// Pictures that are opened and decoded.
    package enum Pictures: Sendable {
        case all
        /// Pictures of a part where `dataset.json` contains the digest of all, which is then taken from there; all
        /// of them elsewhere.
        case read(Part)
        /// Pictures of a part; the digest is of the labels and these pictures.
        case checked(Part)
    }

    private let ignoresManifest: Bool
    private let pictures: Pictures

    /// `ignoresManifest`: Leaves `dataset.json` unread, for a folder that is about to get one.
    package init(ignoresManifest: Bool = false, lookingAt pictures: Pictures = .all) {
        (self.ignoresManifest, self.pictures) = (ignoresManifest, pictures)
    }

    package func load(_ path: String) throws(DatasetError) -> Dataset { try survey(path).dataset }

    /// Returns the dataset, and the SHA-256 of each checked picture by its path in the dataset.
    ///
    /// `path`: A folder, or the name of a dataset that comes with the program.
    package func survey(_ path: String) throws(DatasetError) -> (dataset: Dataset, digests: PictureDigests) {
        let path = Self.folder(of: path)
        do throws(DatasetError) {
            return try survey(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, path)
        } catch {
            throw .faults(path: path, error.faults)
        }
    }

    /// Returns the folder of a dataset that is named by its path, or by the name of one that comes with the program.
    package static func folder(of path: String) -> String {
        if path.contains("/") || FileManager.default.fileExists(atPath: path) { return path }
        return ProjectFolder.find(named: "Datasets/\(path)", holding: "dataset.json") ?? path
    }

    private func survey(
        _ folder: String,
        _ path: String
    ) throws(DatasetError) -> (dataset: Dataset, digests: PictureDigests) {
        func check(_ faults: [Fault]) throws(DatasetError) { if !faults.isEmpty { throw .faults(path: path, faults) } }
        guard FileManager.default.isFolder(folder) else {
            let way = path.contains("://") ? "; fetch it first, for example with 'aws s3 sync \(path) FOLDER'" : ""
            throw .operation(path: path, problem: "not a folder; expected a folder with samples.jsonl\(way)")
        }
        let file = "\(folder)/dataset.json"
        var (manifest, faults) = (DatasetManifest(namedAfter: folder), [Fault]())
        if !ignoresManifest {
            do throws(DatasetError) { manifest = try .read(from: folder) } catch { faults = error.faults }
        }
        if let unfinished = manifest.unfinished { throw .fault("the dataset is unfinished: \(unfinished)", in: file) }
        let store = try PictureStore(folder)
        let labels = Labels(of: folder, store)
        try check(faults + labels.faults)
        let (part, stated) = part(of: manifest)
        // Checked before any picture: in a damaged archive, all may have changed. For some of their pictures,
        // archives are not read whole: each of many tasks would do so.
        if let index = store.index, stated == nil { try check(index.faults(in: folder)) }
        let survey = PictureSurvey(part.map(labels.filtered) ?? labels, in: folder, store)
        try check(survey.faults)
        let digests = PictureDigests(survey.checks.compactMapValues(\.digest))
        let digest: String
        if let stated { digest = stated } else { digest = try digests.contentDigest(withLabelsOf: folder) }
        let dataset = Dataset(
            path: path,
            manifest: manifest,
            digest: digest,
            samples: labels.samples.map(\.record),
            shelves: labels.shelves.map(\.record),
            store: store,
            traits: survey.checks.compactMapValues(\.traits),
            warnings: survey.warnings + Self.smallCategories(labels, in: "\(folder)/\(Labels.samplesFile)")
        )
        if case .checked = pictures { return (dataset, digests) }
        if let expected = manifest.contentDigest, expected != dataset.digest {
            throw .fault(
                "\"contentDigest\" is \(expected), but the files' digest is \(dataset.digest): they were changed, so restore "
                    + "them, or give it a new version and write its digest: spinebench dataset digest \(folder) --write",
                in: file
            )
        }
        return (dataset, digests)
    }

    /// Returns the part whose pictures alone are checked, and the digest that is adopted.
    private func part(of manifest: DatasetManifest) -> (Part?, digest: String?) {
        switch pictures {
        case .all: (nil, nil)
        case .read(let part): manifest.contentDigest.map { (part, $0) } ?? (nil, nil)
        case .checked(let part): (part, nil)
        }
    }

    private static func smallCategories(_ labels: Labels, in file: String) -> [Fault] {
        SampleCategory.allCases.compactMap { category in
            let count = labels.samples.count { $0.record.category == category && $0.record.legible }
            guard (1..<Dataset.decidingCount).contains(count) else { return nil }
            return Fault(
                file: file,
                message:
                    "category \(category.rawValue) has \(count) legible spine\(count == 1 ? "" : "s"); its target can "
                    + "only be met with \(Dataset.decidingCount) or more; with fewer it can only be missed, by an interval wholly below the target"
            )
        }
    }
}
