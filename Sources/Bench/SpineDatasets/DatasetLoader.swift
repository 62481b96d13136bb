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
    package func survey(_ path: String) throws(DatasetError) -> (dataset: Dataset, digests: PictureDigests) {
        var faults = FaultList()
        let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let found = survey(folder, path: path, &faults)
        guard faults.isEmpty, let found else { throw faults.error(path: path) }
        return found
    }

    /// Returns the survey; nil, with a fault at least, when there is nothing to load.
    private func survey(
        _ folder: String,
        path: String,
        _ faults: inout FaultList
    ) -> (dataset: Dataset, digests: PictureDigests)? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            let way = path.contains("://") ? "; fetch it first, for example with 'aws s3 sync \(path) FOLDER'" : ""
            faults.add("not a folder; expected a folder with samples.jsonl\(way)", in: path)
            return nil
        }
        let file = "\(folder)/dataset.json"
        let manifest = ignoresManifest ? DatasetManifest(namedAfter: folder) : Self.manifest(of: folder, &faults)
        if let unfinished = manifest.unfinished {
            faults.add("the dataset is unfinished: \(unfinished)", in: file)
            return nil
        }
        let store: PictureStore
        do throws(DatasetError) { store = try PictureStore(folder) } catch {
            faults.add(error)
            return nil
        }
        let labels = Labels(of: folder, store)
        faults.add(labels.faults)
        guard labels.faults.isEmpty else { return nil }
        let (part, stated) = part(of: manifest)
        // Checked before any picture: in a damaged archive, all may have changed. For some of their pictures,
        // archives are not read whole: each of many tasks would do so.
        if let index = store.index, stated == nil { faults.add(index.faults(in: folder)) }
        guard faults.isEmpty else { return nil }
        let survey = PictureSurvey(part.map(labels.filtered) ?? labels, in: folder, store)
        faults.add(survey.faults)
        guard faults.isEmpty else { return nil }
        let digests = PictureDigests(survey.digests)
        let digest: String
        do throws(DatasetError) {
            digest = if let stated { stated } else { try digests.contentDigest(withLabelsOf: folder) }
        } catch {
            faults.add(error)
            return nil
        }
        let dataset = Dataset(
            path: path,
            manifest: manifest,
            digest: digest,
            samples: labels.samples.map(\.record),
            shelves: labels.shelves.map(\.record.shelf),
            store: store,
            traits: survey.checks.compactMapValues(\.traits),
            warnings: survey.warnings + Self.smallCategories(labels, in: "\(folder)/\(Labels.samplesFile)")
        )
        if case .checked = pictures { return (dataset, digests) }
        if let expected = manifest.contentDigest, expected != dataset.digest {
            faults.add(
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

    package static func manifest(of folder: String, _ faults: inout FaultList) -> DatasetManifest {
        do throws(DatasetError) {
            return try DatasetManifest.read(from: folder)
        } catch {
            faults.add(error)
            return DatasetManifest(namedAfter: folder)
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
