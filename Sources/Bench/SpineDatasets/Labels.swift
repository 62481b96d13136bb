import Basics
import Foundation

/// Labels of a dataset's files, before pictures are checked.
package struct Labels {
    package struct Labelled<Record: Sendable>: Sendable {
        package var line: Int
        package var record: Record
    }

    /// Samples; empty when there is a fault.
    package private(set) var samples: [Labelled<Sample>] = []
    /// Shelves; empty when there is a fault.
    package private(set) var shelves: [Labelled<ShelfRecord>] = []
    package private(set) var faults = FaultList()
    /// The label files that are there, by their names in the folder.
    private(set) var files: [String] = []

    private let folder: String
    private let store: PictureStore
    /// The split that a group was in first, and where.
    private var splitOfGroup: [String: (split: String, line: Int)] = [:]

    package static let samplesFile = "samples.jsonl"
    package static let shelvesFile = "shelves.jsonl"

    package init(of folder: String, _ store: PictureStore) {
        (self.folder, self.store) = (folder, store)
        files = [Self.samplesFile, Self.shelvesFile].filter { FileManager.default.fileExists(atPath: path($0)) }
        if files.isEmpty {
            faults.add(
                "missing or unreadable, and \(Self.shelvesFile) is missing; expected one JSON object per line"
                    + Self.hint(of: folder),
                in: path(Self.samplesFile)
            )
        }
        if files.contains(Self.samplesFile) { readSamples() }
        if files.contains(Self.shelvesFile) { readShelves() }
        if !faults.isEmpty { (samples, shelves) = ([], []) }
    }

    /// Returns the solution when only archives or pictures exist.
    private static func hint(of folder: String) -> String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if names.contains(where: { $0.hasSuffix(".tar") }) {
            return ". To create it from the archives' labels: python3 scripts/pack.py --index \(folder)"
        }
        let hasPictures = names.contains {
            ["jpg", "jpeg", "png", "heic"].contains(($0.lowercased() as NSString).pathExtension)
        }
        return hasPictures ? ". To label the pictures: spinebench label \(folder)" : ""
    }

    func filtered(_ part: Part) -> Labels {
        var labels = self
        labels.samples = samples.filter { part.holds($0.record) }
        labels.shelves = shelves.filter { part.holds(Sample($0.record.shelf)) }
        return labels
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private mutating func readSamples() {
        let file = path(Self.samplesFile)
        var count = 0
        read(Self.samplesFile, SampleParser.sample, \.id, \.image) { labels, line, sample in
            count += 1
            guard let sample else { return }
            if let group = sample.group, let split = sample.split {
                let first = labels.splitOfGroup[group]
                if let first, first.split != split {
                    labels.faults.add(
                        "group \"\(group)\" is in splits \(first.split) (line \(first.line)) and \(split); "
                            + "samples of one photo must be in one split",
                        in: file,
                        line: line
                    )
                } else if first == nil {
                    labels.splitOfGroup[group] = (split, line)
                }
            }
            if labels.faults.isEmpty { labels.samples.append(Labelled(line: line, record: sample)) }
        }
        if count == 0 && !files.contains(Self.shelvesFile) && faults.isEmpty {
            faults.add("no samples; expected one JSON object per line", in: file)
        }
    }

    private mutating func readShelves() {
        let file = path(Self.shelvesFile)
        var lineOfBook: [String: Int] = [:]
        var count = 0
        read(Self.shelvesFile, ShelfParser.shelf, \.shelf.id, \.shelf.image) { labels, line, shelf in
            count += 1
            guard let shelf else { return }
            for id in shelf.shelf.books.compactMap(\.id) {
                if let first = lineOfBook.updateValue(line, forKey: id) {
                    labels.faults.add("duplicate book \"\(id)\", first in line \(first)", in: file, line: line)
                }
            }
            if labels.faults.isEmpty { labels.shelves.append(Labelled(line: line, record: shelf)) }
        }
        if count == 0 && faults.isEmpty && samples.isEmpty {
            faults.add("no shelves; expected one JSON object per line", in: file)
        }
    }

    /// Parses a file, reports the faults of each line, and returns the records; nil for a line with a fault.
    private mutating func read<Record: Sendable>(
        _ name: String,
        _ record: @escaping @Sendable (inout FieldReader) -> Record,
        _ id: @escaping @Sendable (Record) -> String,
        _ image: @escaping @Sendable (Record) -> String,
        take: (inout Labels, Int, Record?) -> Void
    ) {
        let file = path(name)
        let store = store
        var lineOfID: [String: Int] = [:]
        do {
            try LineFile(file).read { bytes, _ in
                Self.parse(bytes, record, id, image, store)
            } take: { line, parsed in
                guard case .parsed(let parsed) = parsed else {
                    let problem = "longer than \(LineFile.maximumLine) bytes; expected one JSON object"
                    faults.add(problem, in: file, line: line)
                    return take(&self, line, nil)
                }
                for fault in parsed.faults { faults.add(fault, in: file, line: line) }
                if let id = parsed.id, let first = lineOfID.updateValue(line, forKey: id) {
                    lineOfID[id] = first
                    faults.add("duplicate id \"\(id)\", first used in line \(first)", in: file, line: line)
                }
                take(&self, line, parsed.record)
            }
        } catch {
            faults.add("cannot be read: \(error.systemReason)", in: file)
        }
    }

    /// Returns the record and its id; nil when it is faulty, and when it has none.
    private static func parse<Record>(
        _ line: UnsafeBufferPointer<UInt8>,
        _ read: (inout FieldReader) -> Record,
        _ id: (Record) -> String,
        _ image: (Record) -> String,
        _ store: PictureStore
    ) -> (record: Record?, id: String?, faults: [String]) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(line)
        } catch {
            return (nil, nil, ["not valid JSON: \(error)"])
        }
        guard case .object(let members) = value else {
            return (nil, nil, ["expected a JSON object, found \(value.kind)"])
        }
        var fields = FieldReader(members)
        let record = read(&fields)
        let (id, image) = (id(record), image(record))
        // The file's existence is cheap to test; reading its contents is not.
        if !image.isEmpty, !store.contains(image) {
            fields.faults.append("image \"\(image)\" does not exist")
        }
        return (fields.faults.isEmpty ? record : nil, id.isEmpty ? nil : id, fields.faults)
    }
}
