import Basics
package import Foundation
package import SpineDatasets

extension SyntheticDataset {
    /// Puts the drawn shards of a dataset together: the same bytes as of the dataset drawn in one piece.
    package static func merge(_ paths: [String], into folder: URL, name: String) throws -> Dataset {
        var parts: [Int: (dataset: Dataset, options: SynthesisOptions)] = [:]
        for path in paths {
            let dataset = try DatasetLoader().load(path)
            guard let options = dataset.manifest.synthesis, let shard = options.shard else {
                throw DatasetError.operation(path: path, problem: "is not a shard of 'dataset synth --shard'")
            }
            if let twin = parts[shard.number] {
                throw DatasetError.operation(
                    path: path,
                    problem: "is shard \(shard), like \(twin.dataset.path); remove one of them"
                )
            }
            parts[shard.number] = (dataset, options)
        }
        guard let path = paths.first, let first = parts.values.first(where: { $0.dataset.path == path }) else {
            throw DatasetError.operation(path: folder.path, problem: "has no shards to merge; specify shards")
        }
        for part in parts.values {
            guard let problem = difference(of: part, from: first) else { continue }
            throw DatasetError.operation(
                path: part.dataset.path,
                problem: "does not belong to the dataset of \(path): \(problem)"
            )
        }
        let count = first.options.shard?.count ?? 1
        for shard in Shard.all(of: count) where parts[shard.number] == nil && first.options.hasPictures(in: shard) {
            throw DatasetError.operation(
                path: folder.path,
                problem: "shard \(shard) is missing: none of the \(paths.count) folders contains it"
            )
        }
        var whole = first.dataset.manifest
        (whole.name, whole.count, whole.contentDigest) = (name, nil, nil)
        whole.synthesis?.shard = nil
        return try assemble(parts.values.map(\.dataset), whole, folder)
    }

    private static func difference(
        of part: (dataset: Dataset, options: SynthesisOptions),
        from first: (dataset: Dataset, options: SynthesisOptions)
    ) -> String? {
        var (options, expected) = (part.options, first.options)
        if options.shard?.count != expected.shard?.count {
            return "it is one of \(options.shard?.count ?? 1) shards, not of \(expected.shard?.count ?? 1)"
        }
        (options.shard, expected.shard) = (nil, nil)
        if let difference = options.differences(from: expected).first { return difference }
        let (manifest, other) = (part.dataset.manifest, first.dataset.manifest)
        if manifest.version != other.version { return "version \(manifest.version ?? "none")" }
        return nil
    }

    private static func assemble(_ parts: [Dataset], _ manifest: DatasetManifest, _ folder: URL) throws -> Dataset {
        var output = try DatasetOutput(folder, as: manifest)
        for subject in Subject.allCases {
            let count = manifest.synthesis?.count(of: subject) ?? 0
            guard count > 0 else { continue }
            var lines: [String: (line: JSONObjectText, image: String, store: PictureStore)] = [:]
            for part in parts {
                let labels =
                    subject == .spines
                    ? part.samples.map { ($0.id, $0.image) } : part.shelves.map { ($0.id, $0.image) }
                for ((id, image), line) in zip(labels, try DatasetOutput.lines(of: subject.labels, in: part.path)) {
                    lines[id] = (line, image, part.store)
                }
            }
            for number in 0..<count {
                let id = subject.id(number)
                guard let (line, image, store) = lines[id] else {
                    throw DatasetError.operation(path: folder.path, problem: "\(id) is in none of the shards")
                }
                output.add(line, to: subject.labels)
                try output.place(image, of: store, as: image)
            }
        }
        let titles = URL(filePath: parts[0].path).appending(path: titlesFile)
        if let data = FileManager.default.contents(atPath: titles.path) {
            let copy = folder.appending(path: titlesFile)
            try DatasetError.writing(copy.path) { try data.write(to: copy) }
        }
        return try output.finish { dataset throws(DatasetError) in
            try complete(&dataset, manifest.synthesis ?? .usual, folder)
        }
    }
}

extension SynthesisOptions {
    /// Returns whether a shard has pictures: of few, some of many shards have none.
    package func hasPictures(in shard: Shard) -> Bool {
        Subject.allCases.contains { subject in
            (0..<count(of: subject)).contains { shard.holds(group: subject.id($0)) }
        }
    }
}
