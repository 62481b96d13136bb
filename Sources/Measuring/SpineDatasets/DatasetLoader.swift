import Foundation

/// Reads a dataset's folder and finds all of its faults in one go.
///
/// The pictures are looked at when the labels have no fault: a manifest that is broken is told of at once, however many
/// pictures there are.
package struct DatasetLoader: Sendable {
    private let ignoresManifest: Bool
    private let isLookedAt: (@Sendable (Sample) -> Bool)?

    /// - Parameters:
    ///   - ignoresManifest: leaves `dataset.json` unread, for a folder that is about to get one.
    ///   - isLookedAt: which samples' pictures are opened, where `dataset.json` states the digest of all of them, which is then
    ///     taken from there; nil for all.
    package init(ignoresManifest: Bool = false, lookingAt isLookedAt: (@Sendable (Sample) -> Bool)? = nil) {
        self.ignoresManifest = ignoresManifest
        self.isLookedAt = isLookedAt
    }

    /// The dataset in the folder at `path`.
    ///
    /// - Throws: ``DatasetError/faults(path:faults:more:)`` with the faults in the order of files and lines.
    package func load(_ path: String) throws(DatasetError) -> Dataset {
        var faults = FaultList()
        guard ObjectFolder.isAddress(path) else {
            let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            let dataset = load(folder, path: path, nil, &faults)
            guard faults.isEmpty, let dataset else { throw faults.error(path: path) }
            return dataset
        }
        let objects = try ObjectFolder.open(path)
        let dataset = load(objects.labels, path: path, objects, &faults)
        guard faults.isEmpty, var dataset else { throw faults.error(path: path).renaming(objects.labels, objects.name) }
        dataset.warnings = dataset.warnings.map { $0.renaming(objects.labels, objects.name) }
        return dataset
    }

    /// Nil, with a fault at least, when there is nothing to load.
    ///
    /// `folder`: Of this machine, with the labels; `objects` is the store that has the pictures, nil for that folder.
    private func load(
        _ folder: String,
        path: String,
        _ objects: ObjectFolder?,
        _ faults: inout FaultList
    ) -> Dataset? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            faults.add("not a folder; expected one with samples.jsonl in it", in: path)
            return nil
        }
        let file = "\(folder)/dataset.json"
        let name = objects?.name ?? folder
        let manifest = ignoresManifest ? DatasetManifest(namedAfter: name) : Self.manifest(of: name, &faults)
        if let unfinished = manifest.unfinished {
            faults.add("the dataset is unfinished: \(unfinished)", in: file)
            return nil
        }
        var store: PictureStore
        do throws(DatasetError) {
            store = if let objects { try PictureStore(objects) } else { try PictureStore(folder) }
        } catch {
            faults.add(error)
            return nil
        }
        let labels = Labels(of: folder, store)
        faults.add(labels.faults)
        guard labels.faults.isEmpty else { return nil }
        let stated = isLookedAt == nil ? nil : manifest.contentDigest
        // Before any picture is looked at: of a damaged archive, none may be what it was. A store's archives do not come over
        // the network whole for some of their pictures.
        if let index = store.index, objects == nil || stated == nil { faults.add(index.faults(in: folder, objects)) }
        guard faults.isEmpty else { return nil }
        let survey = PictureSurvey(stated == nil ? labels : labels.filtered(isLookedAt), in: folder, store)
        if let outage = survey.outage { faults.add(outage) }
        faults.add(survey.faults)
        guard faults.isEmpty else { return nil }
        store.expect(survey.checks)
        var digests = survey.digests
        for name in labels.files {
            guard let digest = try? SHA256.hex(ofFile: "\(folder)/\(name)") else {
                faults.add("cannot be read a second time", in: "\(folder)/\(name)")
                return nil
            }
            digests[name] = digest
        }
        let listing = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined()
        let dataset = Dataset(
            path: path,
            manifest: manifest,
            digest: stated ?? "sha256:" + SHA256.hex(of: Array(listing.utf8)),
            samples: labels.samples.map(\.record),
            shelves: labels.shelves.map(\.record.shelf),
            store: store,
            warnings: survey.warnings + Self.smallCategories(labels, in: "\(folder)/\(Labels.samplesFile)")
        )
        if let expected = manifest.contentDigest, expected != dataset.digest {
            faults.add(
                "\"contentDigest\" is \(expected), the files give \(dataset.digest): they were changed, so restore "
                    + "them or state a new version and digest",
                in: file
            )
        }
        return dataset
    }

    /// Manifest in a folder; one after the folder's name when `dataset.json` does not fit, with a fault.
    static func manifest(of folder: String, _ faults: inout FaultList) -> DatasetManifest {
        do throws(DatasetError) {
            return try DatasetManifest.read(from: folder)
        } catch {
            faults.add(error)
            return DatasetManifest(namedAfter: folder)
        }
    }

    private static func smallCategories(_ labels: Labels, in file: String) -> [DatasetFault] {
        SampleCategory.allCases.compactMap { category in
            let count = labels.samples.count { $0.record.category == category && $0.record.legible }
            guard (1..<Dataset.decidingCount).contains(count) else { return nil }
            return DatasetFault(
                file: file,
                message:
                    "category \(category.rawValue) has \(count) legible spine\(count == 1 ? "" : "s"); a target for it can "
                    + "be met from \(Dataset.decidingCount) on, and with fewer only be missed, by an interval wholly below it"
            )
        }
    }
}
